"""Zips given to the commands of `selo feed`, and their reports."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.cli import BadInput

if TYPE_CHECKING:
    from gtfs.checks.notices import Report

as_csv_option = click.option("--csv", "as_csv", is_flag=True, help="Report as CSV for a spreadsheet.")
feed_file = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


def read_file(file: Path) -> bytes:
    """The file, at most one byte more than a feed may have: enough to be refused."""
    from gtfs.archive import Limits

    try:
        with file.open("rb") as opened:
            return opened.read(Limits().archive + 1)
    except OSError as problem:
        raise BadInput(f"{file}: {problem.strerror}") from None


def name_of(file: Path) -> str:
    """The file's name as text that can be stored, whatever its bytes."""
    return file.name.encode("utf-8", "replace").decode()


def refuse(report: "Report") -> None:
    """End with exit code 2 when the feed was refused."""
    if not report.accepted:
        raise BadInput(f"{report.name} was refused: {report.errors} error(s), see the report; nothing was stored")


def report_in_words(report: "Report") -> str:
    """The report for a clerk: the verdict, then each fault with its first places."""
    verdict = "aceito" if report.accepted else "recusado"
    lines = [f"{report.name}: {verdict}. Erros: {report.errors}. Avisos: {report.warnings}."]
    for group in report.groups:
        kind, shown = ("ERRO", group.notices) if group.severity == "error" else ("aviso", group.notices[:3])
        lines.append(f"\n{kind} {group.code} ({group.total})")
        lines += [f"  {notice.place}: {notice.message_pt}" for notice in shown]
        if group.total > len(shown):
            lines.append(f"  … e mais {group.total - len(shown)}")
    return "\n".join(lines)


def say_csv(content: bytes) -> None:
    """Print a spreadsheet's bytes as they are."""
    click.echo(content, nl=False)
