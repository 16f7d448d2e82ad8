"""Evidence: the original sealed, a cleaned copy for everybody else; what cannot be cleaned is not shown."""

import hashlib
import json
import logging
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from complaints.cases.evidence_types import MAX_BYTES, MAX_RECORDING_BYTES, FileType, recognise
from complaints.cases.image_cleaning import REFUSED
from complaints.cases.tables import CaseFile, Evidence
from complaints.ids import new_public_id
from complaints.sealing import Keyring
from complaints.storage import Storage

MAX_FILES = 5
_PARENT_SECONDS = 15


def _mb(size: int) -> str:
    return f"{size // 1024**2} MB"


REFUSALS = {
    "empty": "o arquivo está vazio",
    "size": f"o arquivo passa de {_mb(MAX_BYTES)} (áudio ou vídeo: de {_mb(MAX_RECORDING_BYTES)})",
    "count": "são aceitos até 5 arquivos por envio",
    "type": "este tipo não é aceito; mande foto (JPEG, PNG, WebP ou HEIC), PDF, áudio ou vídeo",
    "pixels": "a imagem é grande demais",
    "memory": "a imagem é grande demais",
    "unreadable": "a imagem está danificada ou não é uma foto",
    "time": "a imagem demorou demais para ser conferida",
    "storage": "não conseguimos guardar o arquivo agora; não o apague, para mostrar quando for pedido",
}
"""Why a file was refused, in words for the rider."""

log = logging.getLogger("selo.evidence")


class HiddenEvidence(Exception):
    """The file was hidden by staff, or never had a copy that may be shown."""


@dataclass(frozen=True)
class PreparedEvidence:
    """A file already stored, sealed, a photo also as a clean copy; not yet a row: see attach_evidence."""

    public_id: str
    original_key: str
    original_sha256: bytes
    original_size: int
    original_type: str
    clean_key: str | None = None
    clean_sha256: bytes | None = None
    clean_type: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True)
class _Copy:
    """A cleaned picture."""

    content: bytes
    media_type: str
    width: int
    height: int


@dataclass(frozen=True)
class RefusedFile:
    """A file that was not kept, with the reason in Portuguese."""

    name: str
    why: str


def prepare_evidence(
    storage: Storage, keyring: Keyring, files: list[tuple[str, bytes]]
) -> tuple[tuple[PreparedEvidence, ...], tuple[RefusedFile, ...]]:
    """Store the files of one form: (name, bytes) each. Takes seconds: never inside a write block.

    A full disk costs the file, not the complaint.
    """
    prepared: list[PreparedEvidence] = []
    refused: list[RefusedFile] = []
    for place, (name, content) in enumerate(files):
        kept = "count" if place >= MAX_FILES else _keep(storage, keyring, content)
        if isinstance(kept, str):
            refused.append(RefusedFile(name[:120], REFUSALS[kept]))
        else:
            prepared.append(kept)
    return tuple(prepared), tuple(refused)


def discard_evidence(storage: Storage, prepared: tuple[PreparedEvidence, ...]) -> None:
    """Forget files that found no case (a replayed form)."""
    for item in prepared:
        storage.delete(item.original_key)
        if item.clean_key:
            storage.delete(item.clean_key)


def attach_evidence(
    session: Session, case: CaseFile, prepared: tuple[PreparedEvidence, ...], now: datetime
) -> None:
    """Make rows of prepared files, for a case stored in the same transaction."""
    for item in prepared:
        session.add(
            Evidence(
                authority_id=case.authority_id,
                public_id=item.public_id,
                case_id=case.id,
                state=visible_state(item.clean_key),
                original_key=item.original_key,
                original_sha256=item.original_sha256,
                original_size=item.original_size,
                original_type=item.original_type,
                clean_key=item.clean_key,
                clean_sha256=item.clean_sha256,
                clean_type=item.clean_type,
                width=item.width,
                height=item.height,
                created_at=now,
            )
        )


def list_evidence(session: Session, authority_id: int, case_id: UUID) -> tuple[Evidence, ...]:
    """The files of a case, oldest first."""
    query = select(Evidence).where(Evidence.authority_id == authority_id, Evidence.case_id == case_id)
    return tuple(session.exec(query.order_by(col(Evidence.id))).all())


def find_evidence(session: Session, authority_id: int, public_id: str) -> Evidence | None:
    """One file of this authority."""
    return session.exec(
        select(Evidence).where(Evidence.authority_id == authority_id, Evidence.public_id == public_id)
    ).first()


def read_clean(session: Session, storage: Storage, authority_id: int, public_id: str) -> tuple[bytes, str]:
    """The cleaned copy and its media type; raises HiddenEvidence."""
    row = find_evidence(session, authority_id, public_id)
    if row is None or row.state != "clean" or row.clean_key is None or row.clean_type is None:
        raise HiddenEvidence(public_id)
    return storage.get(row.clean_key), row.clean_type


def read_original(keyring: Keyring, storage: Storage, evidence: Evidence) -> bytes:
    """The sealed original, for those entitled; raises HiddenEvidence."""
    if evidence.state == "hidden":
        raise HiddenEvidence(evidence.public_id)
    return keyring.open(storage.get(evidence.original_key), _context(evidence.public_id))


def visible_state(clean_key: str | None) -> str:
    """The state of a file that is not hidden."""
    return "clean" if clean_key else "sealed"


def _keep(storage: Storage, keyring: Keyring, content: bytes) -> PreparedEvidence | str:
    """The stored file, or the word of REFUSALS that says why there is none."""
    kind = recognise(content)
    if not content:
        return "empty"
    if kind is None:
        return "type"
    if len(content) > kind.max_bytes:
        return "size"
    try:
        copy = _clean(content) if kind.photo else None
        return copy if isinstance(copy, str) else _store(storage, keyring, content, kind, copy)
    except OSError as error:
        log.error("evidence not kept", extra={"errno": error.errno})
        return "storage"


def _clean(content: bytes) -> _Copy | str:
    environment = {"PATH": os.defpath, "OMP_NUM_THREADS": "1", "LANG": "C.UTF-8"}
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-m", "complaints.cases.image_cleaning"],
            input=content,
            capture_output=True,
            timeout=_PARENT_SECONDS,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "time"
    if done.returncode == REFUSED:
        word = done.stdout.decode("ascii", "replace").strip()
        return word if word in REFUSALS else "unreadable"
    if done.returncode != 0:
        return "unreadable"
    head, _, clean = done.stdout.partition(b"\n")
    told = json.loads(head)
    return _Copy(clean, told["type"], told["width"], told["height"])


def _store(
    storage: Storage, keyring: Keyring, original: bytes, kind: FileType, copy: _Copy | None
) -> PreparedEvidence:
    public_id = new_public_id()
    folder = f"evidence/{public_id.lower()}"
    item = PreparedEvidence(
        public_id=public_id,
        original_key=f"{folder}/original",
        original_sha256=hashlib.sha256(original).digest(),
        original_size=len(original),
        original_type=kind.media_type,
    )
    try:
        storage.put(item.original_key, keyring.seal(original, _context(public_id)))
        if copy is None:
            return item
        item = replace(
            item,
            clean_key=f"{folder}/clean",
            clean_sha256=hashlib.sha256(copy.content).digest(),
            clean_type=copy.media_type,
            width=copy.width,
            height=copy.height,
        )
        storage.put(f"{folder}/clean", copy.content)
    except OSError:
        discard_evidence(storage, (item,))
        raise
    return item


def _context(public_id: str) -> str:
    return f"evidence:{public_id}"
