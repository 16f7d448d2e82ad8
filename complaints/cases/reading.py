"""What people see of a case: the staff's queue, and the rider's page without anything internal."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from complaints.cases.history import Event, list_events
from complaints.cases.kept_terms import ShownTerm, current_term
from complaints.cases.named_vehicle import line_in_lists
from complaints.cases.subjects import subjects_of
from complaints.cases.tables import CaseFile, CaseSubject
from complaints.cases.workflow import get_workflow

PUBLIC_CONTENT = {
    "filed": ("text",),
    "text_added": ("text",),
    "complement_requested": ("text",),
    "complement_received": ("text",),
    "answered": ("text", "measure", "outcome"),
    "archived": ("text",),
    "forwarded": ("text", "to"),
    "reopened": ("text",),
    "withdrawn": ("text",),
    "rated": ("rating", "text"),
    "review_requested": ("text",),
    "review_settled": ("text",),
    "evidence_added": ("count",),
    "term_extended": ("text",),
    "inspection_ordered": ("due_on",),
    "inspection_done": ("public_result",),
}
"""Which parts of an event's content its rider may read; everything not named here stays with the staff."""


_FOR_BOTH = frozenset(
    {"inspection_ordered", "inspection_done", "term_extended", "answered", "archived", "forwarded"}
)
"""What a rider reads of the case that theirs was joined to."""


@dataclass(frozen=True)
class QueueFilter:
    """What the queue shows; empty means no restriction. `late_on`: only cases due before that day."""

    statuses: tuple[str, ...] = ()
    subject: str = ""
    late_on: date | None = None
    vehicle_id: UUID | None = None
    closed: bool = False


@dataclass(frozen=True)
class QueueRow:
    """One line of the queue."""

    protocol: str
    status: str
    kind: str
    channel: str
    urgent: bool
    review_requested: bool
    filed_at: datetime
    due_on: date | None
    complement_due_on: date | None
    line_name: str | None
    subjects: tuple[str, ...]


@dataclass(frozen=True)
class TimelineEntry:
    """One step as the rider reads it."""

    at: datetime
    kind: str
    words: str
    content: dict[str, str]


@dataclass(frozen=True)
class RiderView:
    """The rider's page."""

    case: CaseFile
    status_label: str
    meaning: str
    next_step: str
    subjects: tuple[CaseSubject, ...]
    term: ShownTerm | None
    timeline: tuple[TimelineEntry, ...]


def list_queue(
    session: Session, authority_id: int, wanted: QueueFilter, limit: int = 50, offset: int = 0
) -> tuple[QueueRow, ...]:
    """Open cases, urgent first, then by the legal term; closed ones, the newest first."""
    query = _filtered(authority_id, wanted)
    if wanted.closed:
        query = query.where(col(CaseFile.queue_rank).is_(None)).order_by(col(CaseFile.changed_at).desc())
    else:
        query = query.where(col(CaseFile.queue_rank).is_not(None)).order_by(
            col(CaseFile.queue_rank), col(CaseFile.due_on).nulls_last(), col(CaseFile.id)
        )
    return queue_rows(session, authority_id, session.exec(query.limit(limit).offset(offset)).all())


def queue_rows(session: Session, authority_id: int, cases: Sequence[CaseFile]) -> tuple[QueueRow, ...]:
    """Cases as lists show them, in the order given."""
    labels = _subject_labels(session, authority_id, [case.id for case in cases])
    return tuple(_queue_row(case, labels.get(case.id, ())) for case in cases)


def rider_view(session: Session, case: CaseFile) -> RiderView:
    """What the rider of this case may see: no internal note, no name of staff."""
    status = get_workflow().statuses[case.status]
    events = list_events(session, case.authority_id, case.id)
    return RiderView(
        case=case,
        status_label=status.label,
        meaning=status.meaning,
        next_step=status.next,
        subjects=subjects_of(session, case.authority_id, case.id),
        term=current_term(events),
        timeline=tuple(sorted((*_timeline(events), *_told_by_survivor(session, case)), key=_when)),
    )


def findings_of(case: CaseFile) -> tuple[str, ...]:
    """What was found out about seal and vehicle when the case was filed."""
    return tuple(json.loads(case.findings)["findings"])


def _timeline(events: Iterable[Event]) -> Iterable[TimelineEntry]:
    kinds = get_workflow().events
    for event in events:
        words = kinds[event.kind].rider
        if words is None:
            continue
        content = event.content or {}
        shown = {name: str(content[name]) for name in PUBLIC_CONTENT.get(event.kind, ()) if content.get(name)}
        yield TimelineEntry(event.at, event.kind, words, shown)


def _told_by_survivor(session: Session, case: CaseFile) -> Iterable[TimelineEntry]:
    """What became of the case that this one was joined to: the steps of staff, never what its rider said."""
    while case.merged_into is not None:
        case = session.get_one(CaseFile, (case.authority_id, case.merged_into))
        events = list_events(session, case.authority_id, case.id)
        yield from _timeline(event for event in events if event.kind in _FOR_BOTH)


def _when(entry: TimelineEntry) -> datetime:
    return entry.at


def _filtered(authority_id: int, wanted: QueueFilter) -> SelectOfScalar[CaseFile]:
    query = select(CaseFile).where(CaseFile.authority_id == authority_id)
    if wanted.statuses:
        query = query.where(col(CaseFile.status).in_(wanted.statuses))
    if wanted.late_on:
        query = query.where(col(CaseFile.due_on) < wanted.late_on)
    if wanted.vehicle_id:
        query = query.where(CaseFile.vehicle_id == wanted.vehicle_id)
    if wanted.subject:
        named = select(CaseSubject.case_id).where(
            CaseSubject.authority_id == authority_id, CaseSubject.key == wanted.subject
        )
        query = query.where(col(CaseFile.id).in_(named))
    return query


def _subject_labels(session: Session, authority_id: int, case_ids: list[UUID]) -> dict[UUID, tuple[str, ...]]:
    rows = session.exec(
        select(CaseSubject)
        .where(CaseSubject.authority_id == authority_id, col(CaseSubject.case_id).in_(case_ids))
        .order_by(col(CaseSubject.id))
    ).all()
    labels: dict[UUID, dict[str, list[str]]] = {}
    for row in rows:
        labels.setdefault(row.case_id, {}).setdefault(row.chosen_by, []).append(row.label)
    return {case_id: tuple(chosen.get("staff") or chosen["rider"]) for case_id, chosen in labels.items()}


def _queue_row(case: CaseFile, subjects: tuple[str, ...]) -> QueueRow:
    return QueueRow(
        protocol=case.protocol,
        status=case.status,
        kind=case.kind,
        channel=case.channel,
        urgent=case.urgent,
        review_requested=case.review_requested,
        filed_at=case.filed_at,
        due_on=case.due_on,
        complement_due_on=case.complement_due_on,
        line_name=line_in_lists(case),
        subjects=subjects,
    )
