"""Server-side sessions: what is stored, and when they end."""

import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from complaints.staff.accounts import StaffMember, get_account
from complaints.staff.sessions import (
    IDLE,
    LONGEST,
    close_session,
    find_session,
    forget_ended,
    open_session,
    touch_session,
)
from complaints.staff.tables import StaffSession
from web.db import Database

MINUTE = timedelta(minutes=1)


@pytest.fixture
def token(database: Database, add: Callable[..., StaffMember], now: datetime) -> str:
    """The token of Ana's session, opened now."""
    add("ana@marica.example", "triager")
    with database.write() as session:
        return open_session(session, get_account(session, 1, "ana@marica.example"), now)


def is_live(database: Database, token: str, at: datetime) -> bool:
    with database.read() as session:
        return find_session(session, token, at) is not None


def touch(database: Database, token: str, at: datetime) -> None:
    with database.write() as session:
        touch_session(session, token, at)


def test_only_the_hash_of_the_token_is_stored(database: Database, token: str) -> None:
    assert len(token) >= 43
    with database.read() as session:
        row = session.exec(select(StaffSession)).one()
        assert row.token_hash == hashlib.sha256(token.encode()).digest()
        assert token not in repr(row)


def test_a_session_knows_who_signed_in(database: Database, token: str, now: datetime) -> None:
    with database.read() as session:
        found = find_session(session, token, now)
        assert found is not None
        assert (found.member.email, found.member.roles) == ("ana@marica.example", ("triager",))
        assert found.session_name not in token


@pytest.mark.parametrize("other", ["", "x", "A" * 43])
def test_another_token_finds_nothing(database: Database, token: str, other: str, now: datetime) -> None:
    assert not is_live(database, other, now)


def test_a_session_ends_when_idle(database: Database, token: str, now: datetime) -> None:
    assert is_live(database, token, now + IDLE - MINUTE)
    assert not is_live(database, token, now + IDLE)


def test_a_session_in_use_goes_on_but_never_past_its_longest_time(
    database: Database, token: str, now: datetime
) -> None:
    at = now
    while at + 2 * timedelta(hours=1) < now + LONGEST:
        at += timedelta(hours=1)
        touch(database, token, at)
        assert is_live(database, token, at + timedelta(hours=1))
    touch(database, token, now + LONGEST - MINUTE)
    assert is_live(database, token, now + LONGEST - MINUTE)
    assert not is_live(database, token, now + LONGEST)


def test_only_a_stale_session_asks_to_be_touched(database: Database, token: str, now: datetime) -> None:
    with database.read() as session:
        for minutes, stale in ((0, False), (4, False), (5, True), (60, True)):
            found = find_session(session, token, now + minutes * MINUTE)
            assert found is not None
            assert found.stale is stale


def test_touching_never_goes_back_in_time_and_never_revives(database: Database, token: str, now: datetime) -> None:
    touch(database, token, now + 60 * MINUTE)
    touch(database, token, now + 30 * MINUTE)
    assert is_live(database, token, now + 150 * MINUTE)
    touch(database, "no such token", now)


def test_logging_out_ends_that_session_only(database: Database, token: str, now: datetime) -> None:
    with database.write() as session:
        other = open_session(session, get_account(session, 1, "ana@marica.example"), now)
    with database.write() as session:
        close_session(session, token)
        close_session(session, "no such token")
    assert not is_live(database, token, now)
    assert is_live(database, other, now)


def test_signing_in_again_forgets_what_has_ended(database: Database, token: str, now: datetime) -> None:
    later = now + IDLE
    with database.write() as session:
        open_session(session, get_account(session, 1, "ana@marica.example"), later)
    with database.read() as session:
        assert len(session.exec(select(StaffSession)).all()) == 1


def test_ended_sessions_of_everybody_can_be_forgotten(database: Database, token: str, now: datetime) -> None:
    with database.write() as session:
        forget_ended(session, now + IDLE - MINUTE)
    assert is_live(database, token, now)
    with database.write() as session:
        forget_ended(session, now + IDLE)
    assert not is_live(database, token, now)
