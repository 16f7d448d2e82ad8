"""What a file is, by its first bytes: its name and the type its sender claims are never believed."""

from dataclasses import dataclass

MAX_BYTES = 10 * 1024 * 1024
MAX_RECORDING_BYTES = 25 * 1024 * 1024


@dataclass(frozen=True)
class FileType:
    """A type that is accepted: `label` for people; a `photo` has a cleaned copy, the others are only sealed."""

    media_type: str
    ending: str
    label: str
    photo: bool = False
    max_bytes: int = MAX_BYTES


_JPEG = FileType("image/jpeg", "jpg", "foto", photo=True)
_PNG = FileType("image/png", "png", "foto", photo=True)
_WEBP = FileType("image/webp", "webp", "foto", photo=True)
_HEIC = FileType("image/heic", "heic", "foto", photo=True)
_PDF = FileType("application/pdf", "pdf", "documento PDF")
_OGG = FileType("audio/ogg", "ogg", "áudio", max_bytes=MAX_RECORDING_BYTES)
_MP3 = FileType("audio/mpeg", "mp3", "áudio", max_bytes=MAX_RECORDING_BYTES)
_AMR = FileType("audio/amr", "amr", "áudio", max_bytes=MAX_RECORDING_BYTES)
_WAV = FileType("audio/wav", "wav", "áudio", max_bytes=MAX_RECORDING_BYTES)
_M4A = FileType("audio/mp4", "m4a", "áudio", max_bytes=MAX_RECORDING_BYTES)
_AAC = FileType("audio/aac", "aac", "áudio", max_bytes=MAX_RECORDING_BYTES)
_MP4 = FileType("video/mp4", "mp4", "vídeo", max_bytes=MAX_RECORDING_BYTES)
_MOV = FileType("video/quicktime", "mov", "vídeo", max_bytes=MAX_RECORDING_BYTES)
_3GP = FileType("video/3gpp", "3gp", "vídeo", max_bytes=MAX_RECORDING_BYTES)
_WEBM = FileType("video/webm", "webm", "vídeo", max_bytes=MAX_RECORDING_BYTES)

_STARTS = (
    (b"\xff\xd8\xff", _JPEG),
    (b"\x89PNG\r\n\x1a\n", _PNG),
    (b"%PDF-", _PDF),
    (b"OggS", _OGG),
    (b"ID3", _MP3),
    (b"#!AMR", _AMR),
    (b"\x1aE\xdf\xa3", _WEBM),
)
_RIFF = {b"WEBP": _WEBP, b"WAVE": _WAV}
_BRANDS = {
    **dict.fromkeys((b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"), _HEIC),
    **dict.fromkeys((b"M4A ", b"M4B "), _M4A),
    **dict.fromkeys((b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V "), _MP4),
    **dict.fromkeys((b"3gp4", b"3gp5", b"3gp6", b"3g2a", b"3gr6"), _3GP),
    b"qt  ": _MOV,
}
"""Major brands of the ISO base media format (ISO/IEC 14496-12), with what each is here."""

ACCEPTED = (_JPEG, _PNG, _WEBP, _HEIC, _PDF, _OGG, _MP3, _AMR, _WAV, _M4A, _AAC, _MP4, _MOV, _3GP, _WEBM)
"""Every type that is accepted."""

_BY_MEDIA_TYPE = {kind.media_type: kind for kind in ACCEPTED}


def recognise(content: bytes) -> FileType | None:
    """The type of a file's content; None for what is not accepted."""
    if content[:4] == b"RIFF":
        return _RIFF.get(content[8:12])
    if content[4:8] == b"ftyp":
        return _BRANDS.get(content[8:12])
    if content[:1] == b"\xff" and len(content) > 1 and content[1] != 0xD8:
        return _audio_frame(content[1])
    return next((kind for start, kind in _STARTS if content.startswith(start)), None)


def describe_type(media_type: str | None) -> FileType | None:
    """The type stored with a file; None when it is no longer known."""
    return _BY_MEDIA_TYPE.get(media_type or "")


def _audio_frame(second: int) -> FileType | None:
    """MPEG audio begins with eleven set bits; layer 00 is AAC's, the version 01 is reserved (ISO/IEC 13818-3)."""
    if second & 0xE0 != 0xE0 or second & 0x18 == 0x08:
        return None
    return _AAC if second & 0x06 == 0 else _MP3
