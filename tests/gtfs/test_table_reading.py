"""One file of a feed: what is forgiven, what is noted, what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.archive import Limits
from gtfs.checks.notices import Notice, Notices
from gtfs.encoding import first_bad_row, guess_encoding, is_utf8
from gtfs.raw import RawTable
from gtfs.table_reading import read_table

LIMITS = Limits(rows=1000, columns=50, value=200)


def read(content: str | bytes) -> tuple[RawTable | None, list[Notice]]:
    notices = Notices()
    raw = content.encode() if isinstance(content, str) else content
    table = read_table("stops.txt", raw, LIMITS, notices)
    return table, [notice for group in notices.report("x").groups for notice in group.notices]


def read_good(content: str | bytes) -> RawTable:
    table, notices = read(content)
    assert notices == []
    assert table is not None
    return table


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_any_line_end_and_a_byte_order_mark_are_read(end: str, mark: str) -> None:
    table = read_good(mark + end.join(["stop_id,stop_name", "C,Praça", "M,Mercado", ""]))
    assert table.header == ("stop_id", "stop_name")
    assert table.column("stop_name") == ["Praça", "Mercado"]
    assert list(table.rows) == [2, 3]


def test_words_that_mean_missing_elsewhere_are_text() -> None:
    assert read_good("stop_id\nNA\nnull\nNone\n0\n").column("stop_id") == ["NA", "null", "None", "0"]


def test_column_that_is_absent_is_blank() -> None:
    table = read_good("stop_id\nC\nM\n")
    assert table.column("stop_code") == ["", ""]
    assert "stop_code" not in table
    assert len(table) == 2


def test_quoted_commas_and_quotes_are_kept() -> None:
    assert read_good('stop_id,stop_name\nC,"Rua A, ""Praça"""\n').column("stop_name") == ['Rua A, "Praça"']


def test_short_and_long_rows_are_noted_and_fitted() -> None:
    table, notices = read("stop_id,stop_name,stop_code\nC,Centro\nM,Mercado,2,sobra,mais\nE,Escola,3\n")
    assert table is not None
    assert table.column("stop_code") == ["", "2", "3"]
    assert [(notice.code, notice.row) for notice in notices] == [
        ("invalid_row_length", 2),
        ("invalid_row_length", 3),
    ]


def test_blank_rows_are_noted_and_later_rows_keep_their_number() -> None:
    table, notices = read("stop_id,stop_name\n\nC,Centro\n , \n")
    assert table is not None
    assert list(table.rows) == [3]
    assert [(notice.code, notice.row) for notice in notices] == [("empty_row", 2), ("empty_row", 4)]


def test_outer_spaces_are_noted_and_dropped_everywhere_they_occur() -> None:
    table, notices = read("stop_id, stop_name\nC, Centro \nM,Mercado\nX, Centro \n")
    assert table is not None
    assert table.column("stop_name") == ["Centro", "Mercado", "Centro"]
    assert [(notice.code, notice.row, notice.field) for notice in notices] == [
        ("leading_or_trailing_whitespaces", 2, "stop_name"),
        ("leading_or_trailing_whitespaces", 4, "stop_name"),
    ]


@pytest.mark.parametrize(
    ("content", "code", "row"),
    [
        ('stop_id,stop_name\nC,"Rua\nA"\n', "new_line_in_value", 2),
        ("stop_id,stop_name\nC,Pra\ufffda\n", "invalid_character", 2),
        (b"stop_id,stop_name\nC,Cen\x00tro\n", "null_character", None),
        ("stop_id,stop_name,stop_id\nC,Centro,Z\n", "duplicated_column", 1),
        ("stop_id,stop_name,\nC,Centro,\n", "empty_column_name", 1),
        ("", "empty_file", None),
    ],
)
def test_oddities_are_noted_and_the_file_is_read(content: str | bytes, code: str, row: int | None) -> None:
    table, notices = read(content)
    assert table is not None
    assert [(notice.code, notice.row, notice.severity) for notice in notices] == [(code, row, "warning")]


def test_first_of_two_columns_with_one_name_counts() -> None:
    table, _ = read("stop_id,stop_id\nC,Z\n")
    assert table is not None
    assert table.column("stop_id") == ["C"]


def test_null_characters_are_dropped() -> None:
    table, _ = read(b"stop_id,stop_name\nC,Cen\x00tro\n")
    assert table is not None
    assert table.column("stop_name") == ["Centro"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("stop_id," * 60 + "\n", "too_many_columns"),
        ("stop_id\n" + "C\n" * 1001, "too_many_rows"),
        ("stop_id\n" + "C" * 201 + "\n", "value_too_long"),
        ("C" * 201 + "\n", "value_too_long"),
        ('stop_id\n"' + "C\n" * 100_000, "csv_parsing_failed"),
    ],
)
def test_files_over_a_limit_are_refused(content: str, code: str) -> None:
    notices = Notices()
    read_table("stops.txt", content.encode(), LIMITS, notices)
    assert notices.refused
    assert code in {group.code for group in notices.report("x").groups}


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("latin-1", "Windows-1252 (Latin-1)"),
        ("cp1252", "Windows-1252 (Latin-1)"),
        ("cp850", "CP850 (MS-DOS)"),
        ("mac_roman", "Mac Roman"),
        ("utf-16", "UTF-16"),
    ],
)
def test_other_encodings_are_refused_by_name_and_row(encoding: str, name: str) -> None:
    table, notices = read("stop_id,stop_name\nM,Mercado\nP,Praça São João é à direita\n".encode(encoding))
    assert table is None
    (notice,) = notices
    assert notice.code == "not_utf8"
    assert name in notice.message_pt
    assert notice.row == (1 if encoding == "utf-16" else 3)


def test_utf16_without_a_mark_is_recognised_by_its_zeros() -> None:
    content = "stop_id,stop_name\nC,Centro\n".encode("utf-16-le")
    assert not is_utf8(content)
    assert guess_encoding(content) == "UTF-16"


def test_first_bad_row_of_a_good_file_is_its_first() -> None:
    assert first_bad_row(b"a\nb\n") == 1


@given(st.binary(max_size=300))
def test_no_content_raises(content: bytes) -> None:
    read(content)


@given(st.lists(st.lists(st.text(st.characters(codec="utf-8"), max_size=5), max_size=4), max_size=6))
def test_no_rows_raise_and_columns_stay_equally_long(rows: list[list[str]]) -> None:
    text = "stop_id,stop_name\n" + "\n".join(",".join(row) for row in rows)
    table, _ = read(text)
    if table is not None:
        assert {len(column) for column in table.columns.values()} <= {len(table)}
