"""Staff passwords: what is accepted, and Argon2id hashes. Slow on purpose: never call it inside write()."""

from functools import cache

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

MIN_LENGTH = 12
MAX_LENGTH = 200

_hasher = PasswordHash((Argon2Hasher(memory_cost=19_456, time_cost=2, parallelism=1),))
"""19 MiB and two passes (OWASP's first choice), so that all request threads at once stay under 500 MB."""


class WeakPassword(Exception):
    """A password that is not accepted; `reason` is `short`, `long`, `email` or `repeated`."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the password is not accepted ({reason})")
        self.reason = reason


def check_password_rules(password: str, email: str) -> None:
    """Raise WeakPassword. Length is what counts; one's own address or one letter repeated is no password."""
    if len(password) < MIN_LENGTH:
        raise WeakPassword("short")
    if len(password) > MAX_LENGTH:
        raise WeakPassword("long")
    if password.strip().casefold() in (email.casefold(), email.partition("@")[0].casefold()):
        raise WeakPassword("email")
    if len(set(password)) < 4:
        raise WeakPassword("repeated")


def hash_password(password: str, email: str) -> str:
    """The hash to store; raises WeakPassword."""
    check_password_rules(password, email)
    return _hasher.hash(password)


def verify_password(password: str, stored: str | None) -> bool:
    """Whether the password fits the hash. Without a hash it works as long and says no."""
    matches = _hasher.verify(password[: MAX_LENGTH + 1], stored or _nobody())
    return matches and stored is not None


@cache
def _nobody() -> str:
    """A hash that no account has, so that an unknown address costs the same time as a wrong password."""
    return _hasher.hash("a password that opens nothing")
