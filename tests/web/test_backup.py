"""Backups: everything comes back, on either database; what is not whole is refused and writes nothing."""

import io
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert

from complaints.authorities.tables import Authority
from complaints.sealing import Keyring
from complaints.storage import FolderStorage
from tests.any_rows import ROWS, dump, fill
from tests.conftest import StandingClock
from tests.machine import DATABASES
from web.backup import check_backup, list_stored_files, list_tables, make_backup
from web.db import Database
from web.restore import NotEmpty, restore_backup
from web.sealed_stream import BadBackup
from web.services import STORED, Services
from web.settings import Settings

NewServices = Callable[[str], Services]


@pytest.fixture
def new_services(
    new_database: Callable[[str], Database], settings: Settings, clock: StandingClock, tmp_path: Path
) -> NewServices:
    """Makes the services of a deployment of its own, on an empty database of the kind asked for."""
    made: list[Services] = []

    def make(kind: str) -> Services:
        folder = tmp_path / f"deployment-{len(made)}"
        (folder / STORED).mkdir(parents=True)
        made.append(
            Services(
                settings=replace(settings, data_dir=folder),
                database=new_database(kind),
                keyring=Keyring(settings.data_keys, settings.secret_key),
                storage=FolderStorage(folder / STORED),
                clock=clock,
            )
        )
        return made[-1]

    return make


@pytest.fixture
def full(new_services: NewServices) -> Services:
    """A deployment on SQLite with rows in every table and two stored files."""
    return fill_services(new_services("sqlite"))


def fill_services(services: Services) -> Services:
    fill(services.database)
    services.storage.put("1/original", b"\xff\xd8 sealed")
    services.storage.put("1/clean", bytes(3_000_000))
    return services


def is_empty(services: Services) -> bool:
    nothing_stored = not any(list_stored_files(services.settings.data_dir / STORED))
    return nothing_stored and not any(dump(services.database).values())


def backup_of(services: Services, folder: Path) -> bytes:
    make_backup(services, folder / "backup.selo")
    return (folder / "backup.selo").read_bytes()


@pytest.mark.parametrize("target_kind", DATABASES)
@pytest.mark.parametrize("source_kind", DATABASES)
def test_everything_comes_back_on_either_database(
    source_kind: str, target_kind: str, new_services: NewServices, tmp_path: Path
) -> None:
    source, target = fill_services(new_services(source_kind)), new_services(target_kind)
    report = make_backup(source, tmp_path / "backup.selo")
    assert (report.made_at, report.files) == ("2026-11-30T15:00:00+00:00", 2)
    assert report.rows == ROWS * len(list_tables())
    with (tmp_path / "backup.selo").open("rb") as file:
        assert restore_backup(target, file) == report
    assert dump(target.database) == dump(source.database)
    assert target.storage.get("1/original") == b"\xff\xd8 sealed"
    assert target.storage.get("1/clean") == bytes(3_000_000)
    with target.database.write() as session:  # numbering goes on after the restored rows
        taken = dump(source.database)["authority"][0]
        fresh = dict(zip(Authority.__table__.columns.keys(), taken, strict=True))  # type: ignore[attr-defined]
        fresh |= {"slug": "new", "sms_number": None}
        del fresh["id"]
        key = session.connection().execute(insert(Authority).values(fresh)).inserted_primary_key
        assert key == (ROWS + 1,)


def test_a_new_database_without_tables_is_filled_too(
    full: Services, new_services: NewServices, tmp_path: Path
) -> None:
    content = backup_of(full, tmp_path)
    database = Database(f"sqlite:///{tmp_path}/brand-new")
    target = replace(new_services("sqlite"), database=database)
    restore_backup(target, io.BytesIO(content))
    assert dump(database) == dump(full.database)
    database.dispose()


def test_nothing_can_be_read_without_the_key(full: Services, tmp_path: Path) -> None:
    content = backup_of(full, tmp_path)
    assert b"slug" not in content
    assert len(content) < 300_000, "it is compressed"
    assert (tmp_path / "backup.selo").stat().st_mode & 0o077 == 0


def test_a_backup_holds_one_moment(full: Services, new_services: NewServices, tmp_path: Path) -> None:
    before = dump(full.database)
    added: list[int] = []

    def write_meanwhile(_done: int) -> None:
        if not added:
            added.append(1)
            with full.database.write() as session:
                session.add(
                    Authority(
                        slug="meanwhile",
                        name="x",
                        short_name="x",
                        town="x",
                        uf="RJ",
                        law_id="x",
                        phone="1",
                        time_zone="UTC",
                        created_at=full.clock(),
                    )
                )

    make_backup(full, tmp_path / "backup.selo", write_meanwhile)
    target = new_services("sqlite")
    restore_backup(target, io.BytesIO((tmp_path / "backup.selo").read_bytes()))
    assert dump(target.database) == before
    assert added


@pytest.mark.parametrize("kind", DATABASES)
def test_rows_too_wide_for_memory_are_read_one_by_one(
    kind: str,
    new_services: NewServices,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source, target = fill_services(new_services(kind)), new_services("sqlite")
    monkeypatch.setattr("web.backup._READ_BYTES", 10)
    monkeypatch.setattr("web.backup._PART_BYTES", 10)
    counted: list[int] = []
    make_backup(source, tmp_path / "backup.selo", counted.append)
    assert set(counted) == {1}
    restore_backup(target, io.BytesIO((tmp_path / "backup.selo").read_bytes()))
    assert dump(target.database) == dump(source.database)


def test_a_file_deleted_during_the_backup_stays_deleted(full: Services, tmp_path: Path) -> None:
    listed = list_stored_files(full.settings.data_dir / STORED)
    assert next(listed).key == "1/clean"
    full.storage.delete("1/original")
    assert list(listed) == []


def damaged(content: bytes) -> list[bytes]:
    """A backup cut short, with a changed byte, and with something after its end."""
    middle = len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    return [b"", content[:10], content[:middle], content[:-1], flipped, content + b"x", b"PK" + content[2:]]


@pytest.mark.parametrize("kind", DATABASES)
def test_a_damaged_backup_is_refused_and_writes_nothing(
    kind: str, full: Services, new_services: NewServices, tmp_path: Path
) -> None:
    target = new_services(kind)
    for content in damaged(backup_of(full, tmp_path)):
        with pytest.raises(BadBackup):
            restore_backup(target, io.BytesIO(content))
        assert is_empty(target)


def test_other_keys_and_another_secret_are_refused_with_their_names(
    full: Services, new_services: NewServices, tmp_path: Path
) -> None:
    content, target = backup_of(full, tmp_path), new_services("sqlite")
    settings = full.settings
    stranger = replace(target, keyring=Keyring([b"z" * 32], settings.secret_key))
    with pytest.raises(BadBackup, match="SELO_DATA_KEYS"):
        restore_backup(stranger, io.BytesIO(content))
    other = replace(target, keyring=Keyring(settings.data_keys, b"another secret"))
    with pytest.raises(BadBackup, match="SELO_SECRET_KEY"):
        restore_backup(other, io.BytesIO(content))
    assert is_empty(target)
    rotated = replace(target, keyring=Keyring([b"z" * 32, *settings.data_keys], settings.secret_key))
    restore_backup(rotated, io.BytesIO(content))


def test_a_backup_of_another_revision_is_refused(
    full: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = backup_of(full, tmp_path)
    monkeypatch.setattr("web.backup.head_revision", lambda: "9999")
    with pytest.raises(BadBackup, match="this program is at 9999"):
        check_backup(full.keyring, io.BytesIO(content))


@pytest.mark.parametrize("kind", DATABASES)
def test_nothing_is_restored_over_what_is_there(
    kind: str, full: Services, new_services: NewServices, tmp_path: Path
) -> None:
    content, target = backup_of(full, tmp_path), new_services(kind)
    with target.database.write() as session:
        session.add(
            Authority(
                slug="here",
                name="x",
                short_name="x",
                town="x",
                uf="RJ",
                law_id="x",
                phone="1",
                time_zone="UTC",
                created_at=target.clock(),
            )
        )
    before = dump(target.database)
    with pytest.raises(NotEmpty, match="rows in authority"):
        restore_backup(target, io.BytesIO(content))
    assert dump(target.database) == before
    assert not any(list_stored_files(target.settings.data_dir / STORED))


def test_stored_files_are_not_overwritten(full: Services, new_services: NewServices, tmp_path: Path) -> None:
    content, target = backup_of(full, tmp_path), new_services("sqlite")
    target.storage.put("1/clean", b"here")
    with pytest.raises(NotEmpty, match="already holds files"):
        restore_backup(target, io.BytesIO(content))
    assert target.storage.get("1/clean") == b"here"


class FullDisk(FolderStorage):
    """A storage with room for one object."""

    def put(self, key: str, content: bytes) -> None:
        if any(list_stored_files(self.folder)):
            raise OSError("No space left on device")
        super().put(key, content)


def test_a_restore_that_fails_half_way_leaves_nothing(
    full: Services, new_services: NewServices, tmp_path: Path
) -> None:
    content, target = backup_of(full, tmp_path), new_services("sqlite")
    cramped = replace(target, storage=FullDisk(target.settings.data_dir / STORED))
    with pytest.raises(OSError, match="No space left"):
        restore_backup(cramped, io.BytesIO(content))
    assert is_empty(target)


def test_a_failed_backup_leaves_no_file_and_an_existing_one_is_kept(full: Services, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()

    def fail(_done: int) -> None:
        raise LookupError

    with pytest.raises(LookupError):
        make_backup(full, folder / "a", fail)
    assert list(folder.iterdir()) == []
    (folder / "a").write_text("older")
    with suppress(FileExistsError):
        make_backup(full, folder / "a")
    assert (folder / "a").read_text() == "older"
