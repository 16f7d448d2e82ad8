"""The annex of classes as a file: one line per infraction, checked whole before anything is stored."""

import csv
import io
from dataclasses import dataclass, field

from complaints.law.provisions import Infraction
from complaints.law.schema import Rulebook

HEADER = ("infracao", "grupo", "item")
MAX_LINES = 500


@dataclass
class AnnexTable:
    """The rows read, and one sentence for each line that cannot be used."""

    classes: dict[str, str] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    @property
    def value(self) -> dict[str, dict[str, str] | dict[str, int]]:
        """What is stored as the authority's choice."""
        return {"classes": self.classes, "items": self.items}


def write_template(rulebook: Rulebook, table: AnnexTable | None = None) -> str:
    """Write the file to fill in: every infraction and duty by key, with what is already known."""
    known = table or AnnexTable()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow((*HEADER, "dispositivo", "descricao"))
    for row in (*rulebook.infractions, *rulebook.duties):
        item = known.items.get(row.key, "")
        writer.writerow((row.key, known.classes.get(row.key, ""), item, row.citations[0], row.paraphrase))
    return out.getvalue()


def read_annex(content: bytes, rulebook: Rulebook) -> AnnexTable:
    """Read a CSV with commas or semicolons, in UTF-8; other columns are ignored, lines without class skipped."""
    table = AnnexTable()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        table.faults.append(f"O arquivo não está em UTF-8 (byte {error.start}). Salve de novo como CSV UTF-8.")
        return table
    head = text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text), delimiter=";" if head.count(";") > head.count(",") else ",")
    try:
        _read_rows(list(rows), rulebook, table)
    except csv.Error as error:
        table.faults.append(f"O arquivo não é um CSV: {error}.")
    if not table.classes and not table.faults:
        table.faults.append("Nenhuma linha tem grupo. Preencha a coluna grupo.")
    return table


def _read_rows(rows: list[list[str]], rulebook: Rulebook, table: AnnexTable) -> None:
    names = [cell.strip().casefold() for cell in rows[0]] if rows else []
    missing = [name for name in HEADER[:2] if name not in names]
    if missing:
        table.faults.append(f"Linha 1: falta a coluna {' e a coluna '.join(missing)}. Use o arquivo modelo.")
        return
    if len(rows) > MAX_LINES:
        table.faults.append(f"O arquivo tem mais de {MAX_LINES} linhas.")
        return
    for number, cells in enumerate(rows[1:], start=2):
        row = {name: cell.strip() for name, cell in zip(names, cells, strict=False)}
        if row.get("infracao") or row.get("grupo"):
            fault = _take(row, rulebook, table)
            if fault is not None:
                table.faults.append(f"Linha {number}: {fault}")


def _take(row: dict[str, str], rulebook: Rulebook, table: AnnexTable) -> str | None:
    key, typed, item = row.get("infracao", ""), row.get("grupo", ""), row.get("item", "")
    known = rulebook.find_provision(key)
    if known is None:
        return f"não há infração {key!r} nesta lei; copie a chave do arquivo modelo."
    if key in table.classes:
        return f"{key} aparece mais de uma vez."
    if not typed:
        return None
    ids = {fine_class.id.casefold(): fine_class.id for fine_class in rulebook.fine_classes}
    class_id = ids.get(typed.casefold())
    if class_id is None:
        return f"não há grupo {typed!r}."
    if item and not (item.isascii() and item.isdigit() and 0 < int(item) < 1000):
        return f"o item {item!r} não é um número inteiro."
    if not isinstance(known, Infraction) and known not in rulebook.duties:
        return f"{key} não é infração nem dever."
    table.classes[key] = class_id
    if item:
        table.items[key] = int(item)
    return None
