"""One CSV file of a feed: bytes -> columns of text; every oddity becomes a notice and none an exception."""

import csv
import io
from array import array
from collections.abc import Iterator
from itertools import islice

from gtfs.archive import Limits
from gtfs.checks.notices import Finding, Notices
from gtfs.encoding import first_bad_row, guess_encoding, is_utf8
from gtfs.raw import RawTable

_CHUNK = 200
"""Records taken at a time: small enough to stay in the processor's cache, which halves the time."""
_REPLACEMENT = "\ufffd"


class _Texts(dict[str, str]):
    """One copy of each different text of a file, without outer spaces; `odd` holds those worth a notice."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.odd: set[str] = set()

    def __missing__(self, raw: str) -> str:
        text = raw.strip()
        if text != raw or _REPLACEMENT in raw or "\n" in text or "\r" in text or len(text) > self.longest:
            self.odd.add(raw)
        self[raw] = text
        return text


def read_table(name: str, content: bytes, limits: Limits, notices: Notices) -> RawTable | None:
    """The file as a table; None when it cannot be read (the reason is in `notices`)."""
    if not is_utf8(content):
        notices.add("not_utf8", Finding(name, first_bad_row(content), other=guess_encoding(content)))
        return None
    if 0 in content:
        notices.add("null_character", Finding(name))
        content = content.replace(b"\0", b"")
    with io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline="") as text:
        reading = _Reading(name, limits, notices)
        try:
            return reading.read(csv.reader(text))
        except csv.Error as fault:
            notices.add("csv_parsing_failed", Finding(name, reading.row, other=str(fault)))
            return None


class _Reading:
    """The reading of one file; `row` is the row of the last record looked at."""

    def __init__(self, name: str, limits: Limits, notices: Notices) -> None:
        self.name = name
        self.limits = limits
        self.notices = notices
        self.row = 1
        self.texts = _Texts(limits.value)

    def read(self, records: Iterator[list[str]]) -> RawTable | None:
        header = next(records, [])
        if not any(cell.strip() for cell in header):
            self.notices.add("empty_file", Finding(self.name))
        if len(header) > self.limits.columns:
            self._note("too_many_columns", 1, value=str(len(header)), other=str(self.limits.columns))
            return None
        names = self._name_columns(header)
        columns: list[list[str]] = [[] for _ in header]
        rows = array("L")
        while chunk := list(islice(records, _CHUNK)):
            if self.row + len(chunk) - 1 > self.limits.rows:
                self._note("too_many_rows", None, other=str(self.limits.rows))
                return None
            self._take(chunk, header, columns, rows)
        kept = {name: columns[index] for name, index in names.items()}
        return RawTable(self.name, tuple(names), kept, rows)

    def _name_columns(self, header: list[str]) -> dict[str, int]:
        """Position by name; of two columns with one name the first counts."""
        names: dict[str, int] = {}
        for index, raw in enumerate(header):
            name = raw.strip()
            if not name:
                self._note("empty_column_name", 1, value=str(index + 1))
            elif name in names:
                self._note("duplicated_column", 1, field=name)
            elif len(name) > self.limits.value:
                self._note("value_too_long", 1, field=name, other=str(self.limits.value))
            else:
                names[name] = index
        return names

    def _take(
        self, chunk: list[list[str]], header: list[str], columns: list[list[str]], rows: "array[int]"
    ) -> None:
        """Append the records of `chunk` to `columns` and their row numbers to `rows`."""
        first, width = self.row + 1, len(header)
        self.row += len(chunk)
        numbers: list[int] | range = range(first, self.row + 1)
        if not all(len(record) == width and any(record) for record in chunk):
            numbers, chunk = self._tidy(chunk, first, width)
        rows.extend(numbers)
        for column, cells in zip(columns, zip(*chunk, strict=True), strict=False):
            column.extend(map(self.texts.__getitem__, cells))
        if self.texts.odd:
            self._note_odd_texts(chunk, header, numbers)

    def _tidy(self, chunk: list[list[str]], first: int, width: int) -> tuple[list[int], list[list[str]]]:
        """Leave blank records out and give the others `width` cells; returns row numbers and records."""
        numbers, tidy = [], []
        for row, record in enumerate(chunk, first):
            if not any(cell.strip() for cell in record):
                self._note("empty_row", row)
                continue
            if len(record) != width:
                self._note("invalid_row_length", row, value=str(len(record)), other=str(width))
            numbers.append(row)
            tidy.append([*record, *[""] * (width - len(record))][:width])
        return numbers, tidy

    def _note_odd_texts(self, chunk: list[list[str]], header: list[str], numbers: list[int] | range) -> None:
        for row, record in zip(numbers, chunk, strict=True):
            for field, raw in zip(header, record, strict=True):
                if raw in self.texts.odd:
                    self._note_odd_text(row, field.strip(), raw)

    def _note_odd_text(self, row: int, field: str, raw: str) -> None:
        text = self.texts[raw]
        if text != raw:
            self._note("leading_or_trailing_whitespaces", row, field, text)
        if _REPLACEMENT in text:
            self._note("invalid_character", row, field, text)
        if "\n" in text or "\r" in text:
            self._note("new_line_in_value", row, field, text)
        if len(text) > self.limits.value:
            self._note("value_too_long", row, field, text, str(self.limits.value))

    def _note(self, code: str, row: int | None, field: str = "", value: str = "", other: str = "") -> None:
        self.notices.add(code, Finding(self.name, row, field, value, other))
