"""Numbers as GTFS writes them: plain digits with a decimal point."""

import re
from collections.abc import Collection
from math import isfinite

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_PLAIN = frozenset("+-.0123456789")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?")


def are_plain(texts: Collection[str]) -> bool:
    """Whether all are numbers of digits, a point and a sign at most, which float() reads as `parse_number` does.

    A column of a hundred thousand coordinates is judged so in a tenth of the time.
    """
    if not set("".join(texts)) <= _PLAIN:
        return False
    try:
        return all(isfinite(number) for number in map(float, texts))
    except ValueError:
        return False


def parse_number(text: str) -> float | None:
    """A decimal number with a point; None when unreadable."""
    return float(text) if _NUMBER.fullmatch(text) else None


def parse_integer(text: str) -> int | None:
    """A whole number; None when unreadable."""
    return int(text) if _INTEGER.fullmatch(text) else None
