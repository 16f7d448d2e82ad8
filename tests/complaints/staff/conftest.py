"""What the tests of staff share: two authorities and the keyring."""

from collections.abc import Callable
from datetime import datetime

import pytest

from complaints.authorities.tables import Authority
from complaints.sealing import Keyring
from complaints.staff.accounts import StaffMember, add_staff
from web.db import Database

PASSWORD = "uma frase comprida"


@pytest.fixture
def keyring() -> Keyring:
    """A keyring with fixed keys."""
    return Keyring([bytes(32)], b"a secret of at least 32 characters")


@pytest.fixture
def two_towns(database: Database, now: datetime) -> tuple[int, int]:
    """The ids of two authorities."""
    with database.write() as session:
        for number, slug in ((1, "marica"), (2, "canaa")):
            session.add(
                Authority(
                    id=number,
                    slug=slug,
                    name=slug,
                    short_name=slug,
                    town=slug,
                    uf="RJ",
                    law_id="marica-2627-2015",
                    time_zone="America/Sao_Paulo",
                    phone="156",
                    created_at=now,
                )
            )
    return 1, 2


@pytest.fixture
def add(database: Database, two_towns: tuple[int, int], now: datetime) -> Callable[..., StaffMember]:
    """Adds a person to the first authority, or to another one."""

    def add(email: str, *roles: str, authority_id: int = 1, password_hash: str = "none") -> StaffMember:
        with database.write() as session:
            return add_staff(session, authority_id, email, "", roles or ("triager",), password_hash, now)

    return add
