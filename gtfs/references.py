"""The reference feed of an authority: another operator's timetable that its own is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256

from sqlmodel import Session, col, func, select

from gtfs.checks.notices import Report
from gtfs.clerk_tables import FeedReference
from gtfs.comparable import Comparable, comparable_of, comparable_of_version, unpack_comparable
from gtfs.compiled_feed import CompiledFeed
from gtfs.separation import Asked, choose_days, compare_departures
from gtfs.separation_report import SeparationReport
from gtfs.tables import FeedVersion
from gtfs.versions import lock_feeds


class UnknownReference(Exception):
    """The authority has no reference feed of that number, or none at all."""


@dataclass(frozen=True, slots=True)
class PreparedReference:
    """A reference feed read, checked and made comparable. `departures` is None when the report refuses it."""

    name: str
    raw: bytes
    report: Report
    departures: bytes | None


@dataclass(frozen=True, slots=True)
class NewReference:
    """Keep a prepared reference for an authority, on behalf of `by`."""

    authority_id: int
    prepared: PreparedReference
    by: str


def keep_reference(session: Session, values: NewReference, now: datetime) -> FeedReference:
    """Keep a reference feed, which is in use from now on; the one in use with the same content stays it.

    Raises ValueError for a refused one, or UnknownAuthority.
    """
    prepared = values.prepared
    if prepared.departures is None:
        raise ValueError("a refused feed is no reference")
    lock_feeds(session, values.authority_id)
    digest = sha256(prepared.raw).hexdigest()
    present = find_reference(session, values.authority_id)
    if present is not None and present.sha256 == digest:
        return present
    of_authority = FeedReference.authority_id == values.authority_id
    highest = session.exec(select(func.max(FeedReference.number)).where(of_authority)).one()
    reference = FeedReference(
        authority_id=values.authority_id,
        number=(highest or 0) + 1,
        source_name=prepared.name[:200],
        sha256=digest,
        content=prepared.raw,
        departures=prepared.departures,
        created_at=now,
        created_by=values.by[:120],
    )
    session.add(reference)
    session.flush()
    return reference


def find_reference(session: Session, authority_id: int) -> FeedReference | None:
    """The reference feed in use: the newest that was not removed."""
    chosen = select(FeedReference).where(
        FeedReference.authority_id == authority_id, col(FeedReference.removed_at).is_(None)
    )
    return session.exec(chosen.order_by(col(FeedReference.number).desc()).limit(1)).first()


def list_references(session: Session, authority_id: int) -> tuple[FeedReference, ...]:
    """All reference feeds, the newest first, removed ones too."""
    chosen = select(FeedReference).where(FeedReference.authority_id == authority_id)
    return tuple(session.exec(chosen.order_by(col(FeedReference.number).desc())).all())


def remove_reference(session: Session, authority_id: int, number: int, by: str, now: datetime) -> FeedReference:
    """Take a reference feed out of use; the newest left, if any, is in use again. Removed already: unchanged.

    Raises UnknownReference.
    """
    lock_feeds(session, authority_id)
    chosen = select(FeedReference).where(
        FeedReference.authority_id == authority_id, FeedReference.number == number
    )
    reference = session.exec(chosen).first()
    if reference is None:
        raise UnknownReference
    if reference.removed_at is None:
        reference.removed_at, reference.removed_by = now, by[:120]
        session.add(reference)
        session.flush()
    return reference


def compare_with_reference(
    feed: Comparable | CompiledFeed, reference: bytes, days: Sequence[date], asked: Asked
) -> SeparationReport:
    """The departures of a feed nearer than asked to those of `reference` (`FeedReference.departures`)."""
    ours = comparable_of(feed) if isinstance(feed, CompiledFeed) else feed
    return compare_departures(ours, unpack_comparable(reference), days, asked)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a version and the reference in use are compared by, read out of the database; `run` needs none."""

    ours: Comparable
    reference: bytes
    reference_name: str
    days: tuple[date, ...]

    def run(self, asked: Asked) -> SeparationReport:
        """Compare; it may take seconds for a city, so never inside a transaction that writes."""
        return compare_with_reference(self.ours, self.reference, self.days, asked)


def read_comparison(session: Session, version: FeedVersion, today: date) -> Comparison:
    """What is needed to compare a version with the reference in use; raises UnknownReference without one."""
    reference = find_reference(session, version.authority_id)
    if reference is None:
        raise UnknownReference
    days = choose_days(today, version.first_day, version.last_day)
    ours = comparable_of_version(session, version)
    return Comparison(ours, reference.departures, reference.source_name, days)
