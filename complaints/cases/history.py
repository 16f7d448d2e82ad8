"""The append-only history of a case: writing an event moves the case, its chain and its place in the queue."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from complaints.cases import chain
from complaints.cases.tables import CaseEvent, CaseFile, EventContent
from complaints.cases.workflow import queue_rank, review_after, status_after
from complaints.ids import new_id


@dataclass(frozen=True)
class Event:
    """One event as read back; `content` is None once erased; `actor` is rider, system or staff:<hex id>."""

    seq: int
    kind: str
    at: datetime
    actor: str
    content: dict[str, object] | None
    head: bytes


def staff_actor(staff_id: UUID) -> str:
    """The actor word of a member of staff."""
    return f"staff:{staff_id.hex}"


def open_history(
    session: Session, case: CaseFile, actor: str, content: Mapping[str, object], at: datetime
) -> CaseEvent:
    """Write the first event of a case that is not stored yet, and add both to the session."""
    case.status = status_after("filed", None)
    case.queue_rank = queue_rank(case.status, urgent=case.urgent, review=case.review_requested)
    case.head, case.event_count = chain.GENESIS, 0
    session.add(case)
    session.flush()
    return _append(session, case, "filed", actor, content, at)


def append_event(
    session: Session, case: CaseFile, kind: str, actor: str, content: Mapping[str, object], at: datetime
) -> CaseEvent:
    """Append `kind` to a case loaded for change; moves status, queue place, version and head with it.

    Raises ForbiddenMove when the transition table says no.
    """
    case.review_requested = review_after(kind, case.status, case.review_requested)
    case.status = status_after(kind, case.status)
    case.queue_rank = queue_rank(case.status, urgent=case.urgent, review=case.review_requested)
    case.version += 1
    return _append(session, case, kind, actor, content, at)


def list_events(session: Session, authority_id: int, case_id: UUID) -> tuple[Event, ...]:
    """The history of one case, oldest first."""
    rows = session.exec(
        select(CaseEvent, EventContent.content)
        .join(
            EventContent,
            (col(EventContent.authority_id) == CaseEvent.authority_id) & (col(EventContent.id) == CaseEvent.id),
            isouter=True,
        )
        .where(CaseEvent.authority_id == authority_id, CaseEvent.case_id == case_id)
        .order_by(col(CaseEvent.seq))
    ).all()
    return tuple(
        Event(row.seq, row.kind, row.at, row.actor, json.loads(text) if text is not None else None, row.head)
        for row, text in rows
    )


def _append(
    session: Session, case: CaseFile, kind: str, actor: str, content: Mapping[str, object], at: datetime
) -> CaseEvent:
    text, salt = chain.canonical(content), chain.new_salt()
    event = CaseEvent(
        authority_id=case.authority_id,
        id=new_id(),
        case_id=case.id,
        seq=case.event_count + 1,
        kind=kind,
        at=at,
        actor=actor,
        commitment=chain.commitment(salt, text),
        previous=case.head,
        head=b"",
    )
    event.head = chain.head(link_of(event))
    session.add(event)
    session.flush()
    session.add(EventContent(authority_id=case.authority_id, id=event.id, salt=salt, content=text))
    case.head, case.event_count, case.changed_at = event.head, event.seq, at
    case.awaits_seal = True
    return event


def link_of(event: CaseEvent) -> chain.Link:
    """What the chain covers of a stored event."""
    return chain.Link(
        event.authority_id,
        event.case_id,
        event.seq,
        event.kind,
        event.at,
        event.actor,
        event.commitment,
        event.previous,
    )
