"""A case as staff read it: what the rider said, what was found, what the law offers, all that happened."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from uuid import UUID

from sqlmodel import Session, col, select

from complaints.cases.evidence import list_evidence
from complaints.cases.handling import list_joined
from complaints.cases.history import Event, list_events
from complaints.cases.kept_terms import ShownTerm, current_term
from complaints.cases.merging import list_similar
from complaints.cases.named_vehicle import NamedVehicle, named_vehicle
from complaints.cases.reading import QueueRow, findings_of, queue_rows
from complaints.cases.tables import CaseFile, CaseSubject, Evidence, IdentityAccess
from complaints.enforcement.agenda import list_inspections
from complaints.enforcement.tables import Inspection
from complaints.law.provisions import Provision
from complaints.law.rulebook import get_rulebook
from complaints.registry.seals import SealState, newest_seals, seal_state
from complaints.registry.tables import Seal, Vehicle
from complaints.staff.accounts import list_names

WRITTEN_FOR_INSPECTORS = frozenset({"inspection_ordered", "inspection_done", "inspection_cancelled"})
"""Events whose words are shown even to those who may not read a confidential case."""


@dataclass(frozen=True)
class Candidates:
    """What the law offers about one subject; a person chooses, and only after an inspection."""

    subject: CaseSubject
    provisions: tuple[Provision, ...]


@dataclass(frozen=True)
class StaffCase:
    """One case for one reader. `told` is None when it is hidden from this reader or was erased."""

    case: CaseFile
    hidden: bool
    told: dict[str, object] | None
    rider_subjects: tuple[CaseSubject, ...]
    staff_subjects: tuple[CaseSubject, ...]
    candidates: tuple[Candidates, ...]
    findings: tuple[str, ...]
    vehicle: Vehicle | None
    seal: Seal | None
    seal_state: SealState | None
    named: NamedVehicle
    term: ShownTerm | None
    events: tuple[Event, ...]
    names: dict[UUID, str]
    evidence: tuple[Evidence, ...]
    inspections: tuple[Inspection, ...]
    similar: tuple[QueueRow, ...]
    joined: tuple[str, ...]
    joined_to: str | None

    @property
    def alerts(self) -> tuple[dict[str, str], ...]:
        """What riders of the line had been warned of when the case was filed."""
        found = (self.told or {}).get("alerts", ())
        return tuple(found) if isinstance(found, list) else ()

    @property
    def timetable(self) -> dict[str, Any] | None:
        """What the published timetable promised where and when the rider says, frozen at the filing."""
        found = (self.told or {}).get("timetable")
        return found if isinstance(found, dict) else None

    @property
    def extended(self) -> bool:
        """Whether the term was extended; it may be once."""
        return any(event.kind == "term_extended" for event in self.events)

    def events_after(self, version: int) -> tuple[Event, ...]:
        """What happened since a form with this version was shown; every event moves the version by one."""
        return self.events[max(version, 0) :]

    def actor_name(self, actor: str) -> str | None:
        """The name of the member of staff behind an actor word; None for the rider and the system."""
        kind, _, key = actor.partition(":")
        return self.names.get(UUID(hex=key)) if kind == "staff" else None


def read_case(session: Session, case: CaseFile, today: date, *, confidential: bool) -> StaffCase:
    """Read a case for somebody who may read confidential ones or may not. `today`: the authority's date."""
    events = list_events(session, case.authority_id, case.id)
    hidden = case.confidentiality == "confidential" and not confidential
    shown = tuple(_without_words(event) for event in events) if hidden else events
    rider, staff = _subjects(session, case)
    seal = _newest_seal(session, case)
    return StaffCase(
        case=case,
        hidden=hidden,
        told=shown[0].content,
        rider_subjects=rider,
        staff_subjects=staff,
        candidates=tuple(_candidates(staff or rider)),
        findings=findings_of(case),
        vehicle=session.get(Vehicle, (case.authority_id, case.vehicle_id)) if case.vehicle_id else None,
        seal=seal,
        seal_state=seal_state(seal, today) if seal else None,
        named=named_vehicle(case, hidden=hidden),
        term=current_term(events),
        events=shown,
        names=list_names(session, case.authority_id),
        evidence=() if hidden else list_evidence(session, case.authority_id, case.id),
        inspections=list_inspections(session, case.authority_id, case.id),
        similar=queue_rows(session, case.authority_id, list_similar(session, case)),
        joined=tuple(row.protocol for row in list_joined(session, case)),
        joined_to=_protocol_of(session, case.authority_id, case.merged_into),
    )


def _protocol_of(session: Session, authority_id: int, case_id: UUID | None) -> str | None:
    return session.get_one(CaseFile, (authority_id, case_id)).protocol if case_id else None


def list_identity_looks(session: Session, case: CaseFile) -> tuple[IdentityAccess, ...]:
    """Who looked at the reporter's identity, when and why, oldest first."""
    rows = session.exec(
        select(IdentityAccess)
        .where(IdentityAccess.authority_id == case.authority_id, IdentityAccess.case_id == case.id)
        .order_by(col(IdentityAccess.id))
    ).all()
    return tuple(rows)


def _without_words(event: Event) -> Event:
    return event if event.kind in WRITTEN_FOR_INSPECTORS else replace(event, content=None)


def _subjects(session: Session, case: CaseFile) -> tuple[tuple[CaseSubject, ...], tuple[CaseSubject, ...]]:
    rows = session.exec(
        select(CaseSubject)
        .where(CaseSubject.authority_id == case.authority_id, CaseSubject.case_id == case.id)
        .order_by(col(CaseSubject.id))
    ).all()
    rider = tuple(row for row in rows if row.chosen_by == "rider")
    return rider, tuple(row for row in rows if row.chosen_by == "staff")


def _candidates(subjects: tuple[CaseSubject, ...]) -> Iterable[Candidates]:
    for row in subjects:
        rulebook = get_rulebook(row.law_id)
        subject = rulebook.find_subject(row.key)
        yield Candidates(row, rulebook.list_candidates(subject) if subject else ())


def _newest_seal(session: Session, case: CaseFile) -> Seal | None:
    if case.vehicle_id is None:
        return None
    return newest_seals(session, case.authority_id, [case.vehicle_id]).get(case.vehicle_id)
