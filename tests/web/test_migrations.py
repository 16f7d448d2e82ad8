"""The schema's history leads to the declared tables, on both databases, and back."""

import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from sqlalchemy import inspect
from sqlmodel import SQLModel

from tests.any_rows import dump, fill
from tests.child_processes import ROOT
from web.cli import main
from web.db import Database
from web.migrations import REVISIONS, head_revision, is_current, list_differences, load_metadata, migrate

PREFIXES = {"ix", "uq", "ck", "fk", "pk"}


def test_the_revisions_lead_to_the_declared_tables(database: Database) -> None:
    assert list_differences(database) == []


def test_a_migrated_database_is_current_and_migrating_again_changes_nothing(database: Database) -> None:
    assert is_current(database)
    fill(database)
    before = dump(database)
    migrate(database)
    assert dump(database) == before


def test_a_new_database_is_not_current_until_it_is_migrated(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/new")
    assert not is_current(database)
    migrate(database)
    assert is_current(database)
    database.dispose()


def test_what_a_revision_lacks_is_named(database: Database) -> None:
    def change(statement: str) -> None:
        with database.migrating() as connection:
            connection.exec_driver_sql(statement)

    change("DROP TABLE worker_beat")
    change("ALTER TABLE authority ADD COLUMN surplus INTEGER")
    found = list_differences(database)
    assert "add_table worker_beat" in found
    assert "remove_column authority.surplus" in found


def test_a_migration_that_fails_leaves_the_schema_as_it_was(database: Database) -> None:
    def fail() -> None:
        with database.migrating() as connection:
            connection.exec_driver_sql("CREATE TABLE half_way (id INTEGER)")
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    with database.read() as session:
        assert "half_way" not in inspect(session.connection()).get_table_names()


def test_a_sqlite_migration_may_rebuild_a_table_but_not_leave_orphans(
    new_database: Callable[[str], Database], now: datetime
) -> None:
    database = new_database("sqlite")
    fill(database)

    def empty_the_parent() -> None:
        with database.migrating() as connection:
            connection.exec_driver_sql("DELETE FROM authority")

    with pytest.raises(RuntimeError, match="without its row of authority"):
        empty_the_parent()
    with database.migrating() as connection:
        connection.exec_driver_sql("CREATE TABLE copied AS SELECT * FROM authority")
        connection.exec_driver_sql("DELETE FROM authority")
        connection.exec_driver_sql("INSERT INTO authority SELECT * FROM copied")
        connection.exec_driver_sql("DROP TABLE copied")
    with (
        pytest.raises(sa.exc.IntegrityError, match="FOREIGN KEY"),
        database.write() as session,
    ):
        session.connection().exec_driver_sql("DELETE FROM authority")


def test_revisions_are_numbered_one_after_the_other() -> None:
    numbers = sorted(path.name[:4] for path in REVISIONS.glob("*.py"))
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]
    assert head_revision() == numbers[-1]


def test_revisions_do_not_depend_on_the_code_of_today() -> None:
    for path in REVISIONS.glob("*.py"):
        imported = [line for line in path.read_text().splitlines() if line.startswith(("import ", "from "))]
        assert all(line.split()[1].split(".")[0] in ("sqlalchemy", "alembic") for line in imported), path.name


def test_every_table_of_an_authority_has_it_first_in_its_key() -> None:
    for table in load_metadata().sorted_tables:
        if "authority_id" in table.columns and not table.columns["authority_id"].nullable:
            assert table.primary_key.columns.keys()[0] == "authority_id", table.name


def test_every_constraint_has_a_name_by_the_convention() -> None:
    assert set(SQLModel.metadata.naming_convention) >= PREFIXES
    for table in load_metadata().sorted_tables:
        for item in [*table.constraints, *table.indexes]:
            assert str(getattr(item, "name", None)).partition("_")[0] in PREFIXES, table.name


def test_db_check_needs_no_settings_and_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SELO_DEMO", raising=False)
    result = CliRunner().invoke(main, ["db", "check"])
    assert (result.exit_code, result.stdout) == (0, "The revisions and the tables agree.\n")


def test_db_revision_writes_nothing_but_the_next_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written: list[str] = []
    monkeypatch.setattr("web.cli.db.write_revision", lambda _database, message: written.append(message))
    assert CliRunner().invoke(main, ["db", "revision", "Add a thing"]).exit_code == 0
    assert written == ["Add a thing"]


def test_server_processes_do_not_load_alembic() -> None:
    script = "import sys, web.app; assert 'alembic' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
