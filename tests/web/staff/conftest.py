"""The desk of a town on both databases, with a browser for each person."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from complaints.authorities.tables import Authority
from complaints.cases.tables import CaseFile
from complaints.registry.tables import Seal, Vehicle
from complaints.sealing import Keyring
from complaints.staff.accounts import StaffMember
from complaints.storage import FolderStorage
from tests.conftest import StandingClock
from tests.desk_seeds import PASSWORD, add_member, add_town, add_van, file
from web.app import create_app
from web.db import Database
from web.services import Services
from web.settings import Settings

CSRF = re.compile(r'name="csrf" value="([0-9a-f]+)"')


class Browser(TestClient):
    """One person's browser without JavaScript; it shows redirects and sends back the token of the page it saw."""

    def __init__(self, app: Starlette) -> None:
        super().__init__(app, follow_redirects=False)
        self.token = ""

    def sign_in(self, member: StaffMember, password: str = PASSWORD) -> httpx2.Response:
        """Log in and pick up the token of the first page."""
        answer = self.post("/equipe/entrar", data={"email": member.email, "senha": password})
        if answer.status_code == 303:
            self.see("/equipe/senha")
        return answer

    def see(self, address: str) -> str:
        """The HTML of a page that must be there."""
        answer = self.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        if found := CSRF.search(answer.text):
            self.token = found[1]
        return answer.text

    def submit(self, address: str, **fields: Any) -> httpx2.Response:
        """Post a form with the token."""
        return self.post(address, data={"csrf": self.token, **fields})


@dataclass(frozen=True)
class Town:
    """A town with a van and one case about it."""

    services: Services
    app: Starlette
    authority: Authority
    van: Vehicle
    seal: Seal
    case: CaseFile

    @property
    def case_address(self) -> str:
        """The page of the case."""
        return f"/equipe/casos/{self.case.protocol}"

    def hire(self, *roles: str, authority: Authority | None = None) -> StaffMember:
        """Add a person with these roles."""
        return add_member(self.services.database, authority or self.authority, *roles)

    def browser(self, *roles: str) -> Browser:
        """The browser of a new person with these roles, signed in."""
        browser = Browser(self.app)
        assert browser.sign_in(self.hire(*roles)).status_code == 303
        return browser

    def file(self, **given: Any) -> CaseFile:
        """File another case."""
        now = self.services.clock()
        return file(self.services.database, self.services.keyring, self.authority, now, **given).case

    def reload(self, case: CaseFile | None = None) -> CaseFile:
        """The case as it is stored now."""
        case = case or self.case
        with self.services.database.read() as session:
            return session.get_one(CaseFile, (case.authority_id, case.id))


@pytest.fixture
def town(services: Services) -> Town:
    """Maricá, where a rider complained of a van by its plate; on each database."""
    return _populate(services)


@pytest.fixture
def small_town(settings: Settings, new_database: Callable[[str], Database], clock: StandingClock) -> Town:
    """The same on SQLite only, for what no database can change."""
    settings.data_dir.mkdir()
    keyring = Keyring(settings.data_keys, settings.secret_key)
    storage = FolderStorage(settings.data_dir / "evidence")
    return _populate(Services(settings, new_database("sqlite"), keyring, storage, clock))


def _populate(services: Services) -> Town:
    authority = add_town(services.database)
    van, seal = add_van(services.database, authority)
    case = file(
        services.database,
        services.keyring,
        authority,
        services.clock(),
        text="A porta abriu com a van andando",
        plate="ABC1D23",
        name="Beatriz Passageira",
        phone="+5521999990000",
    ).case
    return Town(services, create_app(services), authority, van, seal, case)
