"""What a line's page shows beside times, in named parts, as compact stored bytes."""

from collections.abc import Mapping
from typing import Any

from gtfs.compiled import pack, unpack


def pack_details(parts: Mapping[str, Any]) -> bytes:
    """Plain values by the name of their part; parts without anything are left out."""
    return pack({name: value for name, value in parts.items() if value})


def unpack_details(content: bytes | None) -> dict[str, Any]:
    """The parts that `pack_details` stored; nothing for a version kept before there were any."""
    return unpack(content) if content else {}
