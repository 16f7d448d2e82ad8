"""Counting attempts: windows that slide, buckets that say nothing, no race."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

from sqlmodel import select

from complaints.sealing import Keyring
from complaints.staff.tables import Attempt
from complaints.staff.throttling import (
    LONGEST_WINDOW,
    Limit,
    forget_attempts,
    forget_old_attempts,
    record_attempt,
    take_attempt,
    too_many,
)
from web.db import Database

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


def record(database: Database, keyring: Keyring, at: datetime, times: int = 1, subject: str = "ana") -> None:
    with database.write() as session:
        for _ in range(times):
            record_attempt(session, keyring, "test", subject, at)


def wait(
    database: Database,
    keyring: Keyring,
    at: datetime,
    limit: int = 3,
    window: timedelta = 10 * MINUTE,
    subject: str = "ana",
) -> timedelta | None:
    with database.read() as session:
        return too_many(session, keyring, "test", subject, at, limit, window)


def test_nothing_counted_means_no_wait(database: Database, keyring: Keyring, now: datetime) -> None:
    assert wait(database, keyring, now) is None


def test_the_limit_is_the_number_that_passes(database: Database, keyring: Keyring, now: datetime) -> None:
    record(database, keyring, now, times=2)
    assert wait(database, keyring, now) is None
    record(database, keyring, now)
    assert wait(database, keyring, now) == 10 * MINUTE


def test_the_wait_is_exact_and_then_it_is_over(database: Database, keyring: Keyring, now: datetime) -> None:
    record(database, keyring, now + 20 * SECOND, times=3)
    asked = wait(database, keyring, now + 4 * MINUTE + 30 * SECOND)
    assert asked == 5 * MINUTE + 30 * SECOND
    assert wait(database, keyring, now + 10 * MINUTE - SECOND) == SECOND
    assert wait(database, keyring, now + 10 * MINUTE) is None


def test_the_window_slides(database: Database, keyring: Keyring, now: datetime) -> None:
    for minute in (0, 4, 8):
        record(database, keyring, now + minute * MINUTE)
    assert wait(database, keyring, now + 9 * MINUTE) == MINUTE
    assert wait(database, keyring, now + 10 * MINUTE) is None
    record(database, keyring, now + 10 * MINUTE)
    assert wait(database, keyring, now + 10 * MINUTE) == 4 * MINUTE


def test_subjects_and_purposes_are_counted_apart(database: Database, keyring: Keyring, now: datetime) -> None:
    record(database, keyring, now, times=3)
    assert wait(database, keyring, now, subject="rui") is None
    with database.read() as session:
        assert too_many(session, keyring, "another purpose", "ana", now, 3, MINUTE) is None


def test_the_table_says_nothing_about_whom_it_counts(database: Database, keyring: Keyring, now: datetime) -> None:
    record(database, keyring, now, subject="ana@marica.example 203.0.113.0/24")
    with database.read() as session:
        row = session.exec(select(Attempt)).one()
        assert len(row.bucket) == 32
        assert b"ana" not in row.bucket
        assert row.count == 1


def test_success_forgets_and_old_rows_go(database: Database, keyring: Keyring, now: datetime) -> None:
    record(database, keyring, now, times=3)
    record(database, keyring, now, times=3, subject="rui")
    with database.write() as session:
        forget_attempts(session, keyring, "test", "ana")
    assert wait(database, keyring, now) is None
    assert wait(database, keyring, now, subject="rui") is not None
    with database.write() as session:
        forget_old_attempts(session, now + LONGEST_WINDOW)
    assert wait(database, keyring, now, subject="rui") is not None
    with database.write() as session:
        forget_old_attempts(session, now + LONGEST_WINDOW + MINUTE)
    with database.read() as session:
        assert session.exec(select(Attempt)).all() == []


def test_taking_counts_until_one_of_the_limits_is_used_up(
    database: Database, keyring: Keyring, now: datetime
) -> None:
    limits = [
        (Limit("place", 2, MINUTE), "ana here"),
        (Limit("place", 3, 15 * MINUTE), "ana here"),
        (Limit("account", 4, 60 * MINUTE), "ana"),
    ]

    def take(at: datetime) -> timedelta | None:
        with database.write() as session:
            return take_attempt(session, keyring, limits, at)

    assert [take(now), take(now)] == [None, None]
    assert take(now) == MINUTE
    assert take(now + MINUTE) is None
    assert take(now + 2 * MINUTE) == 13 * MINUTE
    assert take(now + 15 * MINUTE) is None
    assert take(now + 16 * MINUTE) == 44 * MINUTE


def test_a_refused_attempt_is_not_counted(database: Database, keyring: Keyring, now: datetime) -> None:
    limits = [(Limit("test", 1, MINUTE), "ana")]
    for second in range(5):
        with database.write() as session:
            take_attempt(session, keyring, limits, now + second * SECOND)
    with database.read() as session:
        assert session.exec(select(Attempt.count)).all() == [1]


def test_of_many_attempts_at_once_no_more_than_the_limit_pass(
    database: Database, keyring: Keyring, now: datetime
) -> None:
    class Refused(Exception):
        pass

    def take(number: int) -> bool:
        try:
            with database.write() as session:
                if take_attempt(session, keyring, [(Limit("test", 5, MINUTE), "ana")], now) is not None:
                    raise Refused
        except Refused:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(24))) == 5
