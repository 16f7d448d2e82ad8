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
from complaints.cases.retelling import Told, retell
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
    names = _list_cases(session, authority_id)
    faults: list[Fault] = []
    seen: dict[UUID, _Seen] = {}
    for case_id, protocol in names:
        try:
            case, events, contents = _load_case(session, authority_id, UUID(case_id))
            faults.extend(_check_case(case, events, contents))
        except _UNREADABLE:
            faults.append(Fault(protocol, None, "the case or one of its events cannot be read"))
            continue
        seen[case.id] = _Seen(protocol, tuple(event.head for event in events), case.awaits_seal)
        session.expunge_all()
    faults.extend(_find_events_without_case(session, authority_id))
    events_total = session.exec(
        select(func.count()).select_from(CaseEvent).where(CaseEvent.authority_id == authority_id)
    ).one()
    if not faults and events_total != sum(len(case.heads) for case in seen.values()):
        faults.append(Fault("cases", None, "there are events whose case is gone"))
    checkpoints, checkpoint_faults = _check_checkpoints(session, authority_id, seen)
    return Verification(len(names), events_total, checkpoints, (*faults, *checkpoint_faults))


@dataclass(frozen=True)
class _Seen:
    """What the checkpoints are compared with: one case as it stands."""

    protocol: str
    heads: tuple[bytes, ...]
    awaits_seal: bool


def _find_events_without_case(session: Session, authority_id: int) -> Iterator[Fault]:
    """Name a dropped case by what its first event says."""
    query = (
        select(EventContent.content)
        .join(
            CaseEvent,
            (col(CaseEvent.authority_id) == EventContent.authority_id) & (col(CaseEvent.id) == EventContent.id),
        )
        .join(
            CaseFile,
            (col(CaseFile.authority_id) == CaseEvent.authority_id) & (col(CaseFile.id) == CaseEvent.case_id),
            isouter=True,
        )
        .where(CaseEvent.authority_id == authority_id, CaseEvent.seq == 1, col(CaseFile.id).is_(None))
    )
    try:
        names = [json.loads(text)["protocol"] for text in session.exec(query).all() if text is not None]
    except _UNREADABLE:
        names = ["cases"]
    for name in names:
        yield Fault(str(name), None, "the case is gone, its events remain")


def _list_cases(session: Session, authority_id: int) -> list[tuple[str, str]]:
    """Id and protocol of every case as text; bytes that are no text any more are shown as they are."""
    columns = cast(CaseFile.id, String), cast(CaseFile.protocol, String)
    mine = CaseFile.authority_id == authority_id
    try:
        return [(row[0], row[1]) for row in session.exec(select(*columns).where(mine)).all()]
    except SQLAlchemyError:
        rows = session.exec(select(*(func.hex(column) for column in columns)).where(mine)).all()
        return [(_from_hex(row[0]), _from_hex(row[1])) for row in rows]


def _from_hex(text: str) -> str:
    return bytes.fromhex(text).decode("ascii", "backslashreplace")


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
    if status is None or status != case.status:
        yield Fault(case.protocol, None, f"the case says {case.status}, its history says {status}")
    else:
        yield from _check_columns(case, _told(events, contents), status)


def _told(events: list[CaseEvent], contents: dict[UUID, EventContent]) -> list[Told]:
    texts = [contents[event.id].content if event.id in contents else None for event in events]
    return [
        Told(event.kind, event.at, None if text is None else json.loads(text))
        for event, text in zip(events, texts, strict=True)
    ]


def _check_columns(case: CaseFile, history: list[Told], status: str) -> Iterator[Fault]:
    for column, value in retell(history, status).items():
        if getattr(case, column) != value:
            yield Fault(case.protocol, None, f"the case's {column} is not what its history says")


def _check_content(case: CaseFile, event: CaseEvent, content: EventContent | None) -> Iterator[Fault]:
    if content is None:
        yield Fault(case.protocol, event.seq, "the event's content row is gone")
    elif content.salt is None or content.content is None:
        if content.erased_at is None:
            yield Fault(case.protocol, event.seq, "the event's content was removed without an erasure on record")
    elif not hmac.compare_digest(chain.commitment(content.salt, content.content), event.commitment):
        yield Fault(case.protocol, event.seq, "the event's content was changed")
    elif content.erased_at is not None or content.erased_reason is not None:
        yield Fault(case.protocol, event.seq, "an erasure is on record, but the content is still there")


def _check_checkpoints(session: Session, authority_id: int, seen: dict[UUID, _Seen]) -> tuple[int, list[Fault]]:
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
    sealed: set[tuple[UUID, int]] = set()
    previous = chain.GENESIS
    for expected, row in enumerate(rows, start=1):
        name = f"checkpoint {row.number}"
        own = entries.pop(row.id, [])
        head = chain.checkpoint_head(authority_id, row.number, row.at, row.previous, (entry.head for entry in own))
        if row.number != expected or row.previous != previous or head != row.head:
            faults.append(Fault(name, None, "the checkpoint, or the one before it, was changed or dropped"))
        previous = row.head
        faults.extend(_check_entries(name, own, seen))
        sealed.update((entry.case_id, entry.event_count) for entry in own)
    faults.extend(_check_waiting(seen, sealed))
    if entries:
        faults.append(Fault("checkpoints", None, "a checkpoint was dropped; its entries remain"))
    return len(rows), faults


def _check_entries(name: str, entries: list[CheckpointEntry], seen: dict[UUID, _Seen]) -> Iterator[Fault]:
    for entry in entries:
        case = seen.get(entry.case_id)
        if case is None:
            yield Fault(name, None, f"a case sealed by it is gone or unreadable ({entry.case_id.hex})")
        elif not 0 < entry.event_count <= len(case.heads) or case.heads[entry.event_count - 1] != entry.head:
            yield Fault(case.protocol, entry.event_count, f"differs from what {name} sealed")


def _check_waiting(seen: dict[UUID, _Seen], sealed: set[tuple[UUID, int]]) -> Iterator[Fault]:
    """A case waits for the next checkpoint exactly as long as none covers its last event."""
    for case_id, case in seen.items():
        if case.awaits_seal == ((case_id, len(case.heads)) in sealed):
            yield Fault(case.protocol, None, "what it says of its checkpoint is not so")
