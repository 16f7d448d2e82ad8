"""The zips of versions that riders have seen, for other software."""

from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from sqlalchemy import LargeBinary, func
from sqlalchemy.orm import QueryableAttribute, defer
from sqlmodel import Session, col, select

from gtfs.tables import PUBLISHED, FeedArchive, FeedVersion

_BIG = (FeedVersion.report, FeedVersion.summary)


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A zip as it came: `sha256` and `size` (bytes) are of what is stored; `shown_at` is the last publication."""

    authority_id: int
    version_id: UUID
    number: int
    sha256: str
    size: int
    shown_at: datetime
    with_fares: bool


def find_archive(session: Session, authority_id: int, number: int | None = None) -> ArchiveEntry | None:
    """The published version's zip, or that of a version that was published once; None when there is none."""
    here = col(FeedArchive.authority_id) == FeedVersion.authority_id
    chosen = (
        select(FeedVersion, func.length(FeedArchive.content))
        .join(FeedArchive, here & (col(FeedArchive.version_id) == FeedVersion.id))
        .where(FeedVersion.authority_id == authority_id, col(FeedVersion.published_at).is_not(None))
        .options(*(defer(cast("QueryableAttribute[object]", column)) for column in _BIG))
    )
    wanted = FeedVersion.state == PUBLISHED if number is None else FeedVersion.number == number
    found = session.exec(chosen.where(wanted)).first()
    if found is None:
        return None
    version, size = found
    shown_at = version.published_at or version.created_at
    return ArchiveEntry(
        authority_id, version.id, version.number, version.sha256, size, shown_at, version.with_fares
    )


def read_archive(session: Session, entry: ArchiveEntry, start: int = 0, length: int | None = None) -> bytes:
    """The bytes of a zip, or `length` of them from `start` on, which is all that the database then reads out."""
    content = col(FeedArchive.content)
    part = content if length is None else func.substr(content, start + 1, length, type_=LargeBinary)
    chosen = select(part).where(
        FeedArchive.authority_id == entry.authority_id, FeedArchive.version_id == entry.version_id
    )
    return bytes(session.exec(chosen).one())
