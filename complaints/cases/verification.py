"""Verification: recompute every commitment, head and checkpoint of an authority, and name what is wrong."""

import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import String, cast, func
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from complaints.cases import chain
from complaints.cases.history import link_of
from complaints.cases.tables import CaseEvent, CaseFile, Checkpoint, CheckpointEntry, EventContent
from complaints.cases.workflow import ForbiddenMove, status_after

_UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, SQLAlchemyError)


@dataclass(frozen=True)
class Fault:
    """Something that cannot be so: `protocol` names the case (or the checkpoint), `event` its number, if any."""

    protocol: str
    event: int | None
    what: str


@dataclass(frozen=True)
class Verification:
    """What was looked at, and every fault found."""

    cases: int
    events: int
    checkpoints: int
    faults: tuple[Fault, ...]


def verify_authority(session: Session, authority_id: int) -> Verification:
    """Check every case and checkpoint of one authority, one case at a time. Reads only.

    A row that the database can no longer read (a byte changed by hand) is a fault of its case, not an error.
    """
    names = session.exec(
        select(cast(CaseFile.id, String), CaseFile.protocol).where(CaseFile.authority_id == authority_id)
    ).all()
    faults: list[Fault] = []
    heads: dict[UUID, tuple[str, tuple[bytes, ...]]] = {}
    for case_id, protocol in names:
        try:
            case, events, contents = _load_case(session, authority_id, UUID(case_id))
        except _UNREADABLE:
            faults.append(Fault(protocol, None, "the case or one of its events cannot be read"))
            continue
        faults.extend(_check_case(case, events, contents))
        heads[case.id] = (protocol, tuple(event.head for event in events))
        session.expunge_all()
    events_total = session.exec(
        select(func.count()).select_from(CaseEvent).where(CaseEvent.authority_id == authority_id)
    ).one()
    if not faults and events_total != sum(len(seen) for _, seen in heads.values()):
        faults.append(Fault("cases", None, "there are events whose case is gone"))
    checkpoints, checkpoint_faults = _check_checkpoints(session, authority_id, heads)
    return Verification(len(names), events_total, checkpoints, (*faults, *checkpoint_faults))


def _load_case(
    session: Session, authority_id: int, case_id: UUID
) -> tuple[CaseFile, list[CaseEvent], dict[UUID, EventContent]]:
    case = session.get_one(CaseFile, (authority_id, case_id))
    rows = session.exec(
        select(CaseEvent)
        .where(CaseEvent.authority_id == authority_id, CaseEvent.case_id == case_id)
        .order_by(col(CaseEvent.seq))
    ).all()
    contents = session.exec(
        select(EventContent).where(
            EventContent.authority_id == authority_id, col(EventContent.id).in_([row.id for row in rows])
        )
    ).all()
    return case, list(rows), {content.id: content for content in contents}


def _check_case(case: CaseFile, events: list[CaseEvent], contents: dict[UUID, EventContent]) -> Iterator[Fault]:
    previous, status = chain.GENESIS, None
    for expected, event in enumerate(events, start=1):
        if event.seq != expected:
            yield Fault(case.protocol, expected, "an event is missing")
            return
        if event.previous != previous or chain.head(link_of(event)) != event.head:
            yield Fault(case.protocol, event.seq, "the event was changed, moved or replaced")
        yield from _check_content(case, event, contents.get(event.id))
        previous = event.head
        try:
            status = status_after(event.kind, status)
        except (ForbiddenMove, KeyError):
            yield Fault(case.protocol, event.seq, f"the event {event.kind} cannot stand here")
    if case.event_count != len(events) or case.head != previous:
        yield Fault(case.protocol, None, "events at the end were dropped, or the case's head was changed")
    if status != case.status:
        yield Fault(case.protocol, None, f"the case says {case.status}, its history says {status}")


def _check_content(case: CaseFile, event: CaseEvent, content: EventContent | None) -> Iterator[Fault]:
    if content is None:
        yield Fault(case.protocol, event.seq, "the event's content row is gone")
    elif content.salt is None or content.content is None:
        if content.erased_at is None:
            yield Fault(case.protocol, event.seq, "the event's content was removed without an erasure on record")
    elif not hmac.compare_digest(chain.commitment(content.salt, content.content), event.commitment):
        yield Fault(case.protocol, event.seq, "the event's content was changed")
    elif event.kind == "filed":
        yield from _check_filed(case, event, json.loads(content.content))


def _check_filed(case: CaseFile, event: CaseEvent, filed: dict[str, object]) -> Iterator[Fault]:
    for column in ("protocol", "channel", "kind"):
        if filed.get(column) != getattr(case, column):
            yield Fault(case.protocol, event.seq, f"the case's {column} is not the one it was filed with")
    if event.at != case.filed_at:
        yield Fault(case.protocol, event.seq, "the case's filing time is not the event's")


def _check_checkpoints(
    session: Session, authority_id: int, heads: dict[UUID, tuple[str, tuple[bytes, ...]]]
) -> tuple[int, list[Fault]]:
    try:
        entries: dict[UUID, list[CheckpointEntry]] = {}
        for entry in session.exec(
            select(CheckpointEntry).where(CheckpointEntry.authority_id == authority_id)
        ).all():
            entries.setdefault(entry.checkpoint_id, []).append(entry)
        rows = session.exec(
            select(Checkpoint).where(Checkpoint.authority_id == authority_id).order_by(col(Checkpoint.number))
        ).all()
    except _UNREADABLE:
        return 0, [Fault("checkpoints", None, "a checkpoint cannot be read")]
    faults: list[Fault] = []
    previous = chain.GENESIS
    for expected, row in enumerate(rows, start=1):
        name = f"checkpoint {row.number}"
        own = entries.pop(row.id, [])
        head = chain.checkpoint_head(authority_id, row.number, row.at, row.previous, (entry.head for entry in own))
        if row.number != expected or row.previous != previous or head != row.head:
            faults.append(Fault(name, None, "the checkpoint, or the one before it, was changed or dropped"))
        previous = row.head
        faults.extend(_check_entries(name, own, heads))
    if entries:
        faults.append(Fault("checkpoints", None, "a checkpoint was dropped; its entries remain"))
    return len(rows), faults


def _check_entries(
    name: str, entries: list[CheckpointEntry], heads: dict[UUID, tuple[str, tuple[bytes, ...]]]
) -> Iterator[Fault]:
    for entry in entries:
        protocol, history = heads.get(entry.case_id, ("", ()))
        if not protocol:
            yield Fault(name, None, f"a case sealed by it is gone or unreadable ({entry.case_id.hex})")
        elif len(history) < entry.event_count or history[entry.event_count - 1] != entry.head:
            yield Fault(protocol, entry.event_count, f"differs from what {name} sealed")
