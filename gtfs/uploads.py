"""Files on their way to a version: kept at once, taken by one worker at a time, lost by no death."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from sqlalchemy import ColumnElement, and_, or_
from sqlmodel import Session, col, func, select

from gtfs.clerk_tables import DROPPED, FAILED, PROPOSED, WAITING, WORKING, FeedUpload
from gtfs.tables import FeedVersion
from gtfs.versions import lock_feeds

Purpose = Literal["feed", "file", "reference"]

LEASE = timedelta(minutes=3)
"""How long a worker may be silent on an upload before another takes it: a part of the work takes half a minute."""

MOST_ATTEMPTS = 3
KEPT_OPEN = 20
"""Uploads of one authority that may wait at a time."""


class TooManyUploads(Exception):
    """So many uploads of this authority wait already that no more is taken."""


class NotProposed(Exception):
    """The upload waits for nobody's word: it was decided already."""


class UnknownUpload(Exception):
    """The authority has no upload of that number."""


@dataclass(frozen=True, slots=True)
class NewUpload:
    """A file to be made a version, or a reference; `base_id` is the version one file of which was replaced."""

    authority_id: int
    purpose: Purpose
    source_name: str
    content: bytes
    by: str
    base_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How the work on an upload ended; `report` is JSON text, None when nothing could be read."""

    state: str
    report: str | None
    version_id: UUID | None = None


def add_upload(session: Session, values: NewUpload, now: datetime) -> FeedUpload:
    """Keep a file until the worker takes it. Raises UnknownAuthority or TooManyUploads."""
    lock_feeds(session, values.authority_id)
    of_authority = FeedUpload.authority_id == values.authority_id
    waiting = select(func.count()).where(of_authority, col(FeedUpload.state).in_((WAITING, WORKING)))
    if session.exec(waiting).one() >= KEPT_OPEN:
        raise TooManyUploads
    highest = session.exec(select(func.max(FeedUpload.number)).where(of_authority)).one()
    upload = FeedUpload(
        authority_id=values.authority_id,
        number=(highest or 0) + 1,
        purpose=values.purpose,
        source_name=values.source_name[:200],
        content=values.content,
        base_id=values.base_id,
        state=WAITING,
        created_at=now,
        created_by=values.by[:120],
    )
    session.add(upload)
    session.flush()
    return upload


def is_any_waiting(session: Session, now: datetime) -> bool:
    """Whether some upload may be taken."""
    return session.exec(select(FeedUpload.id).where(_is_free(now)).limit(1)).first() is not None


def take_upload(session: Session, now: datetime) -> FeedUpload | None:
    """The oldest upload nobody works on, now ours for LEASE; None when there is none.

    One that was taken MOST_ATTEMPTS times and never ended is given up: `failed`.
    """
    while True:
        chosen = select(FeedUpload).where(_is_free(now)).order_by(col(FeedUpload.created_at)).limit(1)
        upload = session.exec(chosen.with_for_update(skip_locked=True)).first()
        if upload is None:
            return None
        if upload.attempts < MOST_ATTEMPTS:
            break
        _end(upload, Ending(FAILED, None), now)
        session.flush()
    upload.state, upload.step = WORKING, ""
    upload.attempts += 1
    upload.lease_until = now + LEASE
    session.flush()
    return upload


def note_step(session: Session, key: tuple[int, UUID], step: str, now: datetime) -> None:
    """Say which part of the work goes on, for whoever waits."""
    upload = session.get_one(FeedUpload, key)
    if upload.state == WORKING:
        upload.step, upload.lease_until = step[:40], now + LEASE
        session.flush()


def finish_upload(session: Session, key: tuple[int, UUID], ending: Ending, now: datetime) -> None:
    """Note how it ended and let go of the file. The first ending stays."""
    upload = session.exec(
        select(FeedUpload).where(FeedUpload.authority_id == key[0], FeedUpload.id == key[1]).with_for_update()
    ).one()
    if upload.state in (WAITING, WORKING):
        _end(upload, ending, now)
        session.flush()


def propose_upload(session: Session, key: tuple[int, UUID], report: str, now: datetime) -> None:
    """Keep the file until the clerk has looked at what it changes; `report` is JSON text."""
    upload = session.get_one(FeedUpload, key)
    if upload.state == WORKING:
        upload.state, upload.report, upload.lease_until, upload.step = PROPOSED, report, None, ""
        session.flush()


def decide_proposal(session: Session, authority_id: int, number: int, accept: bool, now: datetime) -> FeedUpload:
    """The clerk's word: make a version of it, or give it up. Raises UnknownUpload or NotProposed."""
    lock_feeds(session, authority_id)
    upload = get_upload(session, authority_id, number)
    if upload.state != PROPOSED:
        raise NotProposed
    if accept:
        upload.purpose, upload.state, upload.attempts = "feed", WAITING, 0
    else:
        _end(upload, Ending(DROPPED, upload.report), now)
    session.flush()
    return upload


def get_upload(session: Session, authority_id: int, number: int) -> FeedUpload:
    """The upload of a number; raises UnknownUpload."""
    chosen = select(FeedUpload).where(FeedUpload.authority_id == authority_id, FeedUpload.number == number)
    upload = session.exec(chosen).first()
    if upload is None:
        raise UnknownUpload(number)
    return upload


def list_uploads(
    session: Session, authority_id: int, states: Collection[str], limit: int = 20
) -> tuple[tuple[FeedUpload, int | None], ...]:
    """Uploads in some states, the newest first, each with the number of the version it made."""
    rows = session.exec(
        select(FeedUpload, FeedVersion.number)
        .join(
            FeedVersion,
            and_(
                col(FeedVersion.authority_id) == col(FeedUpload.authority_id),
                col(FeedVersion.id) == col(FeedUpload.version_id),
            ),
            isouter=True,
        )
        .where(FeedUpload.authority_id == authority_id, col(FeedUpload.state).in_(states))
        .order_by(col(FeedUpload.number).desc())
        .limit(limit)
    ).all()
    return tuple((upload, number) for upload, number in rows)


def _is_free(now: datetime) -> ColumnElement[bool]:
    died = and_(col(FeedUpload.state) == WORKING, col(FeedUpload.lease_until) <= now)
    return or_(col(FeedUpload.state) == WAITING, died)


def _end(upload: FeedUpload, ending: Ending, now: datetime) -> None:
    upload.state, upload.report, upload.version_id = ending.state, ending.report, ending.version_id
    upload.content, upload.lease_until, upload.step, upload.finished_at = None, None, "", now
