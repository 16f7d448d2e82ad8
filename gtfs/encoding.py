"""Whether a file is UTF-8 and, when it is not, what it seems to be."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE

_PORTUGUESE = frozenset("áàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇñÑºª°§–—’“”«»\xa0")
_CANDIDATES = (("cp1252", "Windows-1252 (Latin-1)"), ("cp850", "CP850 (MS-DOS)"), ("mac_roman", "Mac Roman"))

_ASCII = bytes(range(128))


def is_utf8(content: bytes) -> bool:
    """Whether a file is text in UTF-8, with a byte order mark or without."""
    if _is_utf16(content):
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def first_bad_row(content: bytes) -> int:
    """The row, counted from 1, of the first byte that is not UTF-8 (1 when all are)."""
    try:
        content.decode()
    except UnicodeDecodeError as fault:
        return content.count(b"\n", 0, fault.start) + 1
    return 1


def guess_encoding(content: bytes) -> str:
    """The likely name of an encoding that is not UTF-8: the one that yields the most Portuguese letters."""
    if _is_utf16(content):
        return "UTF-16"
    sample = content.translate(None, delete=_ASCII)[:20_000]
    return max(_CANDIDATES, key=lambda candidate: _count_portuguese(sample, candidate[0]))[1]


def _is_utf16(content: bytes) -> bool:
    return content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or content.count(0) > len(content) // 4


def _count_portuguese(sample: bytes, encoding: str) -> int:
    return sum(letter in _PORTUGUESE for letter in sample.decode(encoding, errors="replace"))
