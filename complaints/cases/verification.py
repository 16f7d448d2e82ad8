"""Verification of an authority's cases: recompute every commitment, head and checkpoint, and name what is wrong."""

import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from sqlmodel import Session, col, select

from complaints.cases import chain
from complaints.cases.history import link_of
from complaints.cases.tables import CaseEvent, CaseFile, Checkpoint, CheckpointEntry, EventContent
from complaints.cases.workflow import ForbiddenMove, status_after


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
    """Check every case and checkpoint of one authority. Reads only."""
    cases = {
        case.id: case for case in session.exec(select(CaseFile).where(CaseFile.authority_id == authority_id)).all()
    }
    contents = {
        content.id: content
        for content in session.exec(select(EventContent).where(EventContent.authority_id == authority_id)).all()
    }
    events: dict[UUID, list[CaseEvent]] = {case_id: [] for case_id in cases}
    rows = session.exec(
        select(CaseEvent)
        .where(CaseEvent.authority_id == authority_id)
        .order_by(col(CaseEvent.case_id), col(CaseEvent.seq))
    ).all()
    faults: list[Fault] = []
    for row in rows:
        if row.case_id in cases:
            events[row.case_id].append(row)
        else:
            faults.append(Fault(row.case_id.hex, row.seq, "the event's case is gone"))
    for case_id, case in cases.items():
        faults.extend(_check_case(case, events[case_id], contents))
    checkpoint_count, checkpoint_faults = _check_checkpoints(session, authority_id, cases, events)
    return Verification(len(cases), len(rows), checkpoint_count, (*faults, *checkpoint_faults))


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
    session: Session, authority_id: int, cases: dict[UUID, CaseFile], events: dict[UUID, list[CaseEvent]]
) -> tuple[int, list[Fault]]:
    entries: dict[UUID, list[CheckpointEntry]] = {}
    for entry in session.exec(select(CheckpointEntry).where(CheckpointEntry.authority_id == authority_id)).all():
        entries.setdefault(entry.checkpoint_id, []).append(entry)
    faults: list[Fault] = []
    previous, expected = chain.GENESIS, 0
    for row in session.exec(
        select(Checkpoint).where(Checkpoint.authority_id == authority_id).order_by(col(Checkpoint.number))
    ).all():
        expected += 1
        name = f"checkpoint {row.number}"
        own = entries.pop(row.id, [])
        head = chain.checkpoint_head(authority_id, row.number, row.at, row.previous, (entry.head for entry in own))
        if row.number != expected or row.previous != previous or head != row.head:
            faults.append(Fault(name, None, "the checkpoint was changed, moved or dropped"))
            expected = row.number
        previous = row.head
        faults.extend(_check_entries(name, own, cases, events))
    if entries:
        faults.append(Fault("checkpoints", None, "a checkpoint was dropped; its entries remain"))
    return expected, faults


def _check_entries(
    name: str, entries: list[CheckpointEntry], cases: dict[UUID, CaseFile], events: dict[UUID, list[CaseEvent]]
) -> Iterator[Fault]:
    for entry in entries:
        history = events.get(entry.case_id, [])
        if entry.case_id not in cases:
            yield Fault(name, None, f"a case sealed by it is gone ({entry.case_id.hex})")
        elif len(history) < entry.event_count or history[entry.event_count - 1].head != entry.head:
            yield Fault(cases[entry.case_id].protocol, entry.event_count, f"differs from what {name} sealed")
