"""A report as a spreadsheet: one row for each place, safe to open in a program that runs formulas."""

import csv
import io

from gtfs.checks.notices import Report

HEADER = ("gravidade", "codigo", "total", "arquivo", "linha", "coluna", "valor", "mensagem")
_SEVERITIES = {"error": "erro", "warning": "aviso"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def report_to_csv(report: Report) -> bytes:
    """UTF-8 with a byte order mark and semicolons, as spreadsheet programs in Brazil expect."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow(HEADER)
    for group in report.groups:
        for notice in group.notices:
            place = (notice.file, "" if notice.row is None else str(notice.row), notice.field, notice.value)
            cells = (_SEVERITIES[group.severity], group.code, str(group.total), *place, notice.message_pt)
            writer.writerow(map(guard, cells))
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def guard(text: str) -> str:
    """The text with an apostrophe before what a spreadsheet would take for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
