"""Forgetting a person in the copies that messages leave: recipients, texts and senders, sealed as they are."""

import json

from sqlmodel import Session, select

from complaints.cases.tables import CaseFile
from complaints.messages.inbox import reseal_inbound
from complaints.messages.outbox import reseal_message
from complaints.messages.tables import InboundMessage, Outbox
from complaints.sealing import Keyring

FORGOTTEN = "the person's data were erased"
"""The `error` of a message that will never go out because nobody is known to send it to."""

_ON_ITS_WAY = ("sending", "unknown")


def forget_messages(session: Session, keyring: Keyring, case: CaseFile) -> int:
    """Empty what went to and came from the rider of a case, and send nothing more; returns how many rows.

    A message on its way keeps its recipient until the gateway has spoken.
    """
    sent = session.exec(
        select(Outbox).where(Outbox.authority_id == case.authority_id, Outbox.case_id == case.id)
    ).all()
    came = session.exec(
        select(InboundMessage).where(
            InboundMessage.authority_id == case.authority_id, InboundMessage.case_id == case.id
        )
    ).all()
    nobody = keyring.lookup(case.id.hex, "forgotten")
    forgotten = [row for row in sent if row.state not in _ON_ITS_WAY]
    for row in forgotten:
        reseal_message(keyring, row, recipient="", sender="", subject="", text="")
        row.recipient_lookup = nobody
        if row.state in ("pending", "parked"):
            row.state, row.error = "failed", FORGOTTEN
    for message in came:
        reseal_inbound(keyring, message, json.dumps([["MessageSid", message.message_sid]]))
        message.sender_lookup = nobody
    return len(forgotten) + len(came)
