"""Fixtures for all tests: both databases, a clock that stands still, the services and the application."""

import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from complaints.authorities.adding import add_authority
from complaints.authorities.tables import Authority
from complaints.authorities.town_file import list_demo_towns
from complaints.sealing import Keyring
from complaints.storage import FolderStorage
from tests.machine import DATABASES, demand, find_postgresql
from tests.postgresql_server import PostgresqlServer
from web.db import Database
from web.migrations import migrate
from web.services import Services
from web.settings import Settings, sqlite_url

pytest_plugins = ["tests.browser.fixtures"]


class StandingClock:
    """The present instant of a test, which moves only when told."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, span: timedelta) -> datetime:
        """Let `span` pass; returns the new instant."""
        self.now += span
        return self.now


@pytest.fixture(autouse=True)
def _logs_stay_as_they_were() -> Iterator[None]:
    """A test that sets up logs, or runs a server that does, leaves no trace of it for the next one."""
    loggers = [logging.getLogger(name) for name in ("", "selo", "uvicorn", "uvicorn.error", "uvicorn.access")]
    before = [(logger.level, logger.propagate, logger.disabled, logger.handlers[:]) for logger in loggers]
    yield
    for logger, (level, propagate, disabled, handlers) in zip(loggers, before, strict=True):
        logger.setLevel(level)
        logger.propagate, logger.disabled, logger.handlers[:] = propagate, disabled, handlers


@pytest.fixture
def now() -> datetime:
    """A Monday, noon in Maricá."""
    return datetime(2026, 11, 30, 15, 0, tzinfo=UTC)


@pytest.fixture
def clock(now: datetime) -> StandingClock:
    """The clock of `services`."""
    return StandingClock(now)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[PostgresqlServer]:
    """The private server; skips where PostgreSQL is not installed."""
    server = PostgresqlServer(demand("postgresql", find_postgresql()))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def postgresql_template(postgresql_server: PostgresqlServer) -> str:
    """A migrated, empty database to copy."""
    name = postgresql_server.create()
    _migrate_once(postgresql_server.url(name))
    postgresql_server.freeze(name)
    return name


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty database file to copy."""
    path = tmp_path_factory.mktemp("template") / "selo.db"
    _migrate_once(sqlite_url(path))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.fixture
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Makes a migrated, empty database of the kind asked for and returns its address."""
    made: list[str] = []

    def make(kind: str) -> str:
        if kind == "sqlite":
            path = tmp_path / f"{len(list(tmp_path.glob('*.db')))}.db"
            shutil.copy(request.getfixturevalue("sqlite_template"), path)
            return sqlite_url(path)
        server: PostgresqlServer = request.getfixturevalue("postgresql_server")
        made.append(server.create(request.getfixturevalue("postgresql_template")))
        return server.url(made[-1])

    yield make
    for name in made:
        request.getfixturevalue("postgresql_server").drop(name)


@pytest.fixture
def new_database(new_url: Callable[[str], str]) -> Iterator[Callable[[str], Database]]:
    """Makes a migrated, empty database of the kind asked for."""
    made: list[Database] = []

    def make(kind: str) -> Database:
        made.append(Database(new_url(kind)))
        return made[-1]

    yield make
    for database in made:
        database.dispose()


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest, new_database: Callable[[str], Database]) -> Database:
    """A migrated, empty database; the test runs once on each kind."""
    return new_database(request.param)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of a production server with fixed keys and a data folder of its own."""
    return Settings(
        database_url="unused",
        data_dir=tmp_path / "data",
        public_url="http://testserver",
        secret_key=b"a secret of at least 32 characters",
        data_keys=(bytes(range(32)), bytes(range(1, 33))),
    )


@pytest.fixture
def services(settings: Settings, database: Database, clock: StandingClock) -> Services:
    """The services of a production server, on each database."""
    settings.data_dir.mkdir()
    return Services(
        settings=settings,
        database=database,
        keyring=Keyring(settings.data_keys, settings.secret_key),
        storage=FolderStorage(settings.data_dir / "evidence"),
        clock=clock,
    )


@pytest.fixture
def demo_services(services: Services) -> Services:
    """The same services in a demonstration."""
    return replace(services, settings=replace(services.settings, demo=True))


@pytest.fixture
def towns(services: Services, now: datetime) -> dict[str, Authority]:
    """The five towns that ship with the product, by slug."""
    with services.database.write() as session:
        return {town.slug: add_authority(session, town, now) for town in list_demo_towns()}


@pytest.fixture
def client(services: Services) -> Iterator[TestClient]:
    """A browser without JavaScript in front of the application."""
    from web.app import create_app

    with TestClient(create_app(services)) as client:
        yield client


def _migrate_once(url: str) -> None:
    database = Database(url)
    migrate(database)
    database.dispose()
