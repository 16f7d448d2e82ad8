"""The protocol number: 11 random digits and a Damm check digit, written 4-4-4 so that any phone can type it."""

import re
import secrets

_DAMM = (
    (0, 3, 1, 7, 5, 9, 8, 6, 4, 2),
    (7, 0, 9, 2, 1, 5, 4, 8, 6, 3),
    (4, 2, 0, 6, 8, 7, 1, 3, 5, 9),
    (1, 7, 5, 0, 9, 8, 3, 4, 2, 6),
    (6, 1, 2, 3, 0, 4, 5, 9, 7, 8),
    (3, 6, 7, 4, 2, 0, 9, 5, 8, 1),
    (5, 8, 6, 9, 7, 2, 0, 1, 3, 4),
    (8, 9, 4, 5, 3, 6, 2, 0, 1, 7),
    (9, 4, 3, 8, 6, 1, 7, 2, 0, 5),
    (2, 5, 8, 1, 4, 3, 6, 7, 9, 0),
)
"""The totally anti-symmetric quasigroup of order 10 (H. M. Damm, 2004): finds single errors and adjacent swaps."""


class BadProtocol(ValueError):
    """What was typed is not a protocol; `reason` is `length`, `characters` or `check`."""

    def __init__(self, typed: str, reason: str) -> None:
        super().__init__(f"not a protocol ({reason})")
        self.typed = typed
        self.reason = reason


def new_protocol() -> str:
    """A fresh protocol of 12 digits; uniqueness is the database's to say."""
    digits = f"{secrets.randbelow(10**11):011d}"
    return digits + str(_damm(digits))


def check_protocol(typed: str) -> str:
    """The 12 digits of what a person typed (spaces, dots, slashes and dashes allowed); raises BadProtocol."""
    digits = re.sub(r"[\s.\-–—/]", "", typed)
    if not re.fullmatch(r"[0-9]*", digits):
        raise BadProtocol(typed, "characters")
    if len(digits) != 12:
        raise BadProtocol(typed, "length")
    if _damm(digits) != 0:
        raise BadProtocol(typed, "check")
    return digits


def format_protocol(protocol: str) -> str:
    """`123456789012` as `1234 5678 9012`."""
    return f"{protocol[:4]} {protocol[4:8]} {protocol[8:]}"


def _damm(digits: str) -> int:
    interim = 0
    for digit in digits:
        interim = _DAMM[interim][int(digit)]
    return interim
