"""Files that people, phones and attackers send, made here: what each is and the most that may become of it."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator

from PIL import Image
from pillow_heif import register_heif_opener

from complaints.cases.evidence_types import MAX_BYTES, MAX_RECORDING_BYTES

register_heif_opener()

SECRET = b"22.9194 S 42.8186 W secret place"
_ORIENTATION, _GPS, _LATITUDE, _MAKE = 0x0112, 0x8825, 2, 0x010F
_WRITABLE = {"JPEG": {"quality": 90}, "PNG": {}, "WEBP": {"quality": 80}, "HEIF": {"quality": 60}}


def photo(kind: str = "JPEG", size: tuple[int, int] = (400, 300), mode: str = "RGB", **extra: object) -> bytes:
    """A picture with a position and a camera in its metadata, lying on its side."""
    picture = Image.new(mode, size)
    exif = picture.getexif()
    exif[_ORIENTATION] = 6
    exif[_MAKE] = SECRET.decode()
    exif.get_ifd(_GPS)[_LATITUDE] = (22.0, 55.0, 9.8)
    file = io.BytesIO()
    picture.save(file, kind, exif=exif, **{**_WRITABLE.get(kind, {}), **extra})
    return file.getvalue()


def awkward_files() -> dict[str, bytes]:
    """Some seventy files by name; none may be served as it came, and none may stop the process that reads it."""
    return {**dict(_cut_and_bent()), **dict(_odd_pictures()), **dict(_not_pictures()), **dict(_recordings())}


def _cut_and_bent() -> Iterator[tuple[str, bytes]]:
    for kind in _WRITABLE:
        whole = photo(kind)
        yield f"{kind} whole", whole
        for part in (0.02, 0.3, 0.7, 0.95):
            yield f"{kind} cut at {part:.0%}", whole[: max(16, int(len(whole) * part))]
        yield (
            f"{kind} with bits turned",
            bytes(b ^ 0x55 if i > 64 and i % 7 == 0 else b for i, b in enumerate(whole)),
        )
        yield f"{kind} followed by a web page", whole + b"<script>alert('" + SECRET + b"')</script>"
        yield f"{kind} followed by a zip", whole + _zip()
        yield f"{kind} start and zeros", whole[:32] + bytes(5000)


def _odd_pictures() -> Iterator[tuple[str, bytes]]:
    yield "png bomb", _saved(Image.new("1", (20_000, 20_000)), "PNG")
    yield "png that claims a million by a million", _png_claiming(1_000_000, 1_000_000)
    yield "png of no size", _png_claiming(0, 0)
    yield "png with a text bomb", _png_with_chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(40_000_000)))
    yield "png 16 bits", _saved(Image.new("I;16", (40, 40)), "PNG")
    yield "png of a palette with holes", _saved(Image.new("P", (40, 40)), "PNG", transparency=0)
    yield (
        "png that moves",
        _saved(Image.new("RGB", (8, 8)), "PNG", save_all=True, append_images=[Image.new("RGB", (8, 8))]),
    )
    yield (
        "webp that moves",
        _saved(Image.new("RGB", (8, 8)), "WEBP", save_all=True, append_images=[Image.new("RGB", (8, 8), "red")]),
    )
    yield "jpeg of four inks", _saved(Image.new("CMYK", (40, 40)), "JPEG")
    yield "jpeg in grey", _saved(Image.new("L", (40, 40)), "JPEG")
    yield "jpeg in passes", photo(progressive=True)
    yield "jpeg with a comment and xmp", photo(comment=SECRET, xmp=SECRET)
    yield "jpeg with a place in its colours", photo(icc_profile=SECRET * 50)
    yield "jpeg of one pixel", photo(size=(1, 1))
    yield "jpeg one pixel high", photo(size=(60_000, 1))
    yield "tiff", _saved(Image.new("RGB", (8, 8)), "TIFF")
    yield "gif", _saved(Image.new("P", (8, 8)), "GIF")
    yield "bmp", _saved(Image.new("RGB", (8, 8)), "BMP")
    yield "ico", _saved(Image.new("RGB", (16, 16)), "ICO")


def _not_pictures() -> Iterator[tuple[str, bytes]]:
    yield "empty", b""
    yield "one byte", b"\xff"
    yield "text", "isto não é uma foto".encode()
    yield "svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"
    yield "web page", b"<!doctype html><script>alert(1)</script>"
    yield "script", b"#!/bin/sh\nrm -rf /"
    yield "program", b"MZ" + bytes(400)
    yield "zip", _zip()
    yield "document of an office", _zip("word/document.xml")
    yield "postscript", b"%!PS-Adobe-3.0"
    yield "jpeg start only", b"\xff\xd8\xff\xe0" + bytes(40)
    yield "jpeg too large", b"\xff\xd8\xff" + bytes(MAX_BYTES)
    yield "pdf", b"%PDF-1.7\n/JavaScript (app.alert(1))" + SECRET
    yield "pdf too large", b"%PDF-1.7" + bytes(MAX_BYTES)
    yield "pdf behind other bytes", b"junk" + b"%PDF-1.7"


def _recordings() -> Iterator[tuple[str, bytes]]:
    for brand in (b"isom", b"mp42", b"qt  ", b"3gp4", b"M4A ", b"avif", b"crx "):
        yield f"recording of {brand.decode()!r}", _box(b"ftyp", brand + bytes(8)) + SECRET
    yield "voice of a messenger", b"OggS\0\2" + bytes(20) + b"OpusHead" + SECRET
    yield "mp3", b"ID3\4\0\0" + SECRET
    yield "mp3 without tags", b"\xff\xfb\x90\x00" + SECRET
    yield "aac", b"\xff\xf1\x50\x80" + SECRET
    yield "amr", b"#!AMR\n" + SECRET
    yield "wav", b"RIFF\x24\0\0\0WAVEfmt " + SECRET
    yield "webm", b"\x1aE\xdf\xa3" + SECRET
    yield "a list of another riff", b"RIFF\x24\0\0\0AVI LIST" + SECRET
    yield "video too large", _box(b"ftyp", b"isom" + bytes(8)) + bytes(MAX_RECORDING_BYTES)


def _saved(picture: Image.Image, kind: str, **extra: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **extra)
    return file.getvalue()


def _box(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content) + 8) + name + content


def _zip(name: str = "a.txt") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, SECRET)
    return file.getvalue()


def _png_claiming(width: int, height: int) -> bytes:
    return _png(struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0), b"")


def _png_with_chunk(name: bytes, content: bytes) -> bytes:
    return _png(struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0), _chunk(name, content), zlib.compress(bytes(25 * 8)))


def _png(header: bytes, more: bytes, pixels: bytes = b"") -> bytes:
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + more + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
