"""A pasted or uploaded table -> rows of cells, whatever stands between them."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gtfs.authoring.faults import Fault
from gtfs.folding import fold

MOST_ROWS = 5_000
DELIMITERS = ("\t", ";", ",")
"""The first one found outside of quotes separates the cells."""

_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


class UnreadableTable(ValueError):
    """The file is no text; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row that is not blank; `number` counts all rows from 1, as a spreadsheet does."""

    number: int
    cells: tuple[str, ...]

    def cell(self, index: int | None) -> str:
        """A cell, blank where the row is too short or has no such column."""
        return self.cells[index] if index is not None and index < len(self.cells) else ""


def decode_table(content: bytes) -> str:
    """The text of a file in UTF-8, UTF-16 or the old Windows encoding; raises UnreadableTable."""
    if content.startswith((_ZIP, _OLD_EXCEL)):
        raise UnreadableTable("Este arquivo é uma planilha. Salve-a como CSV, ou copie as células e cole aqui.")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    if b"\0" in content:
        raise UnreadableTable("Este arquivo não é um texto. Salve a planilha como CSV.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def read_rows(text: str) -> tuple[tuple[Row, ...], tuple[Fault, ...]]:
    """The rows with at least one cell filled, without outer blanks, and what stopped the reading."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    reader = csv.reader(io.StringIO(plain), delimiter=find_delimiter(plain), strict=True)
    rows: list[Row] = []
    number = 0
    try:
        for number, record in enumerate(reader, 1):
            cells = tuple(cell.strip() for cell in record)
            if number > MOST_ROWS:
                return tuple(rows), (Fault(number, "1", f"a tabela passa de {MOST_ROWS} linhas: divida-a"),)
            if any(cells):
                rows.append(Row(number, cells))
    except csv.Error:
        advice = "há aspas que não fecham, ou texto depois delas: apague as aspas ou feche-as"
        return tuple(rows), (Fault(number + 1, "1", advice),)
    return tuple(rows), ()


def find_delimiter(text: str) -> str:
    """What separates the cells: the first of DELIMITERS that stands outside of quotes."""
    outside = "".join(text.split('"')[::2])
    return next((delimiter for delimiter in DELIMITERS if delimiter in outside), ",")


def find_header(row: Row, names: Mapping[str, Iterable[str]]) -> dict[str, int] | None:
    """Position by column when `row` is a header: at least two cells (or its only one) are known names."""
    known = {fold(name): column for column, others in names.items() for name in others}
    found: dict[str, int] = {}
    for index, cell in enumerate(row.cells):
        column = known.get(fold(cell).strip(" .:*"))
        if column is not None:
            found.setdefault(column, index)
    return found if len(found) >= min(2, len([cell for cell in row.cells if cell])) else None


def list_unused(row: Row, used: Iterable[int]) -> tuple[str, ...]:
    """The header's cells that name no column we know."""
    taken = set(used)
    return tuple(cell for index, cell in enumerate(row.cells) if cell and index not in taken)


def write_rows(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV with `;`, which spreadsheets here open; a cell that a spreadsheet would calculate gets a `'`."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerows([[_defuse(cell) for cell in row] for row in rows])
    return text.getvalue()


def _defuse(cell: str) -> str:
    return f"'{cell}" if cell.startswith(("=", "@")) else cell
