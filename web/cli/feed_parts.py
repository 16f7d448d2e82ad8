"""What the commands about feeds share: files, towns, days, and how they say things."""

import getpass
import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from web.cli import BadInput

if TYPE_CHECKING:
    from complaints.authorities.tables import Authority
    from gtfs.checks.notices import Report
    from web.services import Services

as_json_option = click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
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


def get_town(services: "Services", slug: str) -> "Authority":
    """The authority of a slug; BadInput when there is none."""
    from web.cli.authority import get_authority

    with services.database.read() as session:
        return get_authority(session, slug)


def id_of(town: "Authority") -> int:
    """Its number in the database."""
    if town.id is None:
        raise ValueError("an authority that is not in the database has no feed")
    return town.id


def today_in(services: "Services", town: "Authority") -> date:
    """The day it is there."""
    return services.clock().astimezone(ZoneInfo(town.time_zone)).date()


def who() -> str:
    """The account of the machine that gives the command."""
    try:
        return f"selo feed ({getpass.getuser()})"[:120]
    except (OSError, KeyError):
        return "selo feed"


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


def say(report: Any, as_json: bool) -> None:
    """Print a report: as JSON, or as it is."""
    click.echo(json.dumps(report, ensure_ascii=False, indent=2) if as_json else report)


def say_csv(content: bytes) -> None:
    """Print a spreadsheet's bytes as they are."""
    click.echo(content, nl=False)
