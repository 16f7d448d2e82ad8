"""Zips with files replaced: everything else stays byte for byte."""

import io
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.importing import prepare_feed
from gtfs.repacking import replace_files
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import TODAY
from tests.gtfs.real_feeds import FEEDS, demand_feed

FARES = {"fare_attributes.txt": b"fare_id,price\nA,4.50\n", "fare_rules.txt": b"fare_id\nA\n"}


def streamed() -> bytes:
    """A zip written without going back: its sizes stand behind the data."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.written = b""

        def writable(self) -> bool:
            return True

        def write(self, content: object) -> int:
            self.written += bytes(content)  # type: ignore[call-overload]
            return len(bytes(content))  # type: ignore[call-overload]

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in small.FILES.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 12, 30, 0)), text)
    return pipe.written


def odd() -> bytes:
    """A zip with what feeds have besides: comments, stored members, long sizes, folders, names with accents."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = b"da prefeitura"
        stored = zipfile.ZipInfo("agency.txt", (1999, 12, 31, 23, 59, 58))
        stored.comment, stored.external_attr = b"um", 0o644 << 16
        archive.writestr(stored, small.AGENCY)
        archive.writestr("pasta/", "")
        archive.writestr("leia-me não é GTFS.txt", "ção", zipfile.ZIP_DEFLATED)
        with archive.open("shapes.txt", "w", force_zip64=True) as long:
            long.write(small.SHAPES.encode())
        archive.writestr("fare_rules.txt", "fare_id\nVELHA\n", zipfile.ZIP_BZIP2)
    return buffer.getvalue()


def members(raw: bytes) -> dict[str, tuple[object, ...]]:
    """What is known of each member, and its data as compressed."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert archive.testzip() is None
        return {
            info.filename: (
                info.date_time,
                info.compress_type,
                info.CRC,
                info.file_size,
                info.comment,
                info.external_attr,
                archive.read(info),
                data(raw, info),
            )
            for info in archive.infolist()
        }


def data(raw: bytes, info: zipfile.ZipInfo) -> bytes:
    """The compressed data of a member."""
    name, extra = raw[info.header_offset + 26 :][:2], raw[info.header_offset + 28 :][:2]
    start = info.header_offset + 30 + int.from_bytes(name, "little") + int.from_bytes(extra, "little")
    return raw[start : start + info.compress_size]


@pytest.mark.parametrize("make", [small.small_feed, streamed, odd])
def test_other_members_stay_as_they_are(make: object) -> None:
    assert callable(make)
    raw: bytes = make()
    before, after = members(raw), members(replace_files(raw, FARES))
    assert list(after) == [*before, *(name for name in FARES if name not in before)]
    for name, known in before.items():
        if name not in FARES:
            assert after[name] == known
    for name, content in FARES.items():
        assert after[name][-2] == content


def test_comment_of_the_zip_stays() -> None:
    with zipfile.ZipFile(io.BytesIO(replace_files(odd(), FARES))) as archive:
        assert archive.comment == b"da prefeitura"


def test_without_files_it_is_the_very_same_zip() -> None:
    assert replace_files(odd(), {}) == odd()


def test_same_arguments_give_the_same_bytes_in_whatever_order() -> None:
    backwards = dict(reversed(FARES.items()))
    assert replace_files(small.small_feed(), FARES) == replace_files(small.small_feed(), backwards)


def test_replacing_again_is_replacing_once() -> None:
    once = replace_files(odd(), FARES)
    assert replace_files(once, FARES) == once


def test_zip_behind_other_bytes_is_read_too() -> None:
    assert replace_files(b"#!/bin/sh\n" + small.small_feed(), FARES) == replace_files(small.small_feed(), FARES)


@pytest.mark.parametrize("raw", [b"", b"PK", small.small_feed()[:-30]])
def test_what_is_no_zip_is_refused(raw: bytes) -> None:
    with pytest.raises(zipfile.BadZipFile):
        replace_files(raw, FARES)


@given(
    st.dictionaries(st.from_regex(r"[a-zç_]{1,12}\.txt", fullmatch=True), st.binary(max_size=300), max_size=6),
    st.dictionaries(st.from_regex(r"[a-zç_]{1,12}\.txt", fullmatch=True), st.binary(max_size=300), max_size=6),
)
def test_any_files_are_replaced_and_added(old: dict[str, bytes], new: dict[str, bytes]) -> None:
    made = replace_files(small.zip_files(old), new)
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {**old, **new}
        assert len(archive.namelist()) == len({**old, **new})


@pytest.mark.parametrize("name", FEEDS)
def test_real_feed_with_fares_keeps_every_other_file(name: str) -> None:
    raw = demand_feed(name)
    before, after = members(raw), members(replace_files(raw, FARES))
    assert {k: v for k, v in before.items() if k not in FARES} == {
        k: v for k, v in after.items() if k not in FARES
    }


def test_feed_with_fares_is_read_as_any_other() -> None:
    files = {"fare_attributes.txt": b"fare_id,price,currency_type,payment_method,transfers\nA,4.50,BRL,0,\n"}
    prepared = prepare_feed(replace_files(small.small_feed(), files), "vila.zip", TODAY)
    assert prepared.report.accepted
    assert zlib.crc32(files["fare_attributes.txt"])
