"""Inspections: ordered for a case, done on the street with a result, or cancelled; each act tells the case."""

import json
from collections.abc import Mapping

from sqlmodel import Session, select

from complaints.authorities.calendar import local_date
from complaints.cases.handling import Act, IncompleteAct
from complaints.cases.history import append_event
from complaints.cases.pausing import restart_clock
from complaints.cases.tables import CaseFile
from complaints.cases.workflow import may_happen
from complaints.enforcement.inspection_checks import (
    RESULTS,
    Finding,
    Order,
    find_finding_problems,
    find_order_problems,
    public_result,
)
from complaints.enforcement.powers import freeze_measures, get_powers
from complaints.enforcement.tables import Inspection
from complaints.registry.seals import CannotIssueSeal, issue_seal, newest_seals, revoke_seal
from complaints.registry.tables import Seal, Vehicle

NOTES = {
    "inspection_done": "Vistoria feita depois do fim do caso.",
    "inspection_cancelled": "Uma vistoria foi cancelada; a situação do caso não mudou.",
}
"""What an internal note says where the event itself may not happen any more."""


class UnknownInspection(Exception):
    """This authority has no such inspection."""


class StaleInspection(Exception):
    """The inspection changed since the form was shown; `version` is the one it has now."""

    def __init__(self, public_id: str, version: int) -> None:
        super().__init__(f"inspection {public_id} is at version {version}")
        self.version = version


class InspectionClosed(Exception):
    """The inspection was done or cancelled before."""


def order_inspection(session: Session, act: Act, case: CaseFile, order: Order) -> Inspection:
    """Order an inspection for a case loaded for change; the case goes to verification and its rider is told.

    Raises IncompleteAct, ForbiddenMove.
    """
    today = local_date(act.authority, act.now)
    problems = find_order_problems(order, get_powers(act.authority.law_id), today)
    if problems or order.due_on is None:
        raise IncompleteAct(problems)
    inspection = Inspection(
        authority_id=case.authority_id,
        case_id=case.id,
        vehicle_id=case.vehicle_id,
        state="ordered",
        reason=order.reason.strip(),
        legal_basis=order.legal_basis,
        ordered_by=act.staff_id,
        ordered_at=act.now,
        due_on=order.due_on,
    )
    content = {
        "inspection": inspection.public_id,
        "reason": inspection.reason,
        "legal_basis": inspection.legal_basis,
        "law": act.authority.law_id,
        "due_on": order.due_on.isoformat(),
        **restart_clock(session, case, act.now),
    }
    append_event(session, case, "inspection_ordered", act.actor, content, act.now)
    session.add(inspection)
    act.tell_reporter(session, case, "inspection_ordered")
    return inspection


def load_for_change(
    session: Session, authority_id: int, public_id: str, expected_version: int | None = None
) -> tuple[Inspection, CaseFile | None]:
    """The inspection and its case, both locked, the case first; raises UnknownInspection, StaleInspection.

    An inspection that is no longer open raises InspectionClosed when a version is expected.
    """
    found = find_inspection(session, authority_id, public_id)
    if found is None:
        raise UnknownInspection(public_id)
    case = _lock_case(session, found)
    inspection = session.exec(
        select(Inspection)
        .where(Inspection.authority_id == authority_id, Inspection.id == found.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one()
    if expected_version is not None and inspection.version != expected_version:
        raise StaleInspection(public_id, inspection.version)
    if expected_version is not None and inspection.state != "ordered":
        raise InspectionClosed(public_id)
    return inspection, case


def record_result(
    session: Session, act: Act, inspection: Inspection, case: CaseFile | None, finding: Finding
) -> Seal | None:
    """Record what was found, with a new seal if asked; the case's rider is told that it was done.

    Raises IncompleteAct.
    """
    vehicle = _vehicle_of(session, inspection)
    problems = find_finding_problems(finding, get_powers(act.authority.law_id), vehicle is not None)
    if problems:
        raise IncompleteAct(problems)
    seal = _change_seals(session, act, vehicle, finding)
    inspection.state = "done"
    inspection.result = finding.result
    inspection.measures = json.dumps(list(finding.measures))
    inspection.notes = finding.notes.strip() or None
    inspection.done_by, inspection.done_at = act.staff_id, act.now
    inspection.seal_id = seal.id if seal else None
    inspection.version += 1
    session.add(inspection)
    if case is not None:
        content = {
            "inspection": inspection.public_id,
            "result": finding.result,
            "measures": list(finding.measures),
            "law": freeze_measures(act.authority.law_id, finding.measures, local_date(act.authority, act.now)),
            "notes": finding.notes.strip(),
            "seal": seal.code if seal else None,
            "public_result": public_result(finding.result, finding.measures),
        }
        _append(session, act, case, "inspection_done", content)
        act.tell_reporter(session, case, "inspection_done")
    return seal


def cancel_inspection(
    session: Session, act: Act, inspection: Inspection, case: CaseFile | None, reason: str
) -> None:
    """Take an order back, with the reason. Raises IncompleteAct."""
    if not reason.strip():
        raise IncompleteAct({"motivo": "Escreva por que a vistoria não será feita."})
    inspection.state = "cancelled"
    inspection.notes = reason.strip()
    inspection.version += 1
    session.add(inspection)
    if case is not None:
        session.flush()
        content = {"inspection": inspection.public_id, "reason": reason.strip()}
        _append(session, act, case, "inspection_cancelled", content, stays=_has_open_one(session, case))


def find_inspection(session: Session, authority_id: int, public_id: str) -> Inspection | None:
    """One inspection of this authority by the id of its page."""
    return session.exec(
        select(Inspection).where(Inspection.authority_id == authority_id, Inspection.public_id == public_id)
    ).one_or_none()


def measures_of(inspection: Inspection) -> tuple[str, ...]:
    """The measures recorded with the result."""
    return tuple(json.loads(inspection.measures))


def _change_seals(session: Session, act: Act, vehicle: Vehicle | None, finding: Finding) -> Seal | None:
    if vehicle is None:
        return None
    if finding.revoke_seal:
        newest = newest_seals(session, vehicle.authority_id, [vehicle.id]).get(vehicle.id)
        if newest is not None and newest.revoked_at is None:
            revoke_seal(session, newest, f"Vistoria: {RESULTS[finding.result]}", act.now)
    if not finding.new_seal:
        return None
    try:
        return issue_seal(session, vehicle, finding.seal_until, act.staff_id, act.now)
    except CannotIssueSeal as problem:
        raise IncompleteAct({"validade": str(problem)}) from None


def _vehicle_of(session: Session, inspection: Inspection) -> Vehicle | None:
    if inspection.vehicle_id is None:
        return None
    return session.get(Vehicle, (inspection.authority_id, inspection.vehicle_id))


def _lock_case(session: Session, inspection: Inspection) -> CaseFile | None:
    if inspection.case_id is None:
        return None
    return session.exec(
        select(CaseFile)
        .where(CaseFile.authority_id == inspection.authority_id, CaseFile.id == inspection.case_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one()


def _append(
    session: Session, act: Act, case: CaseFile, kind: str, content: Mapping[str, object], stays: bool = False
) -> None:
    """As the transition table says; where the case has moved on meanwhile, or `stays`, an internal note."""
    if stays or not may_happen(kind, case.status):
        kind, content = "note_added", {"note": NOTES[kind], **content}
    append_event(session, case, kind, act.actor, content, act.now)


def _has_open_one(session: Session, case: CaseFile) -> bool:
    """Whether another inspection of this case is still to be done."""
    query = select(Inspection.id).where(
        Inspection.authority_id == case.authority_id,
        Inspection.case_id == case.id,
        Inspection.state == "ordered",
    )
    return session.exec(query).first() is not None
