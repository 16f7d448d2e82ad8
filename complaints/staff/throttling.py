"""How often something may be tried: counts per minute in the database, kept under keyed hashes.

No address, e-mail or protocol is stored. A window slides minute by minute.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, delete, select

from complaints.sealing import Keyring
from complaints.staff.tables import Attempt

SLOT = timedelta(minutes=1)
LONGEST_WINDOW = timedelta(days=1)


@dataclass(frozen=True)
class Limit:
    """At most `count` attempts within any `window` (whole minutes, a day at most) for one subject."""

    purpose: str
    count: int
    window: timedelta


def too_many(
    session: Session, keyring: Keyring, purpose: str, subject: str, now: datetime, limit: int, window: timedelta
) -> timedelta | None:
    """How long to wait when `limit` attempts or more lie within `window`; None when another may be made."""
    counted = session.exec(
        select(Attempt.window_start, Attempt.count)
        .where(
            Attempt.bucket == _bucket(keyring, purpose, subject),
            col(Attempt.window_start) > _slot(now) - window,
        )
        .order_by(col(Attempt.window_start).desc())
    ).all()
    within = 0
    for start, count in counted:
        within += count
        if within >= limit:
            return start + window - now
    return None


def record_attempt(session: Session, keyring: Keyring, purpose: str, subject: str, now: datetime) -> None:
    """Count one attempt. Exact under concurrency: the row of the minute is added to in the database."""
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    statement = insert(Attempt).values(bucket=_bucket(keyring, purpose, subject), window_start=_slot(now), count=1)
    session.exec(
        statement.on_conflict_do_update(
            index_elements=["bucket", "window_start"], set_={"count": col(Attempt.count) + 1}
        )
    )


def take_attempt(
    session: Session, keyring: Keyring, limits: Sequence[tuple[Limit, str]], now: datetime
) -> timedelta | None:
    """Count one attempt against several (limit, subject) pairs, unless one is used up: then the longest wait.

    Of attempts made at the same instant no more pass than the limits allow, whatever the database.
    """
    wait = _longest_wait(session, keyring, limits, now, spare=0)
    if wait is not None:
        return wait
    for purpose, subject in dict.fromkeys((limit.purpose, subject) for limit, subject in limits):
        record_attempt(session, keyring, purpose, subject, now)
    return _longest_wait(session, keyring, limits, now, spare=1)


def forget_attempts(session: Session, keyring: Keyring, purpose: str, subject: str) -> None:
    """Forget what was counted for one subject, after it succeeded."""
    session.exec(delete(Attempt).where(col(Attempt.bucket) == _bucket(keyring, purpose, subject)))


def forget_old_attempts(session: Session, now: datetime) -> None:
    """Delete what no window reaches any more."""
    session.exec(delete(Attempt).where(col(Attempt.window_start) <= now - LONGEST_WINDOW - SLOT))


def _longest_wait(
    session: Session, keyring: Keyring, limits: Iterable[tuple[Limit, str]], now: datetime, spare: int
) -> timedelta | None:
    waits = (
        too_many(session, keyring, limit.purpose, subject, now, limit.count + spare, limit.window)
        for limit, subject in limits
    )
    return max((wait for wait in waits if wait is not None), default=None)


def _bucket(keyring: Keyring, purpose: str, subject: str) -> bytes:
    return keyring.lookup(subject, f"attempt:{purpose}")


def _slot(now: datetime) -> datetime:
    return now.astimezone(UTC).replace(second=0, microsecond=0)
