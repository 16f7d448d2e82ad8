"""A town with a van, an inspector, a triager and a case about that van."""

from dataclasses import dataclass
from datetime import datetime

import pytest

from complaints.authorities.tables import Authority
from complaints.cases.handling import Act
from complaints.cases.tables import CaseFile
from complaints.registry.tables import Seal, Vehicle
from complaints.sealing import Keyring
from complaints.staff.accounts import StaffMember
from tests.desk_seeds import add_member, add_town, add_van, file
from web.db import Database


@dataclass(frozen=True)
class Scene:
    """What the tests act on."""

    database: Database
    keyring: Keyring
    authority: Authority
    van: Vehicle
    seal: Seal
    triager: StaffMember
    inspector: StaffMember
    case: CaseFile
    now: datetime

    def act(self, member: StaffMember) -> Act:
        """A member of staff acting now."""
        return Act(self.keyring, self.authority, member.id, self.now)


@pytest.fixture
def scene(database: Database, now: datetime) -> Scene:
    """One case about one van, filed by telephone number."""
    keyring = Keyring([bytes(32)], b"a secret of at least 32 characters")
    authority = add_town(database)
    van, seal = add_van(database, authority)
    filed = file(database, keyring, authority, now, plate="ABC1D23", name="Bia", phone="+5521999990000")
    return Scene(
        database=database,
        keyring=keyring,
        authority=authority,
        van=van,
        seal=seal,
        triager=add_member(database, authority, "triager"),
        inspector=add_member(database, authority, "inspector"),
        case=filed.case,
        now=now,
    )
