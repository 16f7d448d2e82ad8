"""Which content encoding a client takes, and bodies in it."""

import gzip
from collections.abc import Iterable

import brotli  # type: ignore[import-untyped]  # the package has no stubs

PREFERRED = ("br", "gzip")


def choose_encoding(accept: str, available: Iterable[str] = PREFERRED) -> str:
    """Return `br`, `gzip` or `identity`: the best of `available` that an Accept-Encoding header allows.

    Qualities only say yes or no (RFC 9110, 12.5.3); identity is always allowed.
    """
    weights: dict[str, bool] = {}
    for item in accept.lower().split(","):
        name, _, parameters = item.partition(";")
        weights[name.strip()] = _is_positive(parameters)
    offered = set(available)
    for encoding in PREFERRED:
        if encoding in offered and weights.get(encoding, weights.get("*", False)):
            return encoding
    return "identity"


def compress(body: bytes, encoding: str, *, best: bool = False) -> bytes:
    """Return `body` in an encoding; `best` is for what is compressed once and served for ever."""
    if encoding == "br":
        smaller: bytes = brotli.compress(body, quality=11 if best else 5)
        return smaller
    if encoding == "gzip":
        return gzip.compress(body, compresslevel=9 if best else 6, mtime=0)
    return body


def _is_positive(parameters: str) -> bool:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value) > 0
            except ValueError:
                return False
    return True
