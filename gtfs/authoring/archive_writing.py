"""Rows of a feed's files -> a zip, the same bytes for the same rows."""

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence

Row = tuple[str | int | None, ...]


def write_archive(files: Iterable[tuple[str, Sequence[str], Iterable[Row]]]) -> bytes:
    """The zip of (name, columns, rows), with fixed time stamps, sorted rows, and no file without rows.

    Another release of zlib may compress otherwise.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, columns, unsorted in files:
            rows = sorted(unsorted)
            if rows:
                archive.writestr(_describe_member(name), _write_csv(columns, rows), compresslevel=9)
    return buffer.getvalue()


def _describe_member(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, date_time=(2026, 1, 1, 0, 0, 0))
    member.compress_type = zipfile.ZIP_DEFLATED
    member.create_system = 3
    member.external_attr = 0o644 << 16
    return member


def _write_csv(columns: Sequence[str], rows: Sequence[Row]) -> bytes:
    """Columns that no row fills are left out."""
    filled = [index for index in range(len(columns)) if any(row[index] not in (None, "") for row in rows)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([columns[index] for index in filled])
    writer.writerows([row[index] for index in filled] for row in rows)
    return text.getvalue().encode()
