"""Zips that are none, are damaged or hostile: each refused by a notice, none by an exception."""

import io
import struct
import zipfile
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.archive import Limits
from gtfs.checking import check_feed
from gtfs.checks.notices import Report
from tests.gtfs.small_feed import FILES, small_feed, zip_files

TODAY = date(2026, 11, 30)


def judge(raw: bytes, limits: Limits | None = None) -> Report:
    return check_feed(raw, "vila.zip", TODAY, limits)


def error_codes(report: Report) -> list[str]:
    return [group.code for group in report.groups if group.severity == "error"]


def codes(report: Report) -> set[str]:
    return {group.code for group in report.groups}


def patch_central(raw: bytes, name: str, offset: int, format_: str, value: int) -> bytes:
    """Change one number in the zip's list of files; offsets as in the zip specification, 4.3.12."""
    patched = bytearray(raw)
    place = raw.index(b"PK\x01\x02")
    while patched[place + 46 : place + 46 + len(name)] != name.encode():
        place = raw.index(b"PK\x01\x02", place + 4)
    struct.pack_into(format_, patched, place + offset, value)
    return bytes(patched)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "not_a_zip"),
        (b"stop_id,stop_name\nC,Centro\n", "not_a_zip"),
        (small_feed()[:-30], "damaged_zip"),
        (small_feed()[:200], "damaged_zip"),
    ],
)
def test_what_is_no_whole_zip_is_refused(raw: bytes, code: str) -> None:
    report = judge(raw)
    assert error_codes(report) == [code]
    assert report.groups[0].notices[0].file == "vila.zip"


def test_archive_over_its_limit_is_refused_unopened() -> None:
    assert error_codes(judge(small_feed(), Limits(archive=100))) == ["archive_too_large"]


def test_too_many_files_are_refused() -> None:
    files = {**FILES, **{f"extra{number}.txt": "a\n" for number in range(30)}}
    assert error_codes(judge(zip_files(files), Limits(files=30))) == ["too_many_files"]
    assert error_codes(judge(zip_files(files), Limits(files=10))) == ["too_many_files"]
    assert judge(zip_files(files), Limits(files=39)).accepted


def test_content_over_the_limit_is_refused_by_what_the_zip_declares() -> None:
    assert error_codes(judge(small_feed(), Limits(content=500))) == ["content_too_large"]


def test_content_is_also_counted_while_it_is_read() -> None:
    big = "C,101,Centro,-22.9,-42.8,0,\n" * 40
    raw = zip_files({**FILES, "stops.txt": big})
    lying = patch_central(raw, "stops.txt", 24, "<I", 10)
    report = judge(lying, Limits(content=1_700))
    assert not report.accepted
    assert error_codes(report)[0] in ("content_too_large", "unreadable_file")


def test_bomb_is_refused_by_its_ratio() -> None:
    raw = zip_files({**FILES, "shapes.txt": "shape_id\n" + "0" * 5_000_000})
    assert error_codes(judge(raw)) == ["suspicious_compression"]


@pytest.mark.parametrize(
    "name", ["../stops.txt", "/etc/stops.txt", "a/../../b.txt", "..\\stops.txt", "C:stops.txt"]
)
def test_names_that_leave_the_archive_are_refused(name: str) -> None:
    assert error_codes(judge(zip_files({**FILES, name: "x"}))) == ["unsafe_file_name"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_are_refused() -> None:
    buffer = io.BytesIO(small_feed())
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("stops.txt", "stop_id\n")
    assert error_codes(judge(buffer.getvalue())) == ["duplicate_file_name"]


def test_password_is_refused() -> None:
    assert error_codes(judge(patch_central(small_feed(), "stops.txt", 8, "<H", 1))) == ["encrypted_file"]


def test_unknown_compression_is_refused() -> None:
    raw = patch_central(small_feed(), "stops.txt", 10, "<H", zipfile.ZIP_LZMA)
    assert "unreadable_file" in error_codes(judge(raw))


def test_wrong_checksum_is_refused_and_names_the_file() -> None:
    report = judge(patch_central(small_feed(), "stops.txt", 16, "<I", 12345))
    (group,) = (group for group in report.groups if group.code == "unreadable_file")
    assert group.notices[0].file == "stops.txt"
    assert "missing_required_file" not in codes(report)


def test_junk_of_the_system_that_made_the_zip_is_ignored() -> None:
    report = judge(zip_files({**FILES, "__MACOSX/._stops.txt": b"\x00\x05", ".DS_Store": b"\x00"}))
    assert report.accepted
    assert "junk_file" in codes(report)


def test_files_inside_a_folder_are_named_and_then_missing() -> None:
    report = judge(zip_files({f"vila/{name}": text for name, text in FILES.items()}))
    assert not report.accepted
    assert {"invalid_input_files_in_subfolder", "missing_required_file"} <= codes(report)


def test_files_outside_the_standard_are_named_and_ignored() -> None:
    report = judge(zip_files({**FILES, "Stops.txt": "x", "leia-me.pdf": b"%PDF"}))
    assert report.accepted
    assert "unknown_file" in codes(report)


def test_empty_zip_lacks_everything() -> None:
    assert error_codes(judge(zip_files({}))) == [
        "missing_required_file",
        "missing_calendar_and_calendar_date_files",
    ]


CUTS: list[Callable[[bytes, int, int], bytes]] = [
    lambda raw, place, byte: raw[:place] + bytes([byte]) + raw[place + 1 :],
    lambda raw, place, byte: raw[:place],
    lambda raw, place, byte: raw[:place] + raw[place + byte :],
]


def test_a_file_whose_name_is_empty_raises_nothing() -> None:
    raw = small_feed()
    place = raw.index(b"PK\x01\x02") + 46
    judge(raw[:place] + b"\x00" + raw[place + 1 :])


@given(st.integers(0, len(small_feed()) - 1), st.integers(0, 255), st.sampled_from(CUTS))
def test_no_damage_to_the_bytes_raises(place: int, byte: int, cut: Callable[[bytes, int, int], bytes]) -> None:
    judge(cut(small_feed(), place, byte))


@given(st.binary(max_size=400))
def test_no_bytes_raise(raw: bytes) -> None:
    judge(raw)
