"""The zip a feed comes in: what it may hold, how much of it, and its files one by one."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Self

from gtfs.checks.notices import Finding, Notices
from gtfs.specification import load_specification

MEGABYTE = 1024 * 1024

_CENTRAL_HEADER = b"PK\x01\x02"
_LOCAL_HEADER = b"PK\x03\x04"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_FAULTS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, OSError,
           ValueError)  # fmt: skip
_JUNK = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
_CHUNK = MEGABYTE


SMALL = 16 * MEGABYTE
"""Most bytes of a file that is read whole, being no table."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a feed may have at most; sizes in bytes, `ratio` is content over compressed size."""

    archive: int = 64 * MEGABYTE
    content: int = 300 * MEGABYTE
    files: int = 100
    ratio: int = 200
    rows: int = 3_000_000
    columns: int = 200
    value: int = 4_000
    """Characters in one cell."""


class Archive:
    """An open zip that keeps the limits; close it, or use it as a context manager."""

    def __init__(self, archive: zipfile.ZipFile, limits: Limits, notices: Notices) -> None:
        self._archive = archive
        self._limits = limits
        self._notices = notices
        self._files = [member for member in archive.infolist() if not member.filename.endswith("/")]
        self.members = tuple(member.filename for member in self._files)
        """The names of all files, of the standard or not."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    def read_files(self) -> Iterator[tuple[str, bytes]]:
        """Yield (name, content) of each file of the standard at the root; damaged ones go to the notices."""
        left = self._limits.content
        for member in _choose(self._files, self._notices):
            content = _read(self._archive, member, left, self._limits, self._notices)
            if content is not None:
                left -= len(content)
                yield member.filename, content

    def read_file(self, name: str) -> bytes | None:
        """A small file at the root that is no table; None when it is absent, too big or damaged."""
        for member in self._files:
            if member.filename == name and member.file_size <= SMALL:
                return _read(self._archive, member, SMALL, self._limits, self._notices)
        return None


def open_archive(raw: bytes, name: str, limits: Limits, notices: Notices) -> Archive | None:
    """The zip `name`; None when it cannot be opened or breaks a limit. Never raises: faults go to `notices`."""
    archive = _open(raw, name, limits, notices)
    if archive is None:
        return None
    if _within_limits(archive.infolist(), name, limits, notices):
        return Archive(archive, limits, notices)
    archive.close()
    return None


def _open(raw: bytes, name: str, limits: Limits, notices: Notices) -> zipfile.ZipFile | None:
    """The headers are counted before the zip's list of files is built, which costs memory for each."""
    if len(raw) > limits.archive:
        notices.add("archive_too_large", Finding(name, other=str(limits.archive // MEGABYTE)))
        return None
    count = raw.count(_CENTRAL_HEADER)
    if count > 2 * limits.files:
        notices.add("too_many_files", Finding(name, value=str(count), other=str(limits.files)))
        return None
    try:
        return zipfile.ZipFile(io.BytesIO(raw))
    except _FAULTS:
        if raw.startswith(_LOCAL_HEADER):
            notices.add("damaged_zip", Finding(name, other="falta o fim do arquivo"))
        else:
            notices.add("not_a_zip", Finding(name))
        return None


def _within_limits(members: list[zipfile.ZipInfo], name: str, limits: Limits, notices: Notices) -> bool:
    """Judge the zip by its list of files alone, before anything is decompressed."""
    if len(members) > limits.files:
        notices.add("too_many_files", Finding(name, value=str(len(members)), other=str(limits.files)))
    if sum(member.file_size for member in members) > limits.content:
        notices.add("content_too_large", Finding(name, other=str(limits.content // MEGABYTE)))
    seen: set[str] = set()
    for member in members:
        _judge(member, name, limits, notices)
        if member.filename in seen:
            notices.add("duplicate_file_name", Finding(member.filename))
        seen.add(member.filename)
    return not notices.refused


def _judge(member: zipfile.ZipInfo, name: str, limits: Limits, notices: Notices) -> None:
    file = member.filename
    path = PurePosixPath(file)
    if path.is_absolute() or ".." in path.parts or "\\" in file or ":" in file:
        notices.add("unsafe_file_name", Finding(name, value=file))
    if member.flag_bits & 1:
        notices.add("encrypted_file", Finding(file))
    ratio = member.file_size // max(member.compress_size, 1)
    if member.file_size > MEGABYTE and ratio > limits.ratio:
        notices.add("suspicious_compression", Finding(file, value=str(ratio)))


def _choose(members: list[zipfile.ZipInfo], notices: Notices) -> Iterator[zipfile.ZipInfo]:
    """The members that are files of the standard, at the root; the others are named in a notice."""
    for member in members:
        path = PurePosixPath(member.filename)
        if any(part in _JUNK or part.startswith("._") for part in path.parts):
            notices.add("junk_file", Finding(member.filename, value=member.filename))
        elif len(path.parts) > 1:
            notices.add("invalid_input_files_in_subfolder", Finding(member.filename, value=member.filename))
        elif member.filename in load_specification():
            yield member
        elif member.filename != "locations.geojson":
            notices.add("unknown_file", Finding(member.filename))


def _read(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, left: int, limits: Limits, notices: Notices
) -> bytes | None:
    """The content, counted while it is decompressed; the checksum is compared at its end."""
    if member.compress_type not in _METHODS:
        notices.add("unreadable_file", Finding(member.filename, other="método de compressão desconhecido"))
        return None
    content = bytearray()
    try:
        with archive.open(member) as stream:
            while chunk := stream.read(_CHUNK):
                content += chunk
                if len(content) > left:
                    limit = str(limits.content // MEGABYTE)
                    notices.add("content_too_large", Finding(member.filename, other=limit))
                    return None
    except _FAULTS:
        notices.add("unreadable_file", Finding(member.filename, other="o conteúdo não confere com o zip"))
        return None
    return bytes(content)
