"""Fixtures that tests of several folders share: one browser for the whole run, demonstrations to copy."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.engine import make_url

from tests.machine import DATABASES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.demonstration import Demonstration
    from tests.fake_twilio import FakeTwilio
    from tests.postgresql_server import PostgresqlServer


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """The system's Chromium, started once."""
    from tests.browser.chromium import running_chromium

    with running_chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def seeded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], "Demonstration"]:
    """The demonstration on the kind of database asked for, seeded by `selo demo` the first time; only to copy."""
    from tests.browser.demonstration import seed

    made: dict[str, Demonstration] = {}

    def get(kind: str) -> "Demonstration":
        if kind not in made:
            folder = tmp_path_factory.mktemp("demo") / kind
            if kind == "sqlite":
                made[kind] = seed(folder, None)
            else:
                server: PostgresqlServer = request.getfixturevalue("postgresql_server")
                name = server.create()
                made[kind] = seed(folder, server.url(name))
                server.freeze(name)
        return made[kind]

    return get


@pytest.fixture
def new_demonstration(
    request: pytest.FixtureRequest, seeded: Callable[[str], "Demonstration"], tmp_path: Path
) -> Iterator[Callable[[str], "Demonstration"]]:
    """Makes a demonstration of its own on the kind of database asked for."""
    dropped: list[str] = []

    def make(kind: str) -> "Demonstration":
        original, folder = seeded(kind), tmp_path / f"demo-{kind}"
        if kind == "sqlite":
            return original.copy(folder, None)
        server: PostgresqlServer = request.getfixturevalue("postgresql_server")
        template = make_url(original.environ["SELO_DATABASE_URL"]).database
        dropped.append(server.create(template))
        return original.copy(folder, server.url(dropped[-1]))

    yield make
    for name in dropped:
        request.getfixturevalue("postgresql_server").drop(name)


@pytest.fixture(params=DATABASES)
def demonstration(
    request: pytest.FixtureRequest, new_demonstration: Callable[[str], "Demonstration"]
) -> "Demonstration":
    """A freshly seeded demonstration; the test runs once on each kind of database."""
    return new_demonstration(request.param)


@pytest.fixture
def twilio() -> Iterator["FakeTwilio"]:
    """The telephone company."""
    from tests.fake_twilio import running_fake

    with running_fake() as fake:
        yield fake
