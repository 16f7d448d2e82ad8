"""A feed as it is compared with another: where its stops are and when each line leaves them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from gtfs.compiled import Direction, directions_from_json, directions_to_json, pack, unpack, unpack_line
from gtfs.compiled_feed import CompiledFeed
from gtfs.service_days import ServiceDays, service_from_json
from gtfs.tables import FeedLine, FeedServices, FeedStop, FeedVersion


@dataclass(frozen=True, slots=True)
class Spot:
    """A stop by its place in degrees; None where it has none."""

    gtfs_id: str
    name: str
    latitude: float | None
    longitude: float | None


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """A line with its ways; patterns name stops and services by position."""

    gtfs_id: str
    name: str
    directions: tuple[Direction, ...]


@dataclass(frozen=True, slots=True)
class Comparable:
    """Everything of a feed that a comparison of departures needs; `zone` is a tz name."""

    zone: str
    services: tuple[ServiceDays, ...]
    stops: tuple[Spot, ...]
    lines: tuple[ComparedLine, ...]


def comparable_of(compiled: CompiledFeed) -> Comparable:
    """What a compiled feed is compared by."""
    return _assemble(compiled.zone, compiled.services, compiled.stops, compiled.lines)


def comparable_of_version(session: Session, version: FeedVersion) -> Comparable:
    """What a kept version is compared by."""
    authority, id_ = version.authority_id, version.id
    services = session.exec(
        select(FeedServices.content).where(FeedServices.authority_id == authority, FeedServices.version_id == id_)
    ).one()
    stops = session.exec(
        select(FeedStop.gtfs_id, FeedStop.name, FeedStop.latitude, FeedStop.longitude)
        .where(FeedStop.authority_id == authority, FeedStop.version_id == id_)
        .order_by(col(FeedStop.position))
    ).all()
    lines = session.exec(
        select(FeedLine)
        .where(FeedLine.authority_id == authority, FeedLine.version_id == id_)
        .order_by(col(FeedLine.position))
    ).all()
    return _assemble(version.zone, services, [Spot(*stop) for stop in stops], lines)


def pack_comparable(feed: Comparable) -> bytes:
    """The feed as stored bytes."""
    return pack(
        [
            feed.zone,
            [service.to_json() for service in feed.services],
            [[stop.gtfs_id, stop.name, stop.latitude, stop.longitude] for stop in feed.stops],
            [[line.gtfs_id, line.name, directions_to_json(line.directions)] for line in feed.lines],
        ]
    )


def unpack_comparable(content: bytes) -> Comparable:
    """The feed that `pack_comparable` stored."""
    zone, services, stops, lines = unpack(content)
    return Comparable(
        zone,
        tuple(map(service_from_json, services)),
        tuple(Spot(*stop) for stop in stops),
        tuple(ComparedLine(id_, name, directions_from_json(values)) for id_, name, values in lines),
    )


def _assemble(zone: str, services: bytes, stops: Iterable[Any], lines: Iterable[Any]) -> Comparable:
    return Comparable(
        zone,
        tuple(map(service_from_json, unpack(services))),
        tuple(Spot(stop.gtfs_id, stop.name, stop.latitude, stop.longitude) for stop in stops),
        tuple(
            ComparedLine(
                line.gtfs_id, line.short_name or line.long_name or line.gtfs_id, unpack_line(line.content)
            )
            for line in lines
        ),
    )
