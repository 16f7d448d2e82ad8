"""Telling the person who filed: the same notice on each channel they gave, once, in the caller's transaction."""

from collections.abc import Iterator
from datetime import datetime

from sqlmodel import Session

from complaints.authorities.tables import Authority
from complaints.cases.follow import case_key
from complaints.cases.identity import Identity, contact_of
from complaints.cases.protocol import format_protocol
from complaints.cases.tables import CaseFile
from complaints.law.terms import FEDERAL_LAW
from complaints.messages.addresses import channel_of, lookup_of
from complaints.messages.inbox import find_number_texted
from complaints.messages.optouts import has_stopped
from complaints.messages.outbox import enqueue
from complaints.messages.wording import write_message
from complaints.sealing import Keyring

OPTED_OUT = "asked for no more messages"


def notify_reporter(
    session: Session,
    keyring: Keyring,
    *,
    authority: Authority,
    case: CaseFile,
    purpose: str,
    seq: int,
    now: datetime,
    source: CaseFile | None = None,
) -> int:
    """Write a notice about a case for whoever filed it; returns how many messages were written (0 when anonymous).

    `purpose`: one of wording.toml; a receipt of an urgent case says the emergency numbers first. `seq`:
    the number of the event told of; the same purpose and number are written once. `source`: the case that the
    event is of, where this one was joined to it.
    """
    if purpose == "receipt" and case.urgent:
        purpose = "receipt_urgent"
    filling = {**_say_term(source or case), **_say_keys(keyring, case)}
    of = f"{source.protocol}-" if source is not None and source.id != case.id else ""
    written = 0
    for channel, recipient in _addresses(contact_of(session, keyring, case)):
        text_filling = {**filling, "term": filling["term"].strip()} if channel == "email" else filling
        message = write_message(purpose, channel, authority, text_filling)
        lookup = lookup_of(keyring, channel, recipient)
        written += enqueue(
            session,
            keyring,
            authority_id=case.authority_id,
            case_id=case.id,
            channel=channel,
            purpose=purpose,
            dedupe_key=f"{case.id}:{purpose}:{of}{seq}:{channel}",
            recipient=recipient,
            subject=message.subject,
            text=message.text,
            sender=find_number_texted(session, keyring, case.authority_id, lookup),
            parked_because=OPTED_OUT if _must_keep_silent(session, case, purpose, lookup) else "",
            now=now,
        )
    return written


def _say_keys(keyring: Keyring, case: CaseFile) -> dict[str, str]:
    return {"protocol": format_protocol(case.protocol), "key": case_key(keyring, case)}


def _say_term(case: CaseFile) -> dict[str, str]:
    due = f"{case.due_on:%d/%m/%Y}" if case.due_on else ""
    term = ""
    if case.due_on and case.clock_law_id == FEDERAL_LAW:
        term = f" Resposta até {due} (Lei federal 13.460/2017, art. 16)."
    elif case.due_on:
        term = f" Meta de resposta: {due} (não é prazo legal)."
    return {"term": term, "due": due}


def _addresses(contact: Identity) -> Iterator[tuple[str, str]]:
    """Where a text can reach the person, and the e-mail; a phone that is no number is left to staff."""
    text_address = contact.address or contact.phone
    if text_address.startswith(("+", "whatsapp:")):
        yield channel_of(text_address), text_address
    if "@" in contact.email:
        yield "email", contact.email


def _must_keep_silent(session: Session, case: CaseFile, purpose: str, lookup: bytes) -> bool:
    """A receipt for somebody who has just texted is the proof the law owes them, not a notice they stopped."""
    if purpose.startswith("receipt") and case.channel in ("sms", "whatsapp"):
        return False
    return has_stopped(session, case.authority_id, lookup)
