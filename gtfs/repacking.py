"""A zip with some files replaced or added and all others as they are, byte for byte."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_LOCAL, _CENTRAL, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_LOCAL_FORM, _CENTRAL_FORM, _END_FORM = "<4s5H3L2H", "<4s6H3L5H2L", "<4s4H2LH"
_LOCAL_LENGTH = struct.calcsize(_LOCAL_FORM)
_VERSION = 20
_DESCRIPTOR_FOLLOWS = 0x08
_UTF8 = 0x800
_FIRST_DAY_OF_ZIP = 0x21
"""1980-01-01, the earliest date a zip can write: files of ours have no date, so that the same content is the same
zip."""
_ZIP64_FIELD = 1


@dataclass(frozen=True, slots=True)
class _Member:
    """A file of the zip to be written: the fields of its headers (APPNOTE.TXT, 4.3.7 and 4.3.12) and its data."""

    name: bytes
    flags: int
    method: int
    time: int
    date: int
    checksum: int
    size: int
    data: bytes
    extra: bytes = b""
    comment: bytes = b""
    made_by: int = _VERSION
    needs: int = _VERSION
    internal: int = 0
    external: int = 0


def replace_files(archive: bytes, files: Mapping[str, bytes | None]) -> bytes:
    """The zip with `files` (name -> content) in place of its own of the same name, new ones at its end by name.

    A content of None leaves the file out. Everything else is copied as it is compressed: unknown files, names,
    dates, comments. Without `files` it is the very same zip; the same arguments give the same bytes. Raises
    zipfile.BadZipFile when `archive` is no zip.
    """
    if not files:
        return archive
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        infos, comment = opened.infolist(), opened.comment
    left = {name: content for name, content in files.items() if content is not None}
    members = [
        _make(info.filename, left.pop(info.filename)) if info.filename in left else _copy(archive, info)
        for info in infos
        if info.filename in left or info.filename not in files
    ]
    members += [_make(name, content) for name, content in sorted(left.items())]
    return _write(members, comment)


def _copy(archive: bytes, info: zipfile.ZipInfo) -> _Member:
    """A member with its data as they are; the local header tells where they begin."""
    header = struct.unpack_from(_LOCAL_FORM, archive, info.header_offset)
    if header[0] != _LOCAL:
        raise zipfile.BadZipFile(f"{info.filename}: no local header")
    name_end = info.header_offset + _LOCAL_LENGTH + header[9]
    start = name_end + header[10]
    data = archive[start : start + info.compress_size]
    if len(data) != info.compress_size:
        raise zipfile.BadZipFile(f"{info.filename}: cut off")
    return _Member(
        name=archive[info.header_offset + _LOCAL_LENGTH : name_end],
        flags=info.flag_bits & ~_DESCRIPTOR_FOLLOWS,
        method=info.compress_type,
        time=header[4],
        date=header[5],
        checksum=info.CRC,
        size=info.file_size,
        data=data,
        extra=_without_zip64(info.extra),
        comment=info.comment,
        made_by=info.create_system << 8 | info.create_version,
        needs=info.extract_version,
        internal=info.internal_attr,
        external=info.external_attr,
    )


def _make(name: str, content: bytes) -> _Member:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = packer.compress(content) + packer.flush()
    return _Member(
        name=name.encode(),
        flags=0 if name.isascii() else _UTF8,
        method=zipfile.ZIP_DEFLATED,
        time=0,
        date=_FIRST_DAY_OF_ZIP,
        checksum=zlib.crc32(content),
        size=len(content),
        data=data,
    )


def _write(members: Iterable[_Member], comment: bytes) -> bytes:
    written, directory, count = bytearray(), bytearray(), 0
    for one in members:
        common = (one.flags, one.method, one.time, one.date, one.checksum, len(one.data), one.size, len(one.name))
        directory += struct.pack(
            _CENTRAL_FORM, _CENTRAL, one.made_by, one.needs, *common,
            len(one.extra), len(one.comment), 0, one.internal, one.external, len(written),
        )  # fmt: skip
        directory += one.name + one.extra + one.comment
        written += struct.pack(_LOCAL_FORM, _LOCAL, one.needs, *common, 0) + one.name + one.data
        count += 1
    end = struct.pack(_END_FORM, _END, 0, 0, count, count, len(directory), len(written), len(comment))
    return bytes(written + directory + end + comment)


def _without_zip64(extra: bytes) -> bytes:
    """The extra fields of a member but for the long sizes, which are not needed below 4 GB."""
    kept, at = b"", 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind != _ZIP64_FIELD:
            kept += extra[at : at + 4 + length]
        at += 4 + length
    return kept
