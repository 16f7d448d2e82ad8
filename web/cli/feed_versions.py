"""`selo feed plan` and `selo feed diff`: versions planned for a day, and what differs between two of them."""

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import click

from web.cli import BadInput, opened_services
from web.cli.feed_words import as_json_option, authority_id, get_town, local_today, say, unknown_version, who

if TYPE_CHECKING:
    from gtfs.difference_values import Differences
    from gtfs.planning import Plan
    from web.services import Services

number_type = click.IntRange(1, 2**31 - 1)


def plan_version(authority: str, version: int, on: datetime) -> dict[str, Any]:
    """Plan VERSION for the start of a local day and keep what it will change; the plain values of the plan."""
    from gtfs.changes import keep_changes, prepare_plan
    from gtfs.planning import AlreadyPublished, DayTaken, Planning, PlanTooEarly, PlanTooLate, plan
    from gtfs.versions import UnknownVersion

    with opened_services() as services:
        town = get_town(services, authority)
        day, today = on.date(), local_today(services, town)
        try:
            with services.database.read() as session:
                prepared = prepare_plan(session, authority_id(town), version, day)
            with services.database.write() as session:
                planning = Planning(authority_id(town), version, day, who(), today)
                made = plan(session, planning, services.clock())
                keep_changes(session, prepared)
        except UnknownVersion:
            raise unknown_version(authority, version) from None
        except AlreadyPublished:
            raise BadInput(f"version {version} of {authority} is the published one") from None
        except PlanTooEarly:
            raise BadInput(f"{day} has begun: plan a day after {today}, or publish now without --on") from None
        except PlanTooLate as problem:
            raise BadInput(f"version {version} has no trips after {problem.last_day}") from None
        except DayTaken as problem:
            raise BadInput(f"version {problem.number} of {authority} is planned for {day} already") from None
    return describe_plan(made)


@click.command("plan")
@click.argument("authority")
@click.option("--cancel", type=number_type, metavar="VERSION", help="Take the plan for VERSION back.")
@as_json_option
def plan_command(authority: str, cancel: int | None, as_json: bool) -> None:
    """List what is planned for AUTHORITY's feed; `selo feed publish AUTHORITY VERSION --on DAY` plans."""
    from gtfs.planning import NotPlanned, cancel_plan
    from gtfs.versions import UnknownVersion

    with opened_services() as services:
        town = get_town(services, authority)
        if cancel is not None:
            try:
                with services.database.write() as session:
                    cancel_plan(session, authority_id(town), cancel)
            except UnknownVersion:
                raise unknown_version(authority, cancel) from None
            except NotPlanned:
                raise BadInput(f"version {cancel} of {authority} is not planned") from None
        plans = list_described_plans(services, authority_id(town))
    words = "\n".join(map(plan_in_words, plans)) or f"{authority} has no plan."
    say(plans if as_json else words, as_json)


@click.command("diff")
@click.argument("authority")
@click.argument("earlier", type=number_type, required=False)
@click.argument("later", type=number_type, required=False)
@as_json_option
def diff_command(authority: str, earlier: int | None, later: int | None, as_json: bool) -> None:
    """Tell what differs from version EARLIER to LATER of AUTHORITY's feed.

    With one number: from the published version to that one. Without: from the published version to the newest.
    """
    with opened_services() as services:
        town = get_town(services, authority)
        first, second = _choose(services, authority, authority_id(town), earlier, later)
        found = _compare(services, authority, authority_id(town), (first, second), local_today(services, town))
    values = {"earlier": first, "later": second, **found.to_json()}
    say(values if as_json else _differences_in_words(first, second, found), as_json)


def list_described_plans(services: "Services", authority: int) -> list[dict[str, Any]]:
    """The plans of an authority as plain values, the earliest first."""
    from gtfs.planning import list_plans

    with services.database.read() as session:
        return [describe_plan(made) for made in list_plans(session, authority)]


def describe_plan(made: "Plan") -> dict[str, Any]:
    """Plain values of a plan."""
    return {
        "number": made.number,
        "on": made.on.isoformat(),
        "planned_by": made.by,
        "planned_at": made.made_at.isoformat(),
        "published_then": made.expected,
    }


def plan_in_words(values: dict[str, Any]) -> str:
    """One line of a list."""
    seen = f"version {values['published_then']} was" if values["published_then"] else "nothing was"
    return (
        f"version {values['number']}  planned for {values['on']} by {values['planned_by']}, when {seen} published"
    )


def _choose(
    services: "Services", authority: str, id_: int, earlier: int | None, later: int | None
) -> tuple[int, int]:
    from gtfs.publishing import find_published_version
    from gtfs.versions import list_versions

    if earlier is not None and later is not None:
        return earlier, later
    with services.database.read() as session:
        present = find_published_version(session, id_)
        versions = list_versions(session, id_)
    if present is None:
        raise BadInput(f"{authority} has no published version: name two versions")
    return present.number, earlier or versions[0].number


def _compare(services: "Services", authority: str, id_: int, pair: tuple[int, int], today: date) -> "Differences":
    from gtfs.changes import compare_versions
    from gtfs.versions import UnknownVersion, get_version

    with services.database.read() as session:
        try:
            first, second = (get_version(session, id_, number) for number in pair)
        except UnknownVersion as problem:
            raise unknown_version(authority, problem.number) from None
        return compare_versions(session, id_, first.id, second.id, today)


def _differences_in_words(first: int, second: int, found: "Differences") -> str:
    from gtfs.change_words import name_line_state, name_stop_state, tell_instead, tell_line, tell_stop

    if not found:
        return f"Nada muda da versão {first} para a versão {second}."
    lines = [f"Da versão {first} para a versão {second}:"]
    for line in found.lines:
        lines.append(f"\nLinha {line.name}: {name_line_state(line)}")
        lines += [f"  {sentence}" for sentence in (*tell_line(line), *tell_instead(line))]
    for stop in found.stops:
        lines.append(f"\nParada {stop.name}: {name_stop_state(stop)}")
        lines += [f"  {sentence}" for sentence in (*tell_stop(stop), *tell_instead(stop))]
    return "\n".join(lines)
