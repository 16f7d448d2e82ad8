"""A backup put back into an empty database and an empty storage: all of it, or nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from sqlalchemy import Connection, Table, func, insert, inspect, select, update
from sqlmodel import Session

from complaints.sealing import Keyring
from web.archive import StoredFile, TablePart, read_archive
from web.backup import BackupReport, Progress, check_backup, list_stored_files, list_tables, no_progress
from web.migrations import migrate
from web.row_values import read_lines
from web.services import STORED, Services


class NotEmpty(Exception):
    """There is already something where the backup should go; the message says what."""


def restore_backup(services: Services, file: BinaryIO, progress: Progress = no_progress) -> BackupReport:
    """Check the whole backup, then put it back in one transaction.

    The database may be new or upgraded, but must be empty. Raises BadBackup or NotEmpty, and then nothing
    was written.
    """
    report = check_backup(services.keyring, file)
    with services.database.read() as session:
        _refuse_rows(session)
    if any(list_stored_files(services.settings.data_dir / STORED)):
        raise NotEmpty(f"{services.settings.data_dir / STORED} already holds files")
    migrate(services.database)
    with _stored_files(services, file, progress), services.database.write() as session:
        _refuse_rows(session)
        _insert_rows(session.connection(), file, services.keyring, progress)
    return report


def _refuse_rows(session: Session) -> None:
    there = set(inspect(session.connection()).get_table_names())
    for table in list_tables():
        if table.name in there and session.connection().scalar(select(func.count()).select_from(table)):
            raise NotEmpty(f"the database already has rows in {table.name}")


@contextmanager
def _stored_files(services: Services, file: BinaryIO, progress: Progress) -> Iterator[None]:
    """Store the files of the backup; take them away again if what follows fails."""
    put: list[str] = []
    try:
        for part in read_archive(file, services.keyring):
            if isinstance(part, StoredFile):
                services.storage.put(part.key, part.content)
                put.append(part.key)
                progress(1)
        yield
    except BaseException:
        for key in put:
            services.storage.delete(key)
        raise


def _insert_rows(connection: Connection, file: BinaryIO, keyring: Keyring, progress: Progress) -> None:
    """Rows that refer to their own table get those references last, when all of them are there."""
    tables = {table.name: table for table in list_tables()}
    later: list[tuple[Table, dict[str, Any]]] = []
    for part in read_archive(file, keyring):
        if isinstance(part, TablePart):
            table = tables[part.table]
            rows = read_lines(table, part.lines)
            later += [(table, reference) for reference in _take_own_references(table, rows)]
            connection.execute(insert(table), rows)
            progress(len(rows))
    for table, reference in later:
        key = [column == reference.pop(column.name) for column in table.primary_key.columns]
        connection.execute(update(table).where(*key).values(reference))
    for table in tables.values():
        _move_sequence(connection, table)


def _take_own_references(table: Table, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Blank the columns that refer to rows of the same table; return each row's key with what was there."""
    keys = [column.name for column in table.primary_key.columns]
    own = {
        element.parent.name
        for constraint in table.foreign_key_constraints
        if constraint.referred_table is table
        for element in constraint.elements
    } - set(keys)
    taken = []
    for row in rows:
        there = {name: row[name] for name in own if row[name] is not None}
        if there:
            taken.append({name: row[name] for name in keys} | there)
            row.update(dict.fromkeys(there))
    return taken


def _move_sequence(connection: Connection, table: Table) -> None:
    """PostgreSQL numbers new rows from a sequence that does not see rows inserted with their number."""
    column = table.autoincrement_column
    if connection.dialect.name == "postgresql" and column is not None:
        highest = connection.scalar(select(func.max(column)))
        if highest is not None:
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            connection.execute(select(func.setval(sequence, highest)))
