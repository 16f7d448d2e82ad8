"""Addresses that lead to nothing any more, or not yet: what was there, until when, and what serves instead."""

from dataclasses import dataclass, replace
from datetime import date
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from gtfs.changes import Succession, find_line_change, find_stop_change, list_successions
from gtfs.clerk_tables import FeedChange
from gtfs.difference_values import LineChange, NearStop, OtherLine, StopChange
from gtfs.published import PublishedFeed, line_entry
from gtfs.tables import FeedLine, FeedStop, FeedVersion
from gtfs.version_rows import AddressKind

_MOST_MOVES = 5


@dataclass(frozen=True, slots=True)
class Moved:
    """The same line or stop is now at another address."""

    slug: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A line or stop that riders no longer find; `day` is the first local day without it.

    `lines` and `stops` serve instead and are in the published version.
    """

    name: str
    day: date
    lines: tuple[OtherLine, ...] = ()
    stops: tuple[NearStop, ...] = ()


@dataclass(frozen=True, slots=True)
class Coming:
    """A line or stop that begins with a version planned for `day`."""

    name: str
    day: date


def find_departed(
    session: Session, feed: PublishedFeed, kind: AddressKind, slug: str
) -> Moved | Ended | Coming | None:
    """What to say at an address that the published version does not have; None when it never was one."""
    current = list_slugs(session, feed, kind)
    wanted = slug
    for _ in range(_MOST_MOVES):
        found = _find_change(session, feed.authority_id, kind, wanted)
        if found is None:
            break
        succession, change = found
        if change.state == "ends":
            return _end(session, feed, succession, change)
        if change.slug in current:
            return Moved(change.slug)
        wanted = change.slug
    return _find_last(session, feed, kind, slug) or _find_coming(session, feed, kind, slug)


def list_slugs(session: Session, feed: PublishedFeed, kind: AddressKind) -> frozenset[str]:
    """The addresses of the published version's lines or stops."""
    table = FeedLine if kind == "line" else FeedStop
    chosen = select(table.slug).where(table.authority_id == feed.authority_id, table.version_id == feed.version_id)
    return frozenset(session.exec(chosen).all())


def _find_change(
    session: Session, authority_id: int, kind: AddressKind, slug: str
) -> tuple[Succession, LineChange | StopChange] | None:
    """The latest change that took the address away."""
    chosen = select(FeedChange.version_id, FeedChange.base_id).where(
        FeedChange.authority_id == authority_id, FeedChange.kind == kind, FeedChange.slug == slug
    )
    pairs = set(session.exec(chosen).all())
    for succession in list_successions(session, authority_id) if pairs else ():
        if (succession.version_id, succession.base_id) in pairs and not succession.planned:
            find = find_line_change if kind == "line" else find_stop_change
            change = find(session, succession, slug)
            if change and (change.state == "ends" or change.old_slug == slug):
                return succession, change
    return None


def _end(session: Session, feed: PublishedFeed, succession: Succession, change: LineChange | StopChange) -> Ended:
    lines, stops = list_slugs(session, feed, "line"), list_slugs(session, feed, "stop")
    ended = Ended(change.name, succession.from_day)
    if isinstance(change, LineChange):
        return replace(ended, lines=tuple(one for one in change.instead if one.line.slug in lines))
    near = (
        replace(one, lines=tuple(line for line in one.lines if line.slug in lines))
        for one in change.instead
        if one.stop.slug in stops
    )
    return replace(ended, stops=tuple(near))


def _find_last(session: Session, feed: PublishedFeed, kind: AddressKind, slug: str) -> Ended | None:
    """From the version that had the address last, when what followed it was not compared."""
    retired = _versions_with(feed, kind, slug).where(col(FeedVersion.retired_at).is_not(None))
    version = session.exec(retired.order_by(col(FeedVersion.retired_at).desc())).first()
    if version is None or version.retired_at is None:
        return None
    day = version.retired_at.astimezone(ZoneInfo(version.zone)).date()
    return Ended(_read_name(session, version, kind, slug), day)


def _find_coming(session: Session, feed: PublishedFeed, kind: AddressKind, slug: str) -> Coming | None:
    planned = _versions_with(feed, kind, slug).where(col(FeedVersion.publish_on).is_not(None))
    version = session.exec(planned.order_by(col(FeedVersion.publish_on))).first()
    if version is None or version.publish_on is None:
        return None
    return Coming(_read_name(session, version, kind, slug), version.publish_on)


def _versions_with(feed: PublishedFeed, kind: AddressKind, slug: str) -> SelectOfScalar[FeedVersion]:
    table = FeedLine if kind == "line" else FeedStop
    here = col(table.authority_id) == FeedVersion.authority_id
    return (
        select(FeedVersion)
        .join(table, here & (col(table.version_id) == FeedVersion.id))
        .where(table.authority_id == feed.authority_id, table.slug == slug)
    )


def _read_name(session: Session, version: FeedVersion, kind: AddressKind, slug: str) -> str:
    if kind == "stop":
        stops = select(FeedStop.name).where(
            FeedStop.authority_id == version.authority_id,
            FeedStop.version_id == version.id,
            FeedStop.slug == slug,
        )
        return session.exec(stops).one()
    lines = select(FeedLine).where(
        FeedLine.authority_id == version.authority_id, FeedLine.version_id == version.id, FeedLine.slug == slug
    )
    return line_entry(session.exec(lines).one()).name
