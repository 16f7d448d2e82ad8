"""Answers to a text: through the outbox, once for each text, and never so many that machines talk to machines."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from complaints.authorities.calendar import local_date
from complaints.authorities.tables import Authority
from complaints.cases.filing import add_text
from complaints.cases.handling import load_for_change
from complaints.cases.protocol import format_protocol
from complaints.cases.reading import TimelineEntry, rider_view
from complaints.cases.tables import CaseFile
from complaints.cases.workflow import ForbiddenMove
from complaints.messages.conversation import Understood
from complaints.messages.inbox import Inbound
from complaints.messages.outbox import enqueue
from complaints.messages.tables import InboundMessage, Outbox
from complaints.messages.wording import write_message
from complaints.registry.plates import format_plate
from complaints.registry.seal_code import format_code
from complaints.registry.vehicle_search import VehicleView, view_vehicles
from complaints.registry.vehicles import identify
from complaints.sealing import Keyring

HOUR = timedelta(hours=1)
MOST_PER_HOUR = 10
"""Automatic messages to one number; beyond that people must look."""

_NO_VALUES: dict[str, str] = {}
_TOLD = {
    "answered": " Resposta: {text}",
    "archived": " Motivo: {text}",
    "complement_requested": " Falta: {text}",
    "forwarded": " {text}",
}
_STATES = {
    "valid": "válido até {until:%d/%m/%Y}",
    "expired": "VENCIDO, valia até {until:%d/%m/%Y}",
    "revoked": "CANCELADO",
    "none": "nenhum registrado",
}
_KINDS = {"van": "van", "microonibus": "micro-ônibus", "onibus": "ônibus"}


@dataclass
class Talk:
    """One text being answered, in one transaction; `authority` speaks.

    `earlier`: what the sender wrote in the day before, the newest first.
    """

    session: Session
    keyring: Keyring
    authority: Authority
    row: InboundMessage
    inbound: Inbound
    earlier: tuple[InboundMessage, ...]
    now: datetime
    _written: int = field(default=0, init=False)

    @property
    def authority_id(self) -> int:
        """The id of a stored authority."""
        if self.authority.id is None:
            raise ValueError("the authority is not stored yet")
        return self.authority.id

    def reply(self, purpose: str, values: Mapping[str, str] = _NO_VALUES, case: CaseFile | None = None) -> bool:
        """Write an answer; False when the number has had its share of this hour."""
        if self.replies_left() <= 0:
            return False
        self._written += 1
        message = write_message(purpose, self.row.channel, self.authority, values)
        return enqueue(
            self.session,
            self.keyring,
            authority_id=self.authority_id,
            case_id=case.id if case else None,
            channel=self.row.channel,
            purpose=purpose,
            dedupe_key=f"reply:{self.inbound.sid}:{self._written}",
            recipient=self.inbound.sender.raw,
            sender=self.inbound.to,
            text=message.text,
            now=self.now,
        )

    def replies_left(self) -> int:
        """How many more automatic messages the number may get now."""
        return MOST_PER_HOUR - self._count_since(HOUR)

    def was_told(self, purpose: str, within: timedelta) -> bool:
        """Whether the number got this answer lately."""
        return self._count_since(within, purpose) > 0

    def _count_since(self, span: timedelta, purpose: str | None = None) -> int:
        query = select(func.count()).where(
            Outbox.recipient_lookup == self.row.sender_lookup, col(Outbox.created_at) > self.now - span
        )
        return self.session.exec(query.where(Outbox.purpose == purpose) if purpose else query).one()


def case_of(session: Session, row: InboundMessage) -> CaseFile:
    """The case a text went into."""
    return session.get_one(CaseFile, (row.authority_id, row.case_id))


def add_words(talk: Talk, case: CaseFile, text: str) -> bool:
    """Add words to a case, and the text to its messages; False when the case takes none any more."""
    locked = load_for_change(talk.session, case.authority_id, case.protocol)
    try:
        add_text(talk.session, locked, text, talk.row.channel, "rider", talk.now)
    except ForbiddenMove:
        return False
    talk.row.authority_id, talk.row.case_id = locked.authority_id, locked.id
    return True


def reply_status(talk: Talk, case: CaseFile) -> None:
    """Say where a case stands, and what was answered or asked last, to somebody who may know."""
    view = rider_view(talk.session, case)
    told = _last_told(view.timeline)
    values = {"protocol": format_protocol(case.protocol), "status": view.status_label, "answer": told}
    talk.reply("reply_status_answer" if told else "reply_status", values, case)


def reply_about(talk: Talk, purpose: str, case: CaseFile) -> None:
    """An answer that names a case and its status."""
    label = rider_view(talk.session, case).status_label
    talk.reply(purpose, {"protocol": format_protocol(case.protocol), "status": label}, case)


def reply_vehicle(talk: Talk, understood: Understood) -> None:
    """Say what a seal or a plate is worth, and ask what happened."""
    today = local_date(talk.authority, talk.now)
    found = identify(talk.session, talk.authority_id, understood.seal, understood.plate, "", today)
    if found.vehicle is None:
        talk.reply(*_unknown_vehicle(understood))
        return
    (view,) = view_vehicles(talk.session, talk.authority_id, (found.vehicle,), today)
    values = {"vehicle": _vehicle_words(view), "seal_state": _state_words(view, found.findings)}
    if found.seal is None:
        talk.reply("reply_vehicle", values)
    else:
        talk.reply("reply_seal", {**values, "seal": found.seal.own_number or format_code(found.seal.code)})


def _unknown_vehicle(understood: Understood) -> tuple[str, dict[str, str]]:
    if understood.seal_checks:
        return "reply_seal_unknown", {"seal": format_code(understood.seal)}
    return ("reply_seal_misread" if understood.seal else "reply_vehicle_unknown"), {}


def _vehicle_words(view: VehicleView) -> str:
    kind = _KINDS.get(view.kind, view.kind)
    return f"{format_plate(view.plate)}, {kind} {view.colour or ''}".strip()


def _state_words(view: VehicleView, findings: tuple[str, ...]) -> str:
    """The seal that was read decides when it is worth less than the newest one of the vehicle."""
    worse = next((state for state in ("revoked", "expired") if f"seal_{state}" in findings), view.seal_state)
    return _STATES[worse].format(until=view.seal_valid_until)


def _last_told(timeline: tuple[TimelineEntry, ...]) -> str:
    """The authority's last words to the rider; a question that was answered since is no longer asked."""
    for entry in reversed(timeline):
        if entry.kind == "complement_received":
            return ""
        if entry.kind in _TOLD and entry.content.get("text"):
            return _TOLD[entry.kind].format(text=" ".join(entry.content["text"].split()))
    return ""
