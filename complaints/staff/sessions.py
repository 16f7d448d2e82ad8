"""Log-ins of staff, kept on the server: a random token in the cookie, only its hash in the database."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, delete, select

from complaints.staff.accounts import StaffMember, member_of
from complaints.staff.tables import Staff, StaffSession

LONGEST = timedelta(hours=12)
IDLE = timedelta(hours=2)
TOUCH_AFTER = timedelta(minutes=5)
"""How stale `last_seen_at` may be before a request writes it again."""


@dataclass(frozen=True)
class SignedIn:
    """A live session: who, under which public name of the session, and whether its last use is to be noted."""

    member: StaffMember
    session_name: str
    stale: bool


def open_session(session: Session, staff: Staff, now: datetime) -> str:
    """Start a session of this person; returns the token for the cookie, which is stored nowhere.

    Sessions of this person that have ended are forgotten on the way.
    """
    forget_ended(session, now, staff)
    token = secrets.token_urlsafe(32)
    session.add(
        StaffSession(
            authority_id=staff.authority_id,
            staff_id=staff.id,
            token_hash=_hash(token),
            created_at=now,
            last_seen_at=now,
            expires_at=now + LONGEST,
        )
    )
    return token


def find_session(session: Session, token: str, now: datetime) -> SignedIn | None:
    """The live session of a token; none when unknown, ended, idle too long, or its account is closed."""
    found = session.exec(
        select(StaffSession, Staff)
        .join(
            Staff,
            (col(Staff.authority_id) == StaffSession.authority_id) & (col(Staff.id) == StaffSession.staff_id),
        )
        .where(StaffSession.token_hash == _hash(token))
    ).one_or_none()
    if found is None:
        return None
    row, staff = found
    if not staff.active or now >= row.expires_at or now - row.last_seen_at >= IDLE:
        return None
    return SignedIn(member_of(session, staff), row.id.hex, now - row.last_seen_at >= TOUCH_AFTER)


def touch_session(session: Session, token: str, now: datetime) -> None:
    """Note that the session is in use."""
    row = _find(session, token)
    if row is not None and row.last_seen_at < now:
        row.last_seen_at = now
        session.add(row)


def close_session(session: Session, token: str) -> None:
    """End one session; no error when it is gone."""
    row = _find(session, token)
    if row is not None:
        session.delete(row)


def forget_ended(session: Session, now: datetime, staff: Staff | None = None) -> None:
    """Delete the rows of ended sessions, of one person or of everybody."""
    ended = (col(StaffSession.expires_at) <= now) | (col(StaffSession.last_seen_at) <= now - IDLE)
    if staff is not None:
        ended = (
            ended
            & (col(StaffSession.authority_id) == staff.authority_id)
            & (col(StaffSession.staff_id) == staff.id)
        )
    session.exec(delete(StaffSession).where(ended))


def _find(session: Session, token: str) -> StaffSession | None:
    return session.exec(select(StaffSession).where(StaffSession.token_hash == _hash(token))).one_or_none()


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
