"""Checked feeds kept as versions, numbered within each authority; each content is kept once."""

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import column, func, table
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from gtfs.checks.notices import Report
from gtfs.compiled_feed import CompiledFeed
from gtfs.tables import DRAFT, FeedArchive, FeedServices, FeedVersion
from gtfs.version_rows import keep_lines, keep_stops

_NAME_LENGTH = 200
_AUTHORITY = table("authority", column("id"))


class UnknownVersion(Exception):
    """The authority has no version of that number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class UnknownAuthority(Exception):
    """There is no authority with that id."""

    def __init__(self, authority_id: int) -> None:
        super().__init__(authority_id)
        self.authority_id = authority_id


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A feed to be kept: its bytes as they came, their SHA-256, its report and what was compiled from it."""

    authority_id: int
    source_name: str
    raw: bytes
    sha256: str
    report: Report
    compiled: CompiledFeed
    by: str


def lock_feeds(session: Session, authority_id: int) -> None:
    """Make other writers of this authority's feeds wait until the transaction ends; raises UnknownAuthority.

    On SQLite a write transaction already excludes all others.
    """
    locked = select_columns(_AUTHORITY.c.id).where(_AUTHORITY.c.id == authority_id).with_for_update()
    if session.connection().execute(locked).first() is None:
        raise UnknownAuthority(authority_id)


def find_same(session: Session, authority_id: int, sha256: str) -> FeedVersion | None:
    """The version with this content, if it was kept before."""
    return session.exec(
        select(FeedVersion).where(FeedVersion.authority_id == authority_id, FeedVersion.sha256 == sha256)
    ).first()


def get_version(session: Session, authority_id: int, number: int) -> FeedVersion:
    """The version of a number; raises UnknownVersion."""
    found = session.exec(
        select(FeedVersion).where(FeedVersion.authority_id == authority_id, FeedVersion.number == number)
    ).first()
    if found is None:
        raise UnknownVersion(number)
    return found


def list_versions(session: Session, authority_id: int) -> tuple[FeedVersion, ...]:
    """All versions of an authority, the newest first."""
    newest_first = col(FeedVersion.number).desc()
    chosen = select(FeedVersion).where(FeedVersion.authority_id == authority_id).order_by(newest_first)
    return tuple(session.exec(chosen).all())


def get_version_archive(session: Session, authority_id: int, version_id: UUID) -> bytes:
    """The zip of a version, byte for byte as it came."""
    chosen = select(FeedArchive.content).where(
        FeedArchive.authority_id == authority_id, FeedArchive.version_id == version_id
    )
    return session.exec(chosen).one()


def set_with_fares(session: Session, authority_id: int, number: int, wanted: bool) -> FeedVersion:
    """Whether the public zip of a version carries the fares made from acts and law; raises UnknownVersion."""
    lock_feeds(session, authority_id)
    version = get_version(session, authority_id, number)
    version.with_fares = wanted
    session.flush()
    return version


def keep_version(session: Session, values: NewVersion, now: datetime) -> FeedVersion:
    """Keep a feed as a draft, with addresses for its lines and stops; known content: the old version."""
    lock_feeds(session, values.authority_id)
    same = find_same(session, values.authority_id, values.sha256)
    if same is not None:
        return same
    highest = session.exec(
        select(func.max(FeedVersion.number)).where(FeedVersion.authority_id == values.authority_id)
    ).one()
    version = _describe(values, (highest or 0) + 1, now)
    session.add(version)
    session.flush()
    authority, compiled = values.authority_id, values.compiled
    session.add(FeedArchive(authority_id=authority, version_id=version.id, content=values.raw))
    session.add(FeedServices(authority_id=authority, version_id=version.id, content=compiled.services))
    keep_lines(session, authority, version.id, compiled.lines)
    keep_stops(session, authority, version.id, compiled.stops)
    session.flush()
    return version


def _describe(values: NewVersion, number: int, now: datetime) -> FeedVersion:
    compiled = values.compiled
    summary = {
        "lines": len(compiled.lines),
        "lines_without_times": sum(not line.has_times for line in compiled.lines),
        "stops": len(compiled.stops),
        "publisher": compiled.publisher,
        "feed_version": compiled.feed_version,
        "errors": values.report.errors,
        "warnings": values.report.warnings,
        "bytes": len(values.raw),
    }
    return FeedVersion(
        authority_id=values.authority_id,
        number=number,
        sha256=values.sha256,
        state=DRAFT,
        source_name=values.source_name[:_NAME_LENGTH],
        zone=compiled.zone,
        first_day=compiled.first_day,
        last_day=compiled.last_day,
        report=json.dumps(values.report.to_json(), ensure_ascii=False, sort_keys=True),
        summary=json.dumps(summary, ensure_ascii=False, sort_keys=True),
        created_at=now,
        created_by=values.by,
    )
