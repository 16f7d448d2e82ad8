"""Inspections as lists: what is to be done on the street, and what was ordered for a case."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import Select

from complaints.cases.named_vehicle import line_in_lists
from complaints.cases.tables import CaseFile
from complaints.enforcement.tables import Inspection
from complaints.registry.tables import Vehicle


@dataclass(frozen=True)
class AgendaRow:
    """An inspection with what helps to find the vehicle; nothing of what the rider wrote."""

    inspection: Inspection
    vehicle: Vehicle | None
    case: CaseFile | None

    def is_late(self, today: date) -> bool:
        """Whether its last day has passed and it is still to be done."""
        return self.inspection.state == "ordered" and self.inspection.due_on < today

    @property
    def line(self) -> str | None:
        """The line to look on."""
        if self.vehicle and self.vehicle.line_name:
            return self.vehicle.line_name
        return line_in_lists(self.case) if self.case else None

    @property
    def urgent(self) -> bool:
        """Whether its case is urgent."""
        return self.case is not None and self.case.urgent


def list_agenda(session: Session, authority_id: int, limit: int = 100, offset: int = 0) -> tuple[AgendaRow, ...]:
    """Open inspections, urgent cases first, then by last day."""
    rows = session.exec(
        _joined()
        .where(Inspection.authority_id == authority_id, Inspection.state == "ordered")
        .order_by(col(CaseFile.urgent).is_(True).desc(), col(Inspection.due_on), col(Inspection.id))
        .limit(limit)
        .offset(offset)
    ).all()
    return tuple(AgendaRow(*row) for row in rows)


def find_agenda_row(session: Session, authority_id: int, public_id: str) -> AgendaRow | None:
    """One inspection in any state."""
    row = session.exec(
        _joined().where(Inspection.authority_id == authority_id, Inspection.public_id == public_id)
    ).one_or_none()
    return AgendaRow(*row) if row else None


def list_inspections(session: Session, authority_id: int, case_id: UUID) -> tuple[Inspection, ...]:
    """The inspections of a case, oldest first."""
    rows = session.exec(
        select(Inspection)
        .where(Inspection.authority_id == authority_id, Inspection.case_id == case_id)
        .order_by(col(Inspection.id))
    ).all()
    return tuple(rows)


def _joined() -> Select[Inspection, Vehicle, CaseFile]:
    return (
        select(Inspection, Vehicle, CaseFile)
        .join(
            Vehicle,
            (col(Vehicle.authority_id) == Inspection.authority_id) & (col(Vehicle.id) == Inspection.vehicle_id),
            isouter=True,
        )
        .join(
            CaseFile,
            (col(CaseFile.authority_id) == Inspection.authority_id) & (col(CaseFile.id) == Inspection.case_id),
            isouter=True,
        )
    )
