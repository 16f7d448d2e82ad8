"""Answering a text: whose it is, what it continues, and what it wants. The message itself is stored already."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlmodel import Session, select

from complaints.authorities.tables import Authority
from complaints.cases.identity import normal_phone
from complaints.cases.tables import CaseFile
from complaints.messages import optouts
from complaints.messages.conversation import Understood, understand
from complaints.messages.inbox import RECEIVED, list_unanswered, lock_inbound, open_inbound, recent_messages
from complaints.messages.intents import INTENTS
from complaints.messages.replies import HOUR, Talk, add_words, case_of
from complaints.messages.tables import InboundMessage
from complaints.registry.seals import find_seal
from complaints.sealing import Keyring

CONTINUES_WITHIN = timedelta(seconds=90)
"""A text so soon after the last one of its sender goes on with it: long texts arrive in pieces."""

IN_ONE_BREATH = timedelta(minutes=10)
"""And the case it goes on with is no older than this."""

REMEMBERED = timedelta(hours=24)
"""How long a seal sent alone waits for what happened, and a case for a repeated text."""


def answer_inbound(session: Session, keyring: Keyring, row_id: UUID, now: datetime) -> None:
    """Answer a stored text, and before it those of its sender that nobody has answered yet, in order.

    Harmless when repeated. Two texts of one sender are never answered at the same time.
    """
    for waiting in list_unanswered(session, session.get_one(InboundMessage, row_id)):
        row = lock_inbound(session, waiting)
        if row.understood_as == RECEIVED:
            row.understood_as = _answer(session, keyring, row, now)
            session.flush()


def _answer(session: Session, keyring: Keyring, row: InboundMessage, now: datetime) -> str:
    inbound = open_inbound(keyring, row)
    if not inbound.sender.may_be_answered:
        return "machine"
    understood = understand(inbound.body)
    earlier = recent_messages(session, row, REMEMBERED)
    authority = _find_authority(session, understood, inbound.to, earlier)
    if authority is None:
        return "no_authority"
    row.authority_id = authority.id
    session.flush()
    if inbound.opt_out_type:
        return _told_by_gateway(inbound.opt_out_type)
    talk = Talk(session, keyring, authority, row, inbound, earlier, now)
    continued = _find_continued(talk, understood)
    if continued and add_words(talk, continued, inbound.body):
        return "continued"
    return INTENTS[understood.intent](talk, understood)


def _find_authority(
    session: Session, understood: Understood, texted: str, earlier: tuple[InboundMessage, ...]
) -> Authority | None:
    """The seal's authority, else that of the number texted, else the one the sender was talking to."""
    if understood.seal_checks and (seal := find_seal(session, understood.seal)):
        return session.get_one(Authority, seal.authority_id)
    number = normal_phone(texted.removeprefix("whatsapp:"))
    owner = session.exec(select(Authority).where(Authority.sms_number == number)).first()
    return owner or (session.get_one(Authority, earlier[0].authority_id) if earlier else None)


def _told_by_gateway(opt_out_type: str) -> str:
    """The gateway has answered the person itself."""
    return {"STOP": optouts.STOPPED, "START": optouts.STARTED}.get(opt_out_type.upper(), "help")


def _find_continued(talk: Talk, understood: Understood) -> CaseFile | None:
    """The case a text goes on with; None when it stands for itself. Danger that is news is a case of its own."""
    last = next((row for row in talk.earlier if row.case_id), None)
    if last is None or understood.intent not in ("complaint", "vehicle"):
        return None
    case = case_of(talk.session, last)
    if understood.danger and not case.urgent:
        return None
    silence = talk.row.received_at - talk.earlier[0].received_at
    age = talk.row.received_at - last.received_at
    if silence <= CONTINUES_WITHIN and age <= IN_ONE_BREATH:
        return case
    if age > HOUR:
        return None
    lacks_vehicle = not (case.vehicle_id or case.seal_typed or case.plate_typed)
    return case if talk.replies_left() <= 0 or (understood.intent == "vehicle" and lacks_vehicle) else None
