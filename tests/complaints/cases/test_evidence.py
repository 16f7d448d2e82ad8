"""Photos: cleaned copies without metadata, sealed originals, refusals that say why."""

import errno
import io
from pathlib import Path

import pytest
from PIL import Image

from complaints.cases.evidence import (
    MAX_BYTES,
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
from tests.complaints.cases.conftest import FileCase
from web.services import Services

SECRET = b"22.9194 S 42.8186 W secret place"
ORIENTATION, GPS, LATITUDE, MAKE = 0x0112, 0x8825, 2, 0x010F


@pytest.fixture
def storage(tmp_path: Path) -> FolderStorage:
    """An empty folder."""
    return FolderStorage(tmp_path / "evidence")


@pytest.fixture
def keyring() -> Keyring:
    """Fixed keys."""
    return Keyring([bytes(32)], b"a secret of at least 32 characters")


def photo(kind: str = "JPEG", size: tuple[int, int] = (400, 300), **extra: object) -> bytes:
    """A picture with a position, a camera and a comment in its metadata, lying on its side."""
    picture = Image.new("RGB", size, (200, 30, 30))
    exif = picture.getexif()
    exif[ORIENTATION] = 6
    exif[MAKE] = SECRET.decode()
    exif.get_ifd(GPS)[LATITUDE] = (22.0, 55.0, 9.8)
    file = io.BytesIO()
    picture.save(file, kind, exif=exif, **extra)
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "extra"), [("JPEG", {"comment": SECRET, "xmp": SECRET}), ("PNG", {})], ids=["jpeg", "png"]
)
def test_the_clean_copy_has_no_metadata_and_stands_upright(
    storage: FolderStorage, keyring: Keyring, kind: str, extra: dict[str, object]
) -> None:
    original = photo(kind, (400, 300), **extra)
    (item,), refused = prepare_evidence(storage, keyring, [("foto.jpg", original)])
    assert refused == ()
    assert (item.width, item.height) == (300, 400)
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


def bomb() -> bytes:
    """A PNG of 400 million pixels in some kilobytes."""
    file = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(file, "PNG")
    return file.getvalue()


AWKWARD = {
    "empty": (b"", "empty"),
    "text": (b"isto nao e uma foto", "type"),
    "svg": (b"<svg onload='alert(1)'/>", "type"),
    "gif": (b"GIF89a" + bytes(20), "type"),
    "pdf": (b"%PDF-1.7", "type"),
    "web page behind a jpeg name": (b"<!doctype html>", "type"),
    "too large": (b"\xff\xd8\xff" + bytes(MAX_BYTES), "size"),
    "cut in half": (photo()[:600], "unreadable"),
    "only the first bytes": (b"\xff\xd8\xff\xe0" + bytes(40), "unreadable"),
    "png with a broken checksum": (photo("PNG").replace(b"IDAT", b"IDAT" + bytes(9), 1), "unreadable"),
    "bomb": (bomb(), "pixels"),
}


@pytest.mark.parametrize("name", AWKWARD)
def test_what_is_no_photo_is_refused_with_the_reason_and_not_kept(
    storage: FolderStorage, keyring: Keyring, tmp_path: Path, name: str
) -> None:
    content, reason = AWKWARD[name]
    prepared, (refused,) = prepare_evidence(storage, keyring, [("foto.jpg", content)])
    assert prepared == ()
    assert (refused.name, refused.why) == ("foto.jpg", REFUSALS[reason])
    assert list(tmp_path.rglob("original")) == []


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
