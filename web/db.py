"""The database: sessions that read one snapshot and cannot write, and write blocks that come one by one.

On SQLite the writers of all threads and processes queue for a lock of ours before BEGIN IMMEDIATE, because
SQLite's own waiting starves some of them for seconds and then fails ("database is locked").
"""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlmodel import Session

from web.fair_lock import FairLock
from web.pauses import pause

THREADS = 24
"""Request handlers at work at once in one process; the connection pool is as large."""

_SPARE_CONNECTIONS = 8
_MIGRATION_LOCK = 7_356_001
"""Number of the PostgreSQL advisory lock that one migration at a time holds."""


class Database:
    """One database: `read()` and `write()` are the only ways in, `migrating()` is for its schema.

    `lock_path`: the file whose lock the writers of a SQLite database share; by default it stands beside it.
    """

    engine: Engine
    dialect: str
    """`sqlite` or `postgresql`."""
    writes = 0
    """How many write blocks of this process have ended, on whatever database: what was read before may be old."""

    def __init__(self, url: str, *, lock_path: Path | None = None) -> None:
        parsed = make_url(url)
        self.dialect = parsed.get_backend_name()
        if self.dialect == "sqlite":
            self.engine, self._reader = _open_sqlite(url)
            self._lock_path: Path | None = lock_path or Path(f"{parsed.database}.lock")
        else:
            self.engine, self._reader = _open_postgresql(url)
            self._lock_path = None
        self._turn = FairLock()
        self._here = threading.local()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that sees one snapshot; the database itself refuses any change it attempts."""
        with Session(self._reader) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session whose changes are committed together at the end of the block, or not at all.

        Keep the block short: no network, no hashing, no files. Blocks of one thread cannot be nested.
        """
        try:
            with self._alone(), Session(self.engine, expire_on_commit=False) as session, session.begin():
                yield session
                session.flush()
                pause("before-commit")
        finally:
            Database.writes += 1
        pause("after-commit")

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """A connection in a transaction of its own, for changes of the schema; one migration at a time.

        On SQLite foreign keys are off inside and checked before the commit (its tables are changed by
        copying them).
        """
        with self._alone(), self.engine.connect() as connection:
            if self.dialect == "sqlite":
                with _without_foreign_keys(connection), connection.begin():
                    yield connection
                    _refuse_broken_references(connection)
            else:
                with connection.begin():
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
                    yield connection

    def dispose(self) -> None:
        """Close all idle connections."""
        self.engine.dispose()
        self._reader.dispose()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Refuse nested blocks; on SQLite also wait for the turn, first in this process, then among all."""
        if getattr(self._here, "writing", False):
            raise RuntimeError("this thread is already writing: write() blocks cannot be nested")
        self._here.writing = True
        try:
            if self._lock_path is None:
                yield
            else:
                with self._turn, _file_lock(self._lock_path):
                    yield
        finally:
            self._here.writing = False


@contextmanager
def _file_lock(path: Path) -> Iterator[None]:
    """Hold the exclusive lock of a file; it ends with the process, however that dies."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _pool(size: int) -> dict[str, Any]:
    """Options of an engine; values never appear in its errors, so that logs hold nothing of people."""
    return {"pool_size": size, "max_overflow": _SPARE_CONNECTIONS, "hide_parameters": True}


def _open_postgresql(url: str) -> tuple[Engine, Engine]:
    engine = create_engine(url, pool_pre_ping=True, **_pool(THREADS))
    return engine, engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _open_sqlite(url: str) -> tuple[Engine, Engine]:
    path = Path(make_url(url).database or "")
    writer = create_engine(url, **_pool(1))
    event.listen(writer, "connect", _prepare_writer)
    event.listen(writer, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    reader = create_engine(url, **_pool(THREADS))
    event.listen(reader, "connect", _prepare_reader)
    for engine in (writer, reader):
        event.listen(engine, "do_connect", lambda *_: _make_private(path))
    event.listen(reader, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return writer, reader


def _make_private(path: Path) -> None:
    """A new file is for its own user only, and so are those that SQLite puts beside it: it holds people's words.

    A file that may be in use is never opened here: closing it would drop every lock that this process has on it
    (fcntl(2)), and another process would take the write-ahead log away, with what it holds. So the file is made
    aside and gets its name when it is closed. What prevents it shows when it is opened.
    """
    if path.exists():
        return
    aside = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}")
    with suppress(OSError):
        os.close(os.open(aside, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        try:
            os.link(aside, path)
        finally:
            aside.unlink()


def _prepare_writer(connection: Any, record: object) -> None:
    """FULL: a receipt already shown must outlive a power cut."""
    connection.isolation_level = None
    connection.execute("PRAGMA busy_timeout=5000")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _prepare_reader(connection: Any, record: object) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA busy_timeout=5000")
    connection.execute("PRAGMA query_only=ON")


@contextmanager
def _without_foreign_keys(connection: Connection) -> Iterator[None]:
    """The switch only works outside a transaction, hence on the driver's own connection."""
    driver: Any = connection.connection.driver_connection
    driver.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys=ON")


def _refuse_broken_references(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        raise RuntimeError(f"the migration leaves a row of {broken[0]} without its row of {broken[2]}")
