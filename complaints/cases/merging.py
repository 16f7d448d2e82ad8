"""Cases about the same fact: found by vehicle, line and time, and joined so that one is answered for all."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, or_, select

from complaints.cases.follow import UnknownCase
from complaints.cases.handling import Act, IncompleteAct, load_for_change
from complaints.cases.history import append_event
from complaints.cases.pausing import restart_clock
from complaints.cases.protocol import BadProtocol, check_protocol, format_protocol
from complaints.cases.tables import CaseFile

NEAR = timedelta(days=7)
"""How far apart two cases about one vehicle or line may have been filed to be shown as similar."""

FROM_HOW_MANY = 3
"""Riders are told of others from this many on: fewer would point at one person."""


def list_similar(session: Session, case: CaseFile, limit: int = 10) -> tuple[CaseFile, ...]:
    """Other cases about the same vehicle or line, filed within a week of this one, the nearest first."""
    same = _same_thing(case.vehicle_id, case.line_id)
    if same is None:
        return ()
    rows = session.exec(
        select(CaseFile).where(
            CaseFile.authority_id == case.authority_id,
            CaseFile.id != case.id,
            same,
            col(CaseFile.filed_at).between(case.filed_at - NEAR, case.filed_at + NEAR),
        )
    ).all()
    ranked = sorted(rows, key=lambda row: (row.vehicle_id != case.vehicle_id, abs(row.filed_at - case.filed_at)))
    return tuple(ranked[:limit])


def count_others(
    session: Session, authority_id: int, vehicle_id: UUID | None, line_id: str | None, now: datetime
) -> int:
    """How many complained of the vehicle, or without one of the line, in the last week; 0 below FROM_HOW_MANY."""
    same = _same_thing(vehicle_id, None if vehicle_id else line_id)
    if same is None:
        return 0
    found = session.exec(
        select(func.count()).where(
            CaseFile.authority_id == authority_id,
            same,
            col(CaseFile.kind).in_(("complaint", "report")),
            col(CaseFile.status) != "withdrawn",
            CaseFile.filed_at > now - NEAR,
        )
    ).one()
    return found if found >= FROM_HOW_MANY else 0


def lock_both(session: Session, authority_id: int, protocol: str, other: str) -> None:
    """Lock two cases in one order, before anything else does: opposite merges at once then wait for each other."""
    session.exec(
        select(CaseFile.id)
        .where(CaseFile.authority_id == authority_id, col(CaseFile.protocol).in_((protocol, _digits(other))))
        .order_by(col(CaseFile.id))
        .with_for_update()
    ).all()


def merge(session: Session, act: Act, case: CaseFile, into: str) -> None:
    """Join a case to the older case `into` (a protocol), after lock_both; the answer of that one is for both.

    Raises ForbiddenMove, and IncompleteAct where the other cannot take it in.
    """
    try:
        survivor = load_for_change(session, act.authority.id, check_protocol(into))
    except BadProtocol:
        raise IncompleteAct({"principal": "Digite os 12 números do protocolo do outro caso."}) from None
    except UnknownCase:
        raise IncompleteAct({"principal": "Não há caso com este protocolo."}) from None
    if survivor.id == case.id:
        raise IncompleteAct({"principal": "Este é o próprio caso."})
    if survivor.status in ("merged", "withdrawn"):
        raise IncompleteAct({"principal": "Este caso foi reunido a outro ou retirado. Escolha um que siga."})
    if (survivor.filed_at, survivor.id) > (case.filed_at, case.id):
        raise IncompleteAct({"principal": "Reúna o mais novo ao mais antigo: vale o prazo do mais antigo."})
    _join(session, act, case, survivor)


def _join(session: Session, act: Act, case: CaseFile, survivor: CaseFile) -> None:
    content = {
        "into": format_protocol(survivor.protocol),
        "into_id": survivor.id.hex,
        **restart_clock(session, case, act.now),
    }
    append_event(session, case, "merged", act.actor, content, act.now)
    case.merged_into = survivor.id
    survivor.urgent = survivor.urgent or case.urgent
    received = {"from": format_protocol(case.protocol), "urgent": survivor.urgent}
    append_event(session, survivor, "merge_received", act.actor, received, act.now)
    act.tell_reporter(session, case, "merged")


def _digits(typed: str) -> str:
    return "".join(sign for sign in typed if sign.isdigit())


def _same_thing(vehicle_id: UUID | None, line_id: str | None) -> ColumnElement[bool] | None:
    same = []
    if vehicle_id is not None:
        same.append(col(CaseFile.vehicle_id) == vehicle_id)
    if line_id is not None:
        same.append(col(CaseFile.line_id) == line_id)
    return or_(*same) if same else None
