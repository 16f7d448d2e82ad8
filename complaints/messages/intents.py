"""What each intent of a text does; every function returns what the message is stored as understood."""

from collections.abc import Callable
from datetime import timedelta

from sqlmodel import select

from complaints.authorities.tables import Authority
from complaints.cases.filing import Filing, file_case
from complaints.cases.follow import WrongKey, case_key, open_case
from complaints.cases.identity import contact_of, is_reporter_phone
from complaints.cases.tables import CaseFile
from complaints.law.rulebook import get_rulebook
from complaints.messages import optouts
from complaints.messages.conversation import Understood, fold_words, get_vocabulary, understand
from complaints.messages.inbox import open_inbound
from complaints.messages.outbox import postpone
from complaints.messages.replies import (
    HOUR,
    Talk,
    add_words,
    case_of,
    reply_about,
    reply_status,
    reply_vehicle,
)
from complaints.staff.throttling import Limit, take_attempt

LATER = timedelta(minutes=10)
KEY_TRIES = Limit("case_key", 10, HOUR)
"""Shared with the page where a case is opened with its key."""


def _stop(talk: Talk, understood: Understood) -> str:
    talk.reply("reply_stopped")
    return optouts.STOPPED


def _cancel(talk: Talk, understood: Understood) -> str:
    """Cancel what was begun; with nothing begun the person wants no more messages."""
    if _find_waiting(talk):
        talk.reply("reply_cancelled")
        return "cancelled"
    return _stop(talk, understood)


def _start(talk: Talk, understood: Understood) -> str:
    talk.reply("reply_started")
    return optouts.STARTED


def _help(talk: Talk, understood: Understood) -> str:
    talk.reply("reply_help")
    return "help"


def _information(talk: Talk, understood: Understood) -> str:
    purpose = f"reply_{understood.intent}" if talk.authority.has_lines else "reply_help"
    talk.reply(purpose, {"phone": talk.authority.phone})
    return understood.intent


def _protocol(talk: Talk, understood: Understood) -> str:
    """Follow a case from the phone that filed it, or with its key; other words beside it are added."""
    case = _open_for_sender(talk, understood)
    if case is None:
        if understood.rest:
            return _complaint(talk, understood)
        talk.reply("reply_protocol_needs_key")
        return "protocol_refused"
    talk.authority = talk.session.get_one(Authority, case.authority_id)
    talk.row.authority_id, talk.row.case_id = case.authority_id, case.id
    if not understood.rest or understood.key == case_key(talk.keyring, case):
        reply_status(talk, case)
        return "protocol"
    reply_about(talk, "reply_added" if add_words(talk, case, understood.rest) else "reply_closed", case)
    return "added"


def _open_for_sender(talk: Talk, understood: Understood) -> CaseFile | None:
    case = talk.session.exec(select(CaseFile).where(CaseFile.protocol == understood.protocol)).first()
    sender = talk.inbound.sender
    if case and sender.phone and is_reporter_phone(talk.session, talk.keyring, case, sender.phone):
        return case
    if case and not sender.phone and contact_of(talk.session, talk.keyring, case).address == sender.raw:
        return case
    if not understood.key:
        return None
    if take_attempt(talk.session, talk.keyring, ((KEY_TRIES, understood.protocol),), talk.now):
        return None
    try:
        owner = case.authority_id if case else talk.authority_id
        return open_case(talk.session, talk.keyring, owner, understood.protocol, understood.key)
    except WrongKey:
        return None


def _protocol_unreadable(talk: Talk, understood: Understood) -> str:
    talk.reply("reply_protocol_unreadable")
    return "protocol_unreadable"


def _vehicle(talk: Talk, understood: Understood) -> str:
    reply_vehicle(talk, understood)
    return "vehicle"


def _complaint(talk: Talk, understood: Understood) -> str:
    repeated = _find_repeated(talk)
    if repeated:
        talk.row.case_id = repeated.id
        reply_about(talk, "reply_reminder", repeated)
        return "repeated"
    waiting = _find_waiting(talk) or understood
    sender = talk.inbound.sender
    filing = Filing(
        authority_id=talk.authority_id,
        channel=talk.row.channel,
        key=f"{talk.row.channel}:{talk.inbound.sid}",
        kind=understood.kind,
        subjects=_danger_subjects(talk.authority.law_id, understood.danger),
        text=understood.text,
        seal=understood.seal or waiting.seal,
        plate=understood.plate or waiting.plate,
        fleet_number=understood.fleet_number,
        line_name=understood.line_name or None,
        phone=sender.phone,
        address=sender.raw,
        confidentiality="confidential" if understood.confidential or understood.danger == "life" else "",
    )
    if understood.danger == "life":
        talk.reply("reply_life")
    case = file_case(talk.session, talk.keyring, filing, talk.now).case
    if understood.danger == "life":
        postpone(talk.session, case.authority_id, case.id, talk.now + LATER)
    talk.row.case_id = case.id
    return "complaint"


def _greeting(talk: Talk, understood: Understood) -> str:
    """Remind of the case of today; else explain once an hour how this works, to greetings and jokes alike."""
    with_case = next((row for row in talk.earlier if row.case_id), None)
    if understood.intent == "greeting" and with_case:
        reply_about(talk, "reply_reminder", case_of(talk.session, with_case))
    elif not talk.was_told("reply_help", HOUR):
        talk.reply("reply_help")
    return understood.intent


def _thanks(talk: Talk, understood: Understood) -> str:
    return "thanks"


Handler = Callable[[Talk, Understood], str]
INTENTS: dict[str, Handler] = {
    "stop": _stop,
    "cancel": _cancel,
    "start": _start,
    "help": _help,
    "lines": _information,
    "fares": _information,
    "protocol": _protocol,
    "protocol_unreadable": _protocol_unreadable,
    "vehicle": _vehicle,
    "complaint": _complaint,
    "greeting": _greeting,
    "thanks": _thanks,
    "empty": _greeting,
}
"""What to do about each intent; the answer is what the message is stored as understood."""


def _find_waiting(talk: Talk) -> Understood | None:
    """The seal or plate sent alone that still waits for what happened: nothing was filed or cancelled since."""
    for row in talk.earlier:
        if row.case_id or row.understood_as in ("cancelled", optouts.STOPPED):
            return None
        if row.understood_as == "vehicle":
            return understand(open_inbound(talk.keyring, row).body)
    return None


def _find_repeated(talk: Talk) -> CaseFile | None:
    """The case that the very same words have filed before."""
    said = fold_words(talk.inbound.body)
    for row in talk.earlier:
        filed_here = row.case_id and row.understood_as == "complaint" and row.authority_id == talk.authority_id
        if filed_here and fold_words(open_inbound(talk.keyring, row).body) == said:
            return case_of(talk.session, row)
    return None


def _danger_subjects(law_id: str, danger: str) -> tuple[str, ...]:
    """The subject of the town's law for a kind of danger; none for a wish to die, which people must read."""
    if not danger or danger == "life":
        return ()
    rulebook = get_rulebook(law_id)
    preferred = (key for key in get_vocabulary().dangers[danger].subjects if rulebook.find_subject(key))
    of_this_kind = (subject.key for subject in rulebook.list_subjects() if subject.urgency == danger)
    first = next(preferred, None) or next(of_this_kind, None)
    return (first,) if first else ()
