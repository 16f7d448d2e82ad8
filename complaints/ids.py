"""Identifiers: time-ordered row ids, and random public ids that say nothing about the row."""

import os
import secrets
import time
from uuid import UUID

ALPHABET = "23456789ABCDFGHJKMNPQRSTVWXYZ"
"""The 29 letters and digits nobody mistakes for another (no 0 O 1 I L E U)."""


def new_id() -> UUID:
    """A version 7 UUID (RFC 9562): 48 bits of milliseconds, then random bits, so rows stay in time order."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds & 0xFFFFFFFFFFFF) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)


def new_public_id(length: int = 12) -> str:
    """A random id for addresses: `length` characters of the unambiguous alphabet (58 bits for 12)."""
    number, letters = secrets.randbelow(len(ALPHABET) ** length), ""
    for _ in range(length):
        number, place = divmod(number, len(ALPHABET))
        letters += ALPHABET[place]
    return letters
