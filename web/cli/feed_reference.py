"""`selo feed reference` and `selo feed separation`: departures compared with another operator's timetable."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli import BadInput, opened_services
from web.cli import feed_files as files
from web.cli import feed_words as commands

if TYPE_CHECKING:
    from complaints.authorities.tables import Authority
    from gtfs.clerk_tables import FeedReference
    from gtfs.references import Comparison
    from gtfs.separation import Asked
    from gtfs.separation_report import SeparationReport
    from gtfs.tables import FeedVersion
    from web.services import Services

_SHOWN = 50
"""Warnings told in words; JSON and CSV hold more."""


@click.command()
@click.argument("authority")
@click.argument("file", type=files.feed_file, required=False)
@click.option("--list", "list_them", is_flag=True, help="List the reference feeds, the newest first.")
@click.option("--remove", is_flag=True, help="Take the reference feed in use out of use.")
@commands.as_json_option
def reference(authority: str, file: Path | None, list_them: bool, remove: bool, as_json: bool) -> None:
    """Keep FILE, another operator's GTFS zip, as what AUTHORITY's departures are compared with."""
    if sum((file is not None, list_them, remove)) != 1:
        raise BadInput("give one of FILE, --list and --remove")
    with opened_services() as services:
        town = commands.get_town(services, authority)
        if file is not None:
            said = [_keep(services, town, file)]
        elif remove:
            said = [_remove(services, town)]
        else:
            said = _list(services, town)
    words = "\n".join(map(_in_words, said)) or f"{authority} has no reference feed."
    commands.say(said if list_them and as_json else said[0] if as_json else words, as_json)


@click.command()
@click.argument("authority")
@click.option("--version", type=click.IntRange(1, 2**31 - 1), help="Compare this version, not the published one.")
@click.option("--minutes", type=click.IntRange(1, 24 * 60), help="How far apart, where the law does not say.")
@click.option("--metres", type=click.FloatRange(1, 1000), help="How far apart stops of one place may be.")
@files.as_csv_option
@commands.as_json_option
def separation(
    authority: str, version: int | None, minutes: int | None, metres: float | None, as_csv: bool, as_json: bool
) -> None:
    """List departures of AUTHORITY's feed nearer than its law allows to those of the reference feed."""
    if as_csv and as_json:
        raise BadInput("give one of --json and --csv")
    with opened_services() as services:
        town = commands.get_town(services, authority)
        today = commands.local_today(services, town)
        asked = _ask(services, town, today, minutes)
        comparison = _read(services, town, version, today)
    report = comparison.run(replace(asked, metres=metres) if metres else asked)
    if as_csv:
        files.say_csv(report.to_csv())
    else:
        commands.say(report.to_json() if as_json else _report_in_words(report, comparison), as_json)


def _keep(services: "Services", town: "Authority", file: Path) -> dict[str, Any]:
    from gtfs.reference_preparing import prepare_reference
    from gtfs.references import NewReference, keep_reference

    today = commands.local_today(services, town)
    prepared = prepare_reference(files.read_file(file), files.name_of(file), today)
    if prepared.departures is None:
        commands.say(files.report_in_words(prepared.report), False)
        files.refuse(prepared.report)
    with services.database.write() as session:
        values = NewReference(commands.authority_id(town), prepared, commands.who())
        return _describe(keep_reference(session, values, services.clock()))


def _remove(services: "Services", town: "Authority") -> dict[str, Any]:
    from gtfs.references import find_reference, remove_reference

    authority = commands.authority_id(town)
    with services.database.write() as session:
        present = find_reference(session, authority)
        if present is None:
            raise BadInput(f"{town.slug} has no reference feed in use")
        return _describe(remove_reference(session, authority, present.number, commands.who(), services.clock()))


def _list(services: "Services", town: "Authority") -> list[dict[str, Any]]:
    from gtfs.references import list_references

    with services.database.read() as session:
        return [_describe(one) for one in list_references(session, commands.authority_id(town))]


def _ask(services: "Services", town: "Authority", today: date, minutes: int | None) -> "Asked":
    from gtfs.separation import Asked
    from web.separation import find_asked

    with services.database.read() as session:
        asked = find_asked(session, town, today)
    if minutes is not None:
        return replace(asked, minutes=minutes) if asked else Asked(minutes)
    if asked is None:
        raise BadInput(f"the law of {town.slug} says no distance between departures; give --minutes")
    return asked


def _read(services: "Services", town: "Authority", number: int | None, today: date) -> "Comparison":
    from gtfs.references import UnknownReference, read_comparison
    from gtfs.versions import UnknownVersion

    with services.database.read() as session:
        try:
            return read_comparison(session, _choose(services, town, number), today)
        except UnknownVersion:
            raise commands.unknown_version(town.slug, number or 0) from None
        except UnknownReference:
            raise BadInput(
                f"{town.slug} has no reference feed; give one with `selo feed reference {town.slug} FILE`"
            ) from None


def _choose(services: "Services", town: "Authority", number: int | None) -> "FeedVersion":
    from gtfs.publishing import find_published_version
    from gtfs.versions import get_version

    with services.database.read() as session:
        if number is not None:
            return get_version(session, commands.authority_id(town), number)
        published = find_published_version(session, commands.authority_id(town))
    if published is None:
        raise BadInput(f"{town.slug} has published no feed; choose one with --version")
    return published


def _describe(reference: "FeedReference") -> dict[str, Any]:
    return {
        "number": reference.number,
        "source_name": reference.source_name,
        "sha256": reference.sha256,
        "created_at": reference.created_at.isoformat(),
        "created_by": reference.created_by,
        "removed_at": reference.removed_at.isoformat() if reference.removed_at else None,
        "removed_by": reference.removed_by,
    }


def _in_words(reference: dict[str, Any]) -> str:
    state = "removed" if reference["removed_at"] else "kept"
    return f"reference {reference['number']}  {state:<7}  {reference['source_name']}  {reference['created_at']}"


def _report_in_words(report: "SeparationReport", comparison: "Comparison") -> str:
    """The report for a clerk: what was compared, then each warning with its nearest pair."""
    where = "no ponto inicial" if report.origin_only else "nos pontos comuns"
    days = f"de {report.first_day:%d/%m/%Y} a {report.last_day:%d/%m/%Y}" if report.first_day else "sem dias"
    lines = [
        f"Partidas a menos de {report.minutes} min das de {comparison.reference_name}, {where}, {days}: "
        f"{len(report.warnings)} avisos. Pontos comuns: {report.shared_stops}."
    ]
    for warning in report.warnings[:_SHOWN]:
        lines.append(
            f"\nLinha {warning.line} ({warning.direction}), {warning.stop}, {warning.days}: {warning.count} "
            f"partidas perto da linha {warning.other_line} ({warning.other_direction})"
        )
        lines.append(f"  mais próximas: {warning.nearest.words}")
    if len(report.warnings) > _SHOWN:
        lines.append(f"\n… e mais {len(report.warnings) - _SHOWN}; veja todos com --csv ou --json")
    return "\n".join(lines)
