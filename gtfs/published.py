"""The published feed as pages read it: few columns, one line or stop at a time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Protocol, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement
from sqlalchemy.orm import QueryableAttribute, defer
from sqlalchemy.orm.interfaces import ORMOption
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from gtfs.compiled import Direction, StopBoard, unpack, unpack_line, unpack_stop
from gtfs.fares import LineFares, fares_from_json
from gtfs.line_details import unpack_details
from gtfs.service_days import ServiceDays, service_from_json
from gtfs.tables import PUBLISHED, FeedAddress, FeedArchive, FeedLine, FeedServices, FeedStop, FeedVersion
from gtfs.version_rows import AddressKind


@dataclass(frozen=True, slots=True)
class PublishedFeed:
    """What every page needs to know of the published version; days are local, both included."""

    authority_id: int
    version_id: UUID
    number: int
    sha256: str
    zone: ZoneInfo
    first_day: date | None
    last_day: date | None
    published_at: datetime


@dataclass(frozen=True, slots=True)
class LineEntry:
    """A line in a list; colours are six hexadecimal digits or blank."""

    position: int
    slug: str
    gtfs_id: str
    short_name: str
    long_name: str
    description: str
    kind: int
    colour: str
    text_colour: str
    has_times: bool

    @property
    def name(self) -> str:
        """Number and name as people say them; the GTFS id when the feed has neither."""
        names = [self.short_name, self.long_name] if self.long_name != self.short_name else [self.short_name]
        return " · ".join(filter(None, names)) or self.gtfs_id


@dataclass(frozen=True, slots=True)
class LineDetails:
    """What a line's fare is made from: `fares` are the feed's own; `network` and `agency` are ids of the feed."""

    position: int
    gtfs_id: str
    fares: LineFares | None
    network: str
    agency: str


@dataclass(frozen=True, slots=True)
class StopEntry:
    """A stop in a list."""

    position: int
    slug: str
    gtfs_id: str
    code: str
    name: str
    latitude: float | None
    longitude: float | None


def find_published(session: Session, authority_id: int) -> PublishedFeed | None:
    """The version riders see; None when nothing is published."""
    row = session.exec(
        select(FeedVersion)
        .where(FeedVersion.authority_id == authority_id, FeedVersion.state == PUBLISHED)
        .options(*_without(FeedVersion.report, FeedVersion.summary))
    ).first()
    if row is None:
        return None
    return _published_feed(row)


def find_version(session: Session, authority_id: int, number: int) -> PublishedFeed | None:
    """Any version as if riders saw it; None when there is none of that number. A draft counts from its arrival."""
    row = session.exec(
        select(FeedVersion)
        .where(FeedVersion.authority_id == authority_id, FeedVersion.number == number)
        .options(*_without(FeedVersion.report, FeedVersion.summary))
    ).first()
    return _published_feed(row) if row else None


def list_lines(session: Session, feed: PublishedFeed) -> tuple[LineEntry, ...]:
    """All lines in the order people count in."""
    rows = session.exec(_lines(feed).order_by(col(FeedLine.sort_key), col(FeedLine.position))).all()
    return tuple(map(line_entry, rows))


class OfVersion(Protocol):
    """Whatever names a version of an authority."""

    @property
    def authority_id(self) -> int:
        """The authority's id."""

    @property
    def version_id(self) -> UUID:
        """The version's id."""


def list_line_details(session: Session, feed: OfVersion) -> tuple[LineDetails, ...]:
    """The details of every line, in the order of routes.txt."""
    rows = session.exec(
        select(FeedLine.position, FeedLine.gtfs_id, FeedLine.details)
        .where(FeedLine.authority_id == feed.authority_id, FeedLine.version_id == feed.version_id)
        .order_by(col(FeedLine.position))
    ).all()
    return tuple(_line_details(*row) for row in rows)


def get_line_details(session: Session, feed: PublishedFeed, position: int) -> dict[str, Any]:
    """The parts of one line's details, as `unpack_details` gives them."""
    content = session.exec(
        select(FeedLine.details).where(
            FeedLine.authority_id == feed.authority_id,
            FeedLine.version_id == feed.version_id,
            FeedLine.position == position,
        )
    ).first()
    return unpack_details(content)


def list_stops(session: Session, feed: PublishedFeed) -> tuple[StopEntry, ...]:
    """All stops and stations, in the order of stops.txt."""
    chosen = (
        select(FeedStop)
        .where(FeedStop.authority_id == feed.authority_id, FeedStop.version_id == feed.version_id)
        .options(*_without(FeedStop.content, FeedStop.search))
        .order_by(col(FeedStop.position))
    )
    return tuple(map(stop_entry, session.exec(chosen).all()))


def find_line(session: Session, feed: PublishedFeed, slug: str) -> tuple[LineEntry, tuple[Direction, ...]] | None:
    """A line and its directions; None when the published version has no line of that address."""
    return _find_line(session, feed, col(FeedLine.slug) == slug)


def find_line_by_id(
    session: Session, feed: PublishedFeed, gtfs_id: str
) -> tuple[LineEntry, tuple[Direction, ...]] | None:
    """The same by `route_id`."""
    return _find_line(session, feed, col(FeedLine.gtfs_id) == gtfs_id)


def _find_line(
    session: Session, feed: PublishedFeed, wanted: ColumnElement[bool]
) -> tuple[LineEntry, tuple[Direction, ...]] | None:
    row = session.exec(
        select(FeedLine).where(
            FeedLine.authority_id == feed.authority_id, FeedLine.version_id == feed.version_id, wanted
        )
    ).first()
    return (line_entry(row), unpack_line(row.content)) if row else None


def find_stop(session: Session, feed: PublishedFeed, slug: str) -> tuple[StopEntry, StopBoard] | None:
    """A stop and its board; None when the published version has no stop of that address."""
    row = session.exec(
        select(FeedStop).where(
            FeedStop.authority_id == feed.authority_id,
            FeedStop.version_id == feed.version_id,
            FeedStop.slug == slug,
        )
    ).first()
    return (stop_entry(row), unpack_stop(row.content)) if row else None


def get_lines(session: Session, feed: PublishedFeed, positions: Iterable[int]) -> dict[int, LineEntry]:
    """Lines by position."""
    rows = session.exec(_lines(feed).where(col(FeedLine.position).in_(set(positions)))).all()
    return {row.position: line_entry(row) for row in rows}


def get_stops(session: Session, feed: PublishedFeed, positions: Iterable[int]) -> dict[int, StopEntry]:
    """Stops by position."""
    chosen = (
        select(FeedStop)
        .where(FeedStop.authority_id == feed.authority_id, FeedStop.version_id == feed.version_id)
        .where(col(FeedStop.position).in_(set(positions)))
        .options(*_without(FeedStop.content))
    )
    return {row.position: stop_entry(row) for row in session.exec(chosen).all()}


def get_services(session: Session, feed: PublishedFeed) -> tuple[ServiceDays, ...]:
    """The services of the version by position."""
    content = session.exec(
        select(FeedServices.content).where(
            FeedServices.authority_id == feed.authority_id, FeedServices.version_id == feed.version_id
        )
    ).one()
    return _unpack_services(content)


def get_archive(session: Session, feed: PublishedFeed) -> bytes:
    """The zip as it came, byte for byte."""
    return session.exec(
        select(FeedArchive.content).where(
            FeedArchive.authority_id == feed.authority_id, FeedArchive.version_id == feed.version_id
        )
    ).one()


def was_address(session: Session, authority_id: int, kind: AddressKind, slug: str) -> bool:
    """Whether any version, published or not, had a line or stop of that address."""
    chosen = select(FeedAddress.slug).where(
        FeedAddress.authority_id == authority_id, FeedAddress.kind == kind, FeedAddress.slug == slug
    )
    return session.exec(chosen).first() is not None


def _published_feed(row: FeedVersion) -> PublishedFeed:
    return PublishedFeed(
        authority_id=row.authority_id,
        version_id=row.id,
        number=row.number,
        sha256=row.sha256,
        zone=ZoneInfo(row.zone),
        first_day=row.first_day,
        last_day=row.last_day,
        published_at=row.published_at or row.created_at,
    )


def _lines(feed: PublishedFeed) -> SelectOfScalar[FeedLine]:
    return (
        select(FeedLine)
        .where(FeedLine.authority_id == feed.authority_id, FeedLine.version_id == feed.version_id)
        .options(*_without(FeedLine.content, FeedLine.search, FeedLine.details))
    )


def _line_details(position: int, gtfs_id: str, content: bytes | None) -> LineDetails:
    parts = unpack_details(content)
    fares = fares_from_json(parts["fares"]) if "fares" in parts else None
    return LineDetails(position, gtfs_id, fares, parts.get("network", ""), parts.get("agency", ""))


def _without(*columns: object) -> list[ORMOption]:
    """Leave big columns in the database."""
    return [defer(cast("QueryableAttribute[object]", column)) for column in columns]


def line_entry(row: FeedLine) -> LineEntry:
    """The columns of a list."""
    return LineEntry(
        position=row.position,
        slug=row.slug,
        gtfs_id=row.gtfs_id,
        short_name=row.short_name,
        long_name=row.long_name,
        description=row.description,
        kind=row.kind,
        colour=row.colour,
        text_colour=row.text_colour,
        has_times=row.has_times,
    )


def stop_entry(row: FeedStop) -> StopEntry:
    """The columns of a list."""
    return StopEntry(row.position, row.slug, row.gtfs_id, row.code, row.name, row.latitude, row.longitude)


@lru_cache(maxsize=64)
def _unpack_services(content: bytes) -> tuple[ServiceDays, ...]:
    return tuple(service_from_json(values) for values in unpack(content))
