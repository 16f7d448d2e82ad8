"""`selo feed`: check, import, publish, list and roll back the GTFS feeds of an authority."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli import BadInput, opened_services
from web.cli.feed_files import as_csv_option, feed_file, name_of, read_file, refuse, report_in_words, say_csv
from web.cli.feed_reference import reference, separation
from web.cli.feed_versions import (
    diff_command,
    list_described_plans,
    plan_command,
    plan_in_words,
    plan_version,
)
from web.cli.feed_words import as_json_option, authority_id, get_town, local_today, say, unknown_version, who

if TYPE_CHECKING:
    from gtfs.importing import PreparedFeed
    from gtfs.tables import FeedVersion
    from web.services import Services


@click.group()
def feed() -> None:
    """Check, import and publish GTFS feeds."""


@feed.command()
@click.argument("file", type=feed_file)
@as_csv_option
@as_json_option
def check(file: Path, as_csv: bool, as_json: bool) -> None:
    """Tell what is wrong with a GTFS zip and whether it would publish. Needs no settings, database or network."""
    from gtfs.checking import check_feed
    from gtfs.checks.report_csv import report_to_csv

    report = check_feed(read_file(file), name_of(file), date.today(), second_opinion=True)
    if as_csv:
        say_csv(report_to_csv(report))
    else:
        say(report.to_json() if as_json else report_in_words(report), as_json)
    refuse(report)


@feed.command("import")
@click.argument("authority")
@click.argument("file", type=feed_file)
@click.option("--publish", "publish_too", is_flag=True, help="Show it to riders at once.")
@as_json_option
def import_(authority: str, file: Path, publish_too: bool, as_json: bool) -> None:
    """Check a GTFS zip and keep it as a version of AUTHORITY's feed; a refused one is not kept."""
    from gtfs.importing import Importing, import_feed

    with opened_services() as services, _progress(3) as step:
        town = get_town(services, authority)
        prepared = _prepare(file, local_today(services, town), step)
        version = None
        if prepared.report.accepted:
            with services.database.write() as session:
                values = Importing(authority_id(town), prepared, who(), publish_too)
                version = _describe(import_feed(session, values, services.clock()))
            _compare(services)
            step()
    if as_json:
        say({"report": prepared.report.to_json(), "version": version}, as_json)
    else:
        kept = f"\n\n{_version_in_words(version)}" if version else ""
        say(report_in_words(prepared.report) + kept, as_json)
    refuse(prepared.report)


@feed.command()
@click.argument("authority")
@click.argument("version", type=click.IntRange(1, 2**31 - 1))
@click.option("--on", type=click.DateTime(("%Y-%m-%d",)), help="At the start of that day there, instead of now.")
@as_json_option
def publish(authority: str, version: int, on: datetime | None, as_json: bool) -> None:
    """Show VERSION of AUTHORITY's feed to riders, now or from a day on."""
    from gtfs.changes import keep_changes, prepare_publication
    from gtfs.publishing import Publishing
    from gtfs.publishing import publish as publish_version
    from gtfs.versions import UnknownVersion

    if on is not None:
        made = plan_version(authority, version, on)
        say(made if as_json else plan_in_words(made), as_json)
        return
    with opened_services() as services:
        town = get_town(services, authority)
        try:
            with services.database.read() as session:
                today = local_today(services, town)
                prepared = prepare_publication(session, authority_id(town), version, today)
            with services.database.write() as session:
                values = Publishing(authority_id(town), version, who())
                shown = _describe(publish_version(session, values, services.clock()))
                keep_changes(session, prepared)
        except UnknownVersion:
            raise unknown_version(authority, version) from None
    say(shown if as_json else _version_in_words(shown), as_json)


@feed.command()
@click.argument("authority")
@click.argument("version", type=click.IntRange(1, 2**31 - 1), required=False)
@as_json_option
def rollback(authority: str, version: int | None, as_json: bool) -> None:
    """Show again the version published before the present one, or VERSION."""
    from gtfs.publishing import NeverPublished, NothingToRollBack, RollingBack
    from gtfs.publishing import rollback as roll_back
    from gtfs.versions import UnknownVersion

    with opened_services() as services:
        town = get_town(services, authority)
        try:
            with services.database.write() as session:
                values = RollingBack(authority_id(town), who(), version)
                shown = _describe(roll_back(session, values, services.clock()))
            _compare(services)
        except NothingToRollBack:
            raise BadInput(f"no version of {authority} was published before the present one") from None
        except NeverPublished:
            raise BadInput(f"version {version} of {authority} was never published") from None
        except UnknownVersion:
            raise unknown_version(authority, version or 0) from None
    say(shown if as_json else _version_in_words(shown), as_json)


@feed.command("list")
@click.argument("authority")
@as_json_option
def list_(authority: str, as_json: bool) -> None:
    """List the versions of AUTHORITY's feed, the newest first."""
    from gtfs.versions import list_versions

    with opened_services() as services:
        town = get_town(services, authority)
        with services.database.read() as session:
            versions = [_describe(version) for version in list_versions(session, authority_id(town))]
        plans = list_described_plans(services, authority_id(town))
    lines = [*map(_version_in_words, versions), *map(plan_in_words, plans)]
    say(versions if as_json else "\n".join(lines) or f"{authority} has no feed yet.", as_json)


feed.add_command(reference)
feed.add_command(separation)
feed.add_command(plan_command)
feed.add_command(diff_command)


@feed.command(hidden=True)
@click.option("--parent", type=int, help="End when this process does.")
def work(parent: int | None) -> None:
    """Make versions of the files that clerks sent; started by the worker."""
    import os

    from web.feed_work import limit_memory, work_uploads
    from web.logs import configure_logs
    from web.worker_child import call_when_orphaned

    configure_logs()
    limit_memory()
    if parent is not None:
        call_when_orphaned(parent, lambda: os._exit(1))
    with opened_services() as services:
        work_uploads(services)


@feed.command()
@click.argument("authority")
@click.argument("wanted", type=click.Choice(["with", "without"]), metavar="with|without")
@click.option("--version", type=click.IntRange(1, 2**31 - 1), help="Not the published version, but this one.")
@as_json_option
def fares(authority: str, wanted: str, version: int | None, as_json: bool) -> None:
    """Publish AUTHORITY's zip with or without the fares made from its law and its fare acts."""
    from gtfs.publishing import find_published_version
    from gtfs.versions import UnknownVersion, set_with_fares

    with opened_services() as services:
        town = get_town(services, authority)
        try:
            with services.database.write() as session:
                shown = find_published_version(session, authority_id(town))
                number = version or (shown.number if shown else None)
                if number is None:
                    raise BadInput(f"{authority} has no published feed; name a version with --version")
                kept = set_with_fares(session, authority_id(town), number, wanted == "with")
                made = {"number": kept.number, "with_fares": kept.with_fares}
        except UnknownVersion:
            raise unknown_version(authority, version or 0) from None
    say(made if as_json else f"version {made['number']} is published {wanted} the fares of the law", as_json)


@contextmanager
def _progress(steps: int) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error, only where a person looks at it."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=steps, file=sys.stderr) as bar:
        yield lambda: bar.update(1)


def _prepare(file: Path, today: date, step: Callable[[], None]) -> "PreparedFeed":
    from gtfs.importing import prepare_feed

    prepared = prepare_feed(read_file(file), name_of(file), today, on_checked=step, second_opinion=True)
    step()
    return prepared


def _compare(services: "Services") -> None:
    """Say at once what changed, as the worker would in its next round."""
    from web.feed_tasks import compare_successions

    compare_successions(services, services.clock())


def _describe(version: "FeedVersion") -> dict[str, Any]:
    """Plain values of a version; instants in UTC, days local."""
    summary = json.loads(version.summary)
    return {
        "number": version.number,
        "state": version.state,
        "source_name": version.source_name,
        "sha256": version.sha256,
        "first_day": version.first_day.isoformat() if version.first_day else None,
        "last_day": version.last_day.isoformat() if version.last_day else None,
        "lines": summary["lines"],
        "lines_without_times": summary["lines_without_times"],
        "stops": summary["stops"],
        "warnings": summary["warnings"],
        "created_at": version.created_at.isoformat(),
        "created_by": version.created_by,
        "published_at": version.published_at.isoformat() if version.published_at else None,
        "published_by": version.published_by,
        "publish_on": version.publish_on.isoformat() if version.publish_on else None,
        "planned_by": version.planned_by,
        "with_fares": version.with_fares,
    }


def _version_in_words(version: dict[str, Any]) -> str:
    days = f"{version['first_day']} to {version['last_day']}" if version["first_day"] else "no days"
    return (
        f"version {version['number']}  {version['state']:<9}  {version['source_name']}  {version['lines']} lines, "
        f"{version['stops']} stops, {days}, {version['warnings']} warnings"
    )
