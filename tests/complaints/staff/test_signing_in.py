"""Signing in: the limits by account, place and block, with a clock that is passed in."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from complaints.sealing import Keyring
from complaints.staff.accounts import StaffMember, deactivate, get_account, set_password
from complaints.staff.passwords import hash_password
from complaints.staff.sessions import find_session
from complaints.staff.signing_in import (
    ACCOUNT_LIMIT,
    BLOCK_LIMIT,
    Challenge,
    TooManyAttempts,
    begin_sign_in,
    finish_sign_in,
)
from web.db import Database

HOME, OFFICE = "203.0.113.0/24", "198.51.100.0/24"
MINUTE = timedelta(minutes=1)
ANA = "ana@marica.example"


@pytest.fixture
def desk(database: Database, keyring: Keyring, add: Callable[..., StaffMember]) -> "Desk":
    """The sign-in of a town where Ana works."""
    add(ANA, password_hash=hash_password("uma frase comprida", ANA))
    return Desk(database, keyring)


class Desk:
    """Runs the two transactions of a sign-in."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self.database = database
        self.keyring = keyring

    def begin(self, at: datetime, block: str = HOME, email: str = ANA) -> Challenge:
        with self.database.write() as session:
            return begin_sign_in(session, self.keyring, email, block, at)

    def finish(self, challenge: Challenge, at: datetime) -> str | None:
        with self.database.write() as session:
            return finish_sign_in(session, self.keyring, challenge, at)


def count_passed(desk: Desk, attempts: list[tuple[str, str]], at: datetime) -> tuple[int, timedelta]:
    for count, (block, email) in enumerate(attempts):
        try:
            desk.begin(at, block, email)
        except TooManyAttempts as refused:
            return count, refused.wait
    raise AssertionError("never refused")


def wrong(email: str = ANA, block: str = HOME) -> list[tuple[str, str]]:
    return [(block, email)] * 100


def test_a_met_challenge_opens_a_session(desk: Desk, now: datetime) -> None:
    token = desk.finish(desk.begin(now), now)
    assert token is not None
    with desk.database.read() as session:
        found = find_session(session, token, now)
        assert found is not None
        assert found.member.email == ANA


def test_an_unknown_email_gives_a_challenge_without_a_hash(desk: Desk, now: datetime) -> None:
    challenge = desk.begin(now, email="nobody@marica.example")
    assert challenge.password_hash is None
    assert desk.finish(challenge, now) is None


def test_the_waits_grow_with_the_wrong_passwords(desk: Desk, now: datetime) -> None:
    assert count_passed(desk, wrong(), now) == (5, MINUTE)
    assert count_passed(desk, wrong(), now + MINUTE) == (5, 14 * MINUTE)
    assert count_passed(desk, wrong(), now + 15 * MINUTE) == (5, MINUTE)


def test_an_unknown_email_is_limited_in_the_same_way(desk: Desk, now: datetime) -> None:
    assert count_passed(desk, wrong("nobody@marica.example"), now) == (5, MINUTE)


def test_guessing_elsewhere_does_not_shut_the_person_out(desk: Desk, now: datetime) -> None:
    count_passed(desk, wrong(block=OFFICE), now)
    assert desk.begin(now, block=HOME).password_hash is not None


def test_guessing_one_account_from_everywhere_is_limited(desk: Desk, now: datetime) -> None:
    attempts = [(f"10.0.{network}.0/24", ANA) for network in range(200)]
    assert count_passed(desk, attempts, now) == (ACCOUNT_LIMIT.count, ACCOUNT_LIMIT.window)


def test_trying_one_password_on_many_accounts_is_limited_by_block(desk: Desk, now: datetime) -> None:
    attempts = [(HOME, f"person{number}@marica.example") for number in range(200)]
    assert count_passed(desk, attempts, now) == (BLOCK_LIMIT.count, BLOCK_LIMIT.window)


def test_success_clears_the_count_of_that_place(desk: Desk, now: datetime) -> None:
    for _ in range(4):
        desk.begin(now)
    assert desk.finish(desk.begin(now), now) is not None
    assert count_passed(desk, wrong(), now) == (5, MINUTE)


def test_a_closed_account_looks_like_an_unknown_one(desk: Desk, now: datetime) -> None:
    earlier = desk.begin(now)
    with desk.database.write() as session:
        deactivate(session, get_account(session, 1, ANA))
    assert desk.begin(now).password_hash is None
    assert desk.finish(earlier, now) is None


def test_a_password_changed_during_the_check_opens_nothing(desk: Desk, now: datetime) -> None:
    challenge = desk.begin(now)
    with desk.database.write() as session:
        set_password(session, get_account(session, 1, ANA), "another hash")
    assert desk.finish(challenge, now) is None
