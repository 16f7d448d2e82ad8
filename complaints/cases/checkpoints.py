"""Checkpoints: per authority, a hash over the heads of the cases that changed since the last one."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from complaints.authorities.tables import Authority
from complaints.cases import chain
from complaints.cases.tables import CaseFile, Checkpoint, CheckpointEntry


@dataclass(frozen=True)
class PublicCheckpoint:
    """A checkpoint as anybody may check it: recompute `head` from the fields before it (chain.checkpoint_head)."""

    number: int
    at: datetime
    previous: bytes
    case_heads: tuple[bytes, ...]
    head: bytes


def make_checkpoints(session: Session, now: datetime) -> int:
    """One checkpoint for each authority in which a case changed; returns how many were made."""
    authorities = session.exec(select(Authority.id).order_by(col(Authority.id))).all()
    return sum(
        _make_checkpoint(session, authority_id, now) for authority_id in authorities if authority_id is not None
    )


def has_unsealed_changes(session: Session, before: datetime) -> bool:
    """Whether a case that changed before that instant is not under a checkpoint yet."""
    query = select(CaseFile.id).where(col(CaseFile.awaits_seal), col(CaseFile.changed_at) < before)
    return session.exec(query.limit(1)).first() is not None


def list_checkpoints(session: Session, authority_id: int, limit: int = 100) -> tuple[PublicCheckpoint, ...]:
    """The newest checkpoints first."""
    rows = session.exec(
        select(Checkpoint)
        .where(Checkpoint.authority_id == authority_id)
        .order_by(col(Checkpoint.number).desc())
        .limit(limit)
    ).all()
    entries = session.exec(
        select(CheckpointEntry.checkpoint_id, CheckpointEntry.head).where(
            CheckpointEntry.authority_id == authority_id,
            col(CheckpointEntry.checkpoint_id).in_([row.id for row in rows]),
        )
    ).all()
    heads: dict[UUID, list[bytes]] = {}
    for checkpoint_id, head in entries:
        heads.setdefault(checkpoint_id, []).append(head)
    return tuple(
        PublicCheckpoint(row.number, row.at, row.previous, tuple(sorted(heads.get(row.id, []))), row.head)
        for row in rows
    )


def _make_checkpoint(session: Session, authority_id: int, now: datetime) -> int:
    session.exec(select(Authority).where(Authority.id == authority_id).with_for_update()).one()
    changed = _changed_cases(session, authority_id)
    if not changed:
        return 0
    last = session.exec(
        select(Checkpoint)
        .where(Checkpoint.authority_id == authority_id)
        .order_by(col(Checkpoint.number).desc())
        .limit(1)
    ).first()
    number, previous = (last.number + 1, last.head) if last else (1, chain.GENESIS)
    head = chain.checkpoint_head(authority_id, number, now, previous, (case.head for case in changed))
    checkpoint = Checkpoint(authority_id=authority_id, number=number, at=now, previous=previous, head=head)
    session.add(checkpoint)
    session.flush()
    for case in changed:
        case.awaits_seal = False
    session.add_all(
        CheckpointEntry(
            authority_id=authority_id,
            checkpoint_id=checkpoint.id,
            case_id=case.id,
            event_count=case.event_count,
            head=case.head,
        )
        for case in changed
    )
    return 1


def _changed_cases(session: Session, authority_id: int) -> list[CaseFile]:
    query = select(CaseFile).where(CaseFile.authority_id == authority_id, col(CaseFile.awaits_seal))
    return list(session.exec(query.order_by(col(CaseFile.id)).with_for_update()).all())
