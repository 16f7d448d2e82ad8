"""Parts of files, as RFC 9110 has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.ranges import MOST_PARTS, Part, Unsatisfiable, may_send_part, read_ranges

SIZE = 1000


@pytest.mark.parametrize(
    ("header", "parts"),
    [
        (None, ()),
        ("", ()),
        ("bytes=0-499", ((0, 500),)),
        ("bytes=500-", ((500, 500),)),
        ("bytes=-1", ((999, 1),)),
        ("bytes=-5000", ((0, 1000),)),
        ("bytes=0-0", ((0, 1),)),
        ("bytes=990-2000", ((990, 10),)),
        ("BYTES = 0-9", ((0, 10),)),
        ("bytes=0-9, 20-29 ,-10", ((0, 10), (20, 10), (990, 10))),
        ("bytes=20-29,0-9", ((20, 10), (0, 10))),
        ("bytes=0-9,5000-", ((0, 10),)),
        ("lines=0-9", ()),
        ("bytes=", ()),
        ("bytes=9-0", ()),
        ("bytes=a-b", ()),
        ("bytes=--1", ()),
        ("bytes=0-9;20-29", ()),
        ("bytes=٠-٩", ()),
    ],
)
def test_header_is_read(header: str | None, parts: tuple[tuple[int, int], ...]) -> None:
    assert read_ranges(header, SIZE) == tuple(Part(*one) for one in parts)


@pytest.mark.parametrize(
    "header",
    [
        "bytes=1000-",
        "bytes=5000-6000",
        "bytes=-0",
        "bytes=0-9,5-14",
        "bytes=0-,-1",
        "bytes=" + ",".join(f"{start}-{start}" for start in range(MOST_PARTS + 1)),
    ],
)
def test_what_is_not_there_or_too_much_is_refused(header: str) -> None:
    with pytest.raises(Unsatisfiable):
        read_ranges(header, SIZE)


def test_empty_file_has_no_part() -> None:
    with pytest.raises(Unsatisfiable):
        read_ranges("bytes=0-", 0)


@given(st.text(alphabet="0123456789-,= bytes", max_size=30), st.integers(0, 2000))
def test_no_header_makes_a_part_outside_the_file(header: str, size: int) -> None:
    for text in (header, f"bytes={header}"):
        try:
            parts = read_ranges(text, size)
        except Unsatisfiable:
            continue
        assert all(part.start >= 0 and part.length > 0 and part.start + part.length <= size for part in parts)


@pytest.mark.parametrize(
    ("if_range", "may"),
    [
        (None, True),
        ('"a"', True),
        (' "a" ', True),
        ('"b"', False),
        ('W/"a"', False),
        ("Mon, 30 Nov 2026 15:00:00 GMT", True),
        ("Mon, 30 Nov 2026 16:00:00 GMT", False),
        ("", False),
    ],
)
def test_part_is_sent_only_of_the_very_same_file(if_range: str | None, may: bool) -> None:
    assert may_send_part(if_range, '"a"', "Mon, 30 Nov 2026 15:00:00 GMT") is may


def test_date_says_nothing_of_a_file_without_one() -> None:
    assert not may_send_part("Mon, 30 Nov 2026 15:00:00 GMT", '"a"', None)
