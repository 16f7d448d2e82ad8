"""Signing in: the limits on guessing, and the two short transactions around the slow check of the password."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlmodel import Session

from complaints.sealing import Keyring
from complaints.staff import sessions
from complaints.staff.accounts import find_account, fold_email
from complaints.staff.tables import Staff
from complaints.staff.throttling import Limit, forget_attempts, take_attempt

PLACE_LIMITS = (
    Limit("sign-in from one place", 5, timedelta(minutes=1)),
    Limit("sign-in from one place", 10, timedelta(minutes=15)),
    Limit("sign-in from one place", 30, timedelta(days=1)),
)
"""For one account from one address block: the waits grow, and nobody far away can shut the person out."""

ACCOUNT_LIMIT = Limit("sign-in to one account", 60, timedelta(hours=1))
"""For one account from anywhere."""

BLOCK_LIMIT = Limit("sign-in of one block", 100, timedelta(minutes=15))
"""For one address block and any account: generous, because an office shares one address."""


class TooManyAttempts(Exception):
    """The attempt was not looked at; `wait` says when another one will be."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(f"too many attempts; wait {wait.total_seconds():.0f} s")
        self.wait = wait


@dataclass(frozen=True)
class Challenge:
    """What a password must fit. Without a hash there is no such account, which nobody may notice."""

    email: str
    block: str
    staff_key: tuple[int, UUID] | None
    password_hash: str | None


def begin_sign_in(session: Session, keyring: Keyring, email: str, block: str, now: datetime) -> Challenge:
    """Count the attempt and find what the password must fit; raises TooManyAttempts.

    `block` is the address block the attempt comes from, in any spelling that is always the same.
    The caller commits, then checks with passwords.verify_password outside of any transaction.
    """
    email = fold_email(email)[:200]
    limits = [(limit, _place(email, block)) for limit in PLACE_LIMITS] + [
        (ACCOUNT_LIMIT, email),
        (BLOCK_LIMIT, block),
    ]
    wait = take_attempt(session, keyring, limits, now)
    if wait is not None:
        raise TooManyAttempts(wait)
    staff = find_account(session, email)
    if staff is None or not staff.active:
        return Challenge(email, block, None, None)
    return Challenge(email, block, (staff.authority_id, staff.id), staff.password_hash)


def finish_sign_in(session: Session, keyring: Keyring, challenge: Challenge, now: datetime) -> str | None:
    """Open the session of a challenge that was met; returns its token.

    None when the account was closed or its password changed while the check ran.
    """
    staff = session.get(Staff, challenge.staff_key) if challenge.staff_key else None
    if staff is None or not staff.active or staff.password_hash != challenge.password_hash:
        return None
    forget_attempts(session, keyring, PLACE_LIMITS[0].purpose, _place(challenge.email, challenge.block))
    return sessions.open_session(session, staff, now)


def _place(email: str, block: str) -> str:
    return f"{email} {block}"
