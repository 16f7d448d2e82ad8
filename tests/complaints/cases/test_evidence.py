"""Photos: cleaned copies without metadata, sealed originals, refusals that say why."""

import errno
import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from complaints.cases.evidence import (
    MAX_FILES,
    REFUSALS,
    HiddenEvidence,
    attach_evidence,
    discard_evidence,
    list_evidence,
    prepare_evidence,
    read_clean,
    read_original,
)
from complaints.cases.tables import CaseFile
from complaints.sealing import CannotOpen, Keyring
from complaints.storage import FolderStorage, MissingObject
from tests.complaints.cases.awkward_files import SECRET, awkward_files, photo
from tests.complaints.cases.conftest import FileCase
from web.services import Services


@pytest.fixture
def storage(tmp_path: Path) -> FolderStorage:
    """An empty folder."""
    return FolderStorage(tmp_path / "evidence")


@pytest.fixture
def keyring() -> Keyring:
    """Fixed keys."""
    return Keyring([bytes(32)], b"a secret of at least 32 characters")


@pytest.mark.parametrize(
    ("kind", "extra"),
    [("JPEG", {"comment": SECRET, "xmp": SECRET}), ("PNG", {}), ("WEBP", {}), ("HEIF", {})],
    ids=["jpeg", "png", "webp", "heic"],
)
def test_the_clean_copy_has_no_metadata_and_stands_upright(
    storage: FolderStorage, keyring: Keyring, kind: str, extra: dict[str, Any]
) -> None:
    original = photo(kind, (400, 300), **extra)
    (item,), refused = prepare_evidence(storage, keyring, [("foto.jpg", original)])
    assert refused == ()
    turned = kind != "HEIF"  # its own rotation is in the container (ISO/IEC 23008-12), not in EXIF
    assert (item.width, item.height) == ((300, 400) if turned else (400, 300))
    clean = storage.get(item.clean_key or "")
    assert SECRET not in clean
    with Image.open(io.BytesIO(clean)) as picture:
        assert picture.format == "JPEG"
        assert not picture.getexif()
        assert not {"comment", "xmp", "exif"} & set(picture.info)


def test_the_original_is_sealed(storage: FolderStorage, keyring: Keyring) -> None:
    original = photo()
    (item,), _ = prepare_evidence(storage, keyring, [("foto.jpg", original)])
    stored = storage.get(item.original_key)
    assert SECRET not in stored
    assert original[:100] not in stored


def test_a_large_photo_is_shrunk(storage: FolderStorage, keyring: Keyring) -> None:
    (item,), _ = prepare_evidence(storage, keyring, [("foto.jpg", photo(size=(5000, 2500)))])
    assert (item.width, item.height) == (1024, 2048)


AWKWARD = awkward_files()
EXPECTED = {
    "empty": "empty",
    "text": "type",
    "svg": "type",
    "gif": "type",
    "web page": "type",
    "zip": "type",
    "pdf behind other bytes": "type",
    "recording of 'avif'": "type",
    "jpeg too large": "size",
    "pdf too large": "size",
    "video too large": "size",
    "jpeg start only": "unreadable",
    "png of no size": "unreadable",
    "HEIF cut at 30%": "unreadable",
    "png bomb": "pixels",
    "png that claims a million by a million": "pixels",
}
SEALED = {
    "pdf": "application/pdf",
    "recording of 'isom'": "video/mp4",
    "recording of 'qt  '": "video/quicktime",
    "recording of '3gp4'": "video/3gpp",
    "recording of 'M4A '": "audio/mp4",
    "voice of a messenger": "audio/ogg",
    "mp3 without tags": "audio/mpeg",
    "aac": "audio/aac",
    "webm": "video/webm",
}


def test_there_are_many_awkward_files() -> None:
    assert len(AWKWARD) >= 60
    assert (EXPECTED.keys() | SEALED.keys()) <= AWKWARD.keys()


@pytest.mark.parametrize("name", AWKWARD)
def test_no_awkward_file_is_shown_as_it_came(
    storage: FolderStorage, keyring: Keyring, tmp_path: Path, name: str
) -> None:
    content = AWKWARD[name]
    prepared, refused = prepare_evidence(storage, keyring, [("foto.jpg", content)])
    if refused:
        reason = next(word for word, told in REFUSALS.items() if told == refused[0].why)
        assert reason == EXPECTED.get(name, reason)
        assert list(tmp_path.rglob("original")) == []
        return
    assert name not in EXPECTED
    (item,) = prepared
    assert item.original_type == SEALED.get(name, item.original_type)
    assert (item.clean_key is None) == (not item.original_type.startswith("image/"))
    assert SECRET not in storage.get(item.original_key)
    if item.clean_key is not None:
        clean = storage.get(item.clean_key)
        assert clean != content
        assert SECRET not in clean
        with Image.open(io.BytesIO(clean)) as picture:
            assert (picture.format, dict(picture.getexif())) == ("JPEG", {})
            picture.load()


class FullDisk(FolderStorage):
    """A folder that takes the first object and no more."""

    def put(self, key: str, content: bytes) -> None:
        if self.folder.exists():
            raise OSError(errno.ENOSPC, "No space left on device")
        super().put(key, content)


def test_a_full_disk_costs_the_photo_and_leaves_no_half_of_it(tmp_path: Path, keyring: Keyring) -> None:
    prepared, (refused,) = prepare_evidence(FullDisk(tmp_path / "full"), keyring, [("foto.jpg", photo())])
    assert prepared == ()
    assert (refused.name, refused.why) == ("foto.jpg", REFUSALS["storage"])
    assert [path for path in (tmp_path / "full").rglob("*") if path.is_file()] == []


def test_evidence_is_for_its_own_user_only(tmp_path: Path, keyring: Keyring) -> None:
    prepare_evidence(FolderStorage(tmp_path / "new" / "evidence"), keyring, [("foto.jpg", photo())])
    assert (tmp_path / "new" / "evidence").stat().st_mode & 0o077 == 0


def test_more_than_five_files_are_refused_by_name(storage: FolderStorage, keyring: Keyring) -> None:
    files = [(f"{number}.jpg", photo(size=(8, 8))) for number in range(MAX_FILES + 1)]
    prepared, (refused,) = prepare_evidence(storage, keyring, files)
    assert len(prepared) == MAX_FILES
    assert (refused.name, refused.why) == ("5.jpg", REFUSALS["count"])


def test_files_without_a_case_are_forgotten(storage: FolderStorage, keyring: Keyring) -> None:
    prepared, _ = prepare_evidence(storage, keyring, [("foto.jpg", photo())])
    discard_evidence(storage, prepared)
    for key in (prepared[0].original_key, prepared[0].clean_key or ""):
        with pytest.raises(MissingObject):
            storage.get(key)


def test_evidence_belongs_to_its_case_and_its_town(services: Services, file: FileCase) -> None:
    content = photo()
    prepared, _ = prepare_evidence(services.storage, services.keyring, [("foto.jpg", content)])
    case: CaseFile = file(evidence=prepared).case
    with services.database.read() as session:
        (row,) = list_evidence(session, case.authority_id, case.id)
        clean, media_type = read_clean(session, services.storage, case.authority_id, row.public_id)
        assert media_type == "image/jpeg"
        assert SECRET not in clean
        assert read_original(services.keyring, services.storage, row) == content
        with pytest.raises(HiddenEvidence):
            read_clean(session, services.storage, case.authority_id + 1, row.public_id)
        other = Keyring([b"another key of thirty-two bytes!"], b"a secret of at least 32 characters")
        with pytest.raises(CannotOpen):
            read_original(other, services.storage, row)


def test_hidden_evidence_is_shown_to_nobody(services: Services, file: FileCase) -> None:
    prepared, _ = prepare_evidence(services.storage, services.keyring, [("foto.jpg", photo())])
    case = file(evidence=prepared).case
    with services.database.write() as session:
        (row,) = list_evidence(session, case.authority_id, case.id)
        row.state = "hidden"
        session.add(row)
    with services.database.read() as session, pytest.raises(HiddenEvidence):
        read_clean(session, services.storage, case.authority_id, row.public_id)


def test_attaching_twice_in_one_transaction_keeps_both(services: Services, file: FileCase) -> None:
    case = file().case
    files = [("a.jpg", photo(size=(8, 8))), ("b.png", photo("PNG", size=(8, 8)))]
    prepared, _ = prepare_evidence(services.storage, services.keyring, files)
    with services.database.write() as session:
        attach_evidence(session, case, prepared, case.filed_at)
    with services.database.read() as session:
        assert len(list_evidence(session, case.authority_id, case.id)) == 2
