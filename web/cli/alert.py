"""`selo alert`: what riders of an authority are warned of, listed, made and ended."""

import json
from datetime import datetime
from typing import Any

import click

from web.cli import BadInput, opened_services

as_json_option = click.option("--json", "as_json", is_flag=True, help="Report as JSON.")


@click.group()
def alert() -> None:
    """List, make and end alerts to riders."""


@alert.command("list")
@click.argument("authority")
@as_json_option
def list_(authority: str, as_json: bool) -> None:
    """List the alerts of AUTHORITY that hold or are to come."""
    from gtfs.alerts import list_current
    from web.cli.authority import get_authority

    with opened_services() as services, services.database.read() as session:
        town = get_authority(session, authority)
        found = [_describe(one) for one in list_current(session, town.id, services.clock())]
    _say(found if as_json else "\n".join(map(_in_words, found)) or "No alerts.", as_json)


@alert.command()
@click.argument("authority")
@click.option("--header", required=True, help="The alert in one sentence.")
@click.option("--text", required=True, help="What changes and what to do.")
@click.option("--effect", required=True, help="A word of GTFS-Realtime, such as NO_SERVICE or DETOUR.")
@click.option("--cause", default="UNKNOWN_CAUSE", show_default=True, help="A word of GTFS-Realtime.")
@click.option("--line", "lines", multiple=True, help="Address of a line; repeat for more. None: the whole town.")
@click.option("--until", type=click.DateTime(["%Y-%m-%dT%H:%M"]), help="End, in the town's time.")
@as_json_option
def add(
    authority: str,
    header: str,
    text: str,
    effect: str,
    cause: str,
    lines: tuple[str, ...],
    until: datetime | None,
    as_json: bool,
) -> None:
    """Warn the riders of AUTHORITY from now on."""
    from datetime import UTC
    from zoneinfo import ZoneInfo

    from gtfs.alert_words import load_alert_words
    from gtfs.alerts import AlertValues, Informed, add_alert
    from gtfs.published import find_published, list_lines
    from web.cli.authority import get_authority
    from web.cli.feed_words import who

    words = load_alert_words()
    for word, known in ((effect, words.effects), (cause, words.causes)):
        if word not in known:
            raise BadInput(f"{word} is none of {', '.join(known)}")
    with opened_services() as services:
        now = services.clock()
        with services.database.read() as session:
            town = get_authority(session, authority)
            feed = find_published(session, town.id)
            known_lines = {line.slug: line for line in list_lines(session, feed)} if feed else {}
        unknown = [slug for slug in lines if slug not in known_lines]
        if unknown:
            raise BadInput(f"{authority} has no published line {unknown[0]!r}")
        chosen = [known_lines[slug] for slug in lines]
        informed = tuple(Informed("line", line.gtfs_id, line.slug, line.name) for line in chosen)
        ends = until.replace(tzinfo=ZoneInfo(town.time_zone)).astimezone(UTC) if until else None
        if ends is not None and ends <= now:
            raise BadInput("--until is over already")
        values = AlertValues(informed or (Informed("town"),), cause, effect, header[:160], text[:2000], now, ends)
        with services.database.write() as session:
            made = _describe(add_alert(session, town.id, values, who(), now))
    _say(made if as_json else _in_words(made), as_json)


@alert.command()
@click.argument("authority")
@click.argument("number", type=click.IntRange(1, 2**31 - 1))
@as_json_option
def end(authority: str, number: int, as_json: bool) -> None:
    """End alert NUMBER of AUTHORITY now."""
    from gtfs.alerts import UnknownAlert, end_alert
    from web.cli.authority import get_authority
    from web.cli.feed_words import who

    with opened_services() as services:
        with services.database.read() as session:
            town = get_authority(session, authority)
        try:
            with services.database.write() as session:
                ended = _describe(end_alert(session, town.id, number, who(), services.clock()))
        except UnknownAlert:
            raise BadInput(f"{authority} has no alert {number}") from None
    _say(ended if as_json else _in_words(ended), as_json)


def _describe(found: Any) -> dict[str, Any]:
    values = found.values
    return {
        "number": found.number,
        "effect": values.effect,
        "cause": values.cause,
        "header": values.header,
        "text": values.description,
        "informed": [{"kind": one.kind, "id": one.gtfs_id, "name": one.name} for one in values.informed],
        "starts_at": values.starts_at.isoformat(),
        "ends_at": values.ends_at.isoformat() if values.ends_at else None,
    }


def _in_words(found: dict[str, Any]) -> str:
    where = ", ".join(one["name"] or "whole town" for one in found["informed"])
    return (
        f"alert {found['number']}  {found['effect']}  {where}: {found['header']} ({found['ends_at'] or 'no end'})"
    )


def _say(report: Any, as_json: bool) -> None:
    click.echo(json.dumps(report, ensure_ascii=False, indent=2) if as_json else report)
