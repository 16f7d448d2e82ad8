"""Parts of a file that a client asks for: Range and If-Range (RFC 9110, 13.1.5 and 14.2)."""

import re
from dataclasses import dataclass
from itertools import pairwise

MOST_PARTS = 10
"""Ranges in one request before it is refused; a client that resumes a download needs one."""

_SPEC = re.compile(r"([0-9]{1,18})-([0-9]{1,18})?|-([0-9]{1,18})")


class Unsatisfiable(Exception):
    """No byte that was asked for is there, or too many ranges, or overlapping ones: 416."""


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """Bytes from `start` on, `length` of them."""

    start: int
    length: int

    def content_range(self, size: int) -> str:
        """The Content-Range of this part of a file of `size` bytes."""
        return f"bytes {self.start}-{self.start + self.length - 1}/{size}"


def read_ranges(header: str | None, size: int) -> tuple[Part, ...]:
    """The parts asked for of a file of `size` bytes; none when the whole is to be sent.

    A header that is not understood, or for another unit, is as if it were not there. Raises Unsatisfiable.
    """
    unit, _, text = (header or "").partition("=")
    specs = [_SPEC.fullmatch(spec.strip()) for spec in text.split(",") if spec.strip()]
    if unit.strip().lower() != "bytes" or not specs or None in specs:
        return ()
    asked: list[tuple[str | None, ...]] = [spec.groups() for spec in specs if spec]
    if any(first and last and int(last) < int(first) for first, last, _ in asked):
        return ()
    if len(asked) > MOST_PARTS:
        raise Unsatisfiable
    parts = tuple(part for first, last, suffix in asked if (part := _read(first, last, suffix, size)))
    ordered = sorted(parts)
    overlap = any(one.start + one.length > other.start for one, other in pairwise(ordered))
    if not parts or overlap:
        raise Unsatisfiable
    return parts


def _read(first: str | None, last: str | None, suffix: str | None, size: int) -> Part | None:
    if suffix is not None:
        length = min(int(suffix), size)
        return Part(size - length, length) if length else None
    start = int(first or 0)
    end = min(int(last) + 1 if last is not None else size, size)
    return Part(start, end - start) if start < end else None


def may_send_part(if_range: str | None, tag: str, last_modified: str | None) -> bool:
    """Whether the client's first part is of the file as it is now: by the strong tag, or by the very date."""
    if if_range is None:
        return True
    wanted = if_range.strip()
    return wanted == tag if '"' in wanted else last_modified is not None and wanted == last_modified
