"""The two ways into the database, on SQLite and on PostgreSQL."""

import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, func, select

from complaints.authorities.tables import Authority
from web.db import Database
from web.migrations import migrate
from web.settings import sqlite_url


def make_authority(slug: str, now: datetime) -> Authority:
    """The least that an authority's row needs."""
    return Authority(
        slug=slug,
        name=slug,
        short_name=slug,
        town=slug,
        uf="RJ",
        law_id="none",
        phone="153",
        time_zone="America/Sao_Paulo",
        created_at=now,
    )


def count(database: Database) -> int:
    """How many authorities a fresh read sees."""
    with database.read() as session:
        return session.exec(select(func.count()).select_from(Authority)).one()


def test_what_a_write_block_changed_is_there_afterwards(database: Database, now: datetime) -> None:
    with database.write() as session:
        made = make_authority("marica", now)
        session.add(made)
    assert made.slug == "marica", "attributes stay readable after the commit"
    with database.read() as session:
        found = session.exec(select(Authority)).one()
        assert (found.slug, found.created_at) == ("marica", now)
        assert found.created_at.utcoffset() is not None


def test_an_error_in_a_write_block_undoes_all_of_it(database: Database, now: datetime) -> None:
    def fail() -> None:
        with database.write() as session:
            session.add(make_authority("marica", now))
            session.flush()
            raise LookupError("in the middle")

    with pytest.raises(LookupError):
        fail()
    assert count(database) == 0
    with database.write() as session:
        session.add(make_authority("marica", now))
    assert count(database) == 1


def attempt_to_add(session: Session, now: datetime) -> None:
    session.add(make_authority("marica", now))
    session.flush()


def attempt_to_update(session: Session, now: datetime) -> None:
    session.connection().execute(text("UPDATE authority SET name = 'x'"))


def attempt_to_create(session: Session, now: datetime) -> None:
    session.connection().execute(text("CREATE TABLE smuggled (id INTEGER)"))


@pytest.mark.parametrize("attempt", [attempt_to_add, attempt_to_update, attempt_to_create])
def test_a_read_session_cannot_write(
    database: Database, now: datetime, attempt: Callable[[Session, datetime], None]
) -> None:
    with (
        database.read() as session,
        pytest.raises(DBAPIError, match=r"(?i)read.?only"),
    ):
        attempt(session, now)
    with database.write() as session:
        session.add(make_authority("marica", now))
    assert count(database) == 1, "the connections still work, and write blocks still write"


def test_a_read_session_sees_one_snapshot(database: Database, now: datetime) -> None:
    with database.read() as session:
        before = session.exec(select(func.count()).select_from(Authority)).one()
        with database.write() as writing:
            writing.add(make_authority("marica", now))
        after = session.exec(select(func.count()).select_from(Authority)).one()
    assert (before, after, count(database)) == (0, 0, 1)


def test_write_blocks_of_one_thread_cannot_be_nested(database: Database) -> None:
    def nest() -> None:
        with database.write(), database.write():
            pass

    with pytest.raises(RuntimeError, match="nested"):
        nest()
    with database.write():
        pass


def test_a_new_file_with_peoples_words_is_for_its_own_user_only(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path / "new.db"))
    with database.write() as session:
        session.execute(text("CREATE TABLE told (words TEXT)"))
    modes = {path.name: path.stat().st_mode & 0o077 for path in tmp_path.iterdir()}
    database.dispose()
    assert {"new.db", "new.db-wal"} <= modes.keys()
    assert set(modes.values()) == {0}


OTHER_PROCESS = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as connection:
    print(connection.execute("SELECT count(*) FROM authority").fetchone()[0])
connection.close()
"""


def test_another_process_that_comes_and_goes_takes_nothing_away(tmp_path: Path, now: datetime) -> None:
    path = tmp_path / "shared.db"
    database = Database(sqlite_url(path))
    migrate(database)
    with database.write() as session:
        session.add(make_authority("vila", now))
    with database.read() as first, database.read() as second:  # the pool opens one more connection
        assert [len(session.exec(select(Authority)).all()) for session in (first, second)] == [1, 1]
    for number in range(2, 5):
        seen = subprocess.run(
            [sys.executable, "-c", OTHER_PROCESS, str(path)], check=True, capture_output=True, text=True
        )
        assert int(seen.stdout) == number - 1
        assert Path(f"{path}-wal").exists()
        with database.write() as session:
            session.add(make_authority(f"vila-{number}", now))
    database.dispose()


def test_a_missing_parent_row_is_refused(database: Database, now: datetime) -> None:
    insert = text(
        "INSERT INTO calendar_day (authority_id, id, day, layer, name, source, added_at) "
        "VALUES (77, '0b9b52c2f0de4a3f9d7e7d1d0d8f6a55', '2026-01-01', 'national', 'x', 'x', '2026-01-01')"
    )

    def add_child() -> None:
        with database.write() as session:
            session.connection().execute(insert)

    with pytest.raises(DBAPIError, match=r"(?i)foreign key"):
        add_child()


def test_threads_that_count_up_together_lose_nothing(database: Database, now: datetime) -> None:
    with database.write() as session:
        session.add(make_authority("0", now))

    def count_up() -> None:
        for _ in range(10):
            with database.write() as session:
                row = session.exec(select(Authority).with_for_update()).one()
                row.slug = str(int(row.slug) + 1)

    threads = [threading.Thread(target=count_up) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as session:
        assert session.exec(select(Authority.slug)).one() == "80"
