"""Everything a deployment knows, written to one encrypted file, whatever the database."""

import hmac
import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Table, func, literal, select
from sqlmodel import Session

from complaints.sealing import Keyring
from web.archive import ArchiveWriter, Manifest, StoredFile, TablePart, read_archive
from web.migrations import head_revision, load_metadata
from web.row_values import python_type, read_lines, write_lines
from web.sealed_stream import BadBackup
from web.services import STORED, Services

_PART_BYTES = 1 << 20
_READ_BYTES = 8 << 20
_READ_ROWS = 500
Progress = Callable[[int], None]
"""Is told how many more rows and files were dealt with."""


@dataclass(frozen=True)
class BackupReport:
    """What a backup holds: when it was made (ISO 8601, UTC), how many rows and how many stored files."""

    made_at: str
    rows: int
    files: int


def list_tables() -> tuple[Table, ...]:
    """All tables, each after those it refers to."""
    return tuple(load_metadata().sorted_tables)


def no_progress(_done: int) -> None:
    """Tells nobody."""


def make_backup(services: Services, target: Path, progress: Progress = no_progress) -> BackupReport:
    """Write a backup of one moment to `target`, read it back, and only then give it its name.

    Raises FileExistsError rather than replace a file.
    """
    if target.exists():
        raise FileExistsError(target)
    aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(aside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
            with services.database.read() as session:
                _write_archive(services, session, file, progress)
            file.flush()
            os.fsync(file.fileno())
            report = check_backup(services.keyring, file)
        aside.rename(target)
    finally:
        aside.unlink(missing_ok=True)
    return report


def check_backup(keyring: Keyring, file: BinaryIO) -> BackupReport:
    """Read a backup from end to end and every row in it, without writing anything. Raises BadBackup."""
    parts = read_archive(file, keyring)
    manifest = next(parts, None)
    if not isinstance(manifest, Manifest):
        raise BadBackup("it does not begin with its table of contents")
    tables = {table.name: table for table in list_tables()}
    _refuse_foreign(manifest, tables, keyring)
    missing = {name: rows for name, (_, rows) in manifest.tables.items()}
    files = 0
    for part in parts:
        if isinstance(part, TablePart) and part.table in tables:
            missing[part.table] -= len(_read_rows(tables[part.table], part))
        elif isinstance(part, StoredFile):
            files += 1
        else:
            raise BadBackup("its parts do not fit together")
    if any(missing.values()):
        raise BadBackup("it holds more or fewer rows than it says")
    return BackupReport(manifest.made_at, manifest.rows, files)


def _refuse_foreign(manifest: Manifest, tables: dict[str, Table], keyring: Keyring) -> None:
    """A backup fits one schema and one SELO_SECRET_KEY (riders' keys and all look-ups hang on it)."""
    if manifest.revision != head_revision():
        raise BadBackup(
            f"it was made at revision {manifest.revision}, this program is at {head_revision()}: "
            "restore it with the version that made it, then upgrade"
        )
    if {name: columns for name, (columns, _) in manifest.tables.items()} != _columns_of(tables):
        raise BadBackup("its tables are not those of this program")
    if not hmac.compare_digest(manifest.secret_mark, _secret_mark(keyring)):
        raise BadBackup("it was made under another SELO_SECRET_KEY: with this one riders' keys would not work")


def _columns_of(tables: dict[str, Table]) -> dict[str, list[str]]:
    return {name: list(table.columns.keys()) for name, table in tables.items()}


def _read_rows(table: Table, part: TablePart) -> list[dict[str, object]]:
    try:
        return read_lines(table, part.lines)
    except (ValueError, TypeError, ArithmeticError) as problem:
        raise BadBackup(f"a row of {table.name} cannot be read ({type(problem).__name__})") from None


def _secret_mark(keyring: Keyring) -> str:
    return keyring.derive("mark of the secret in backups").hex()


def _write_archive(services: Services, session: Session, file: BinaryIO, progress: Progress) -> None:
    tables = {table.name: table for table in list_tables()}
    connection = session.connection()
    manifest = Manifest(
        made_at=services.clock().isoformat(timespec="seconds"),
        revision=head_revision(),
        secret_mark=_secret_mark(services.keyring),
        tables={
            name: (columns, connection.scalar(select(func.count()).select_from(tables[name])) or 0)
            for name, columns in _columns_of(tables).items()
        },
    )
    archive = ArchiveWriter(file, services.keyring, manifest)
    for table in tables.values():
        for lines, rows in _dump(session, table):
            archive.add_rows(table.name, lines)
            progress(rows)
    for stored in list_stored_files(services.settings.data_dir / STORED):
        archive.add_file(stored)
        progress(1)
    archive.finish()


def _dump(session: Session, table: Table) -> Iterator[tuple[bytes, int]]:
    """The rows of a table in parts of about a megabyte, each with its number of rows."""
    ordered = select(table).order_by(*table.primary_key.columns)
    options = {"yield_per": _rows_at_once(session, table)}
    result = session.connection().execute(ordered, execution_options=options)
    lines, rows = b"", 0
    for some in result.partitions():
        lines, rows = lines + write_lines(table, some), rows + len(some)
        if len(lines) > _PART_BYTES:
            yield lines, rows
            lines, rows = b"", 0
    if rows:
        yield lines, rows


def _rows_at_once(session: Session, table: Table) -> int:
    """How many rows fit into memory together, going by the widest one: a row may hold a whole feed."""
    texts = [column for column in table.columns if python_type(column) in (bytes, str)]
    width = sum((func.coalesce(func.length(column), 0) for column in texts), literal(0))
    widest = session.connection().scalar(select(func.max(width)).select_from(table)) or 1
    return max(1, min(_READ_ROWS, _READ_BYTES // widest))


def list_stored_files(folder: Path) -> Iterator[StoredFile]:
    """Every stored object in the order of its key. One that was deleted since the snapshot stays deleted."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            try:
                yield StoredFile(path.relative_to(folder).as_posix(), path.read_bytes())
            except FileNotFoundError:
                continue
