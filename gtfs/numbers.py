"""Numbers as GTFS writes them: plain digits with a decimal point."""

import re

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?")


def parse_number(text: str) -> float | None:
    """A decimal number with a point; None when unreadable."""
    return float(text) if _NUMBER.fullmatch(text) else None


def parse_integer(text: str) -> int | None:
    """A whole number; None when unreadable."""
    return int(text) if _INTEGER.fullmatch(text) else None
