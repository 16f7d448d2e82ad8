"""The worker's part: messages handed to their gateway, and what became of those whose sender died.

No call to a gateway can be exactly once. A message is marked as sending before the call; if no answer is
recorded it becomes unknown, and the gateway is asked before anything is sent again.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from typing import Protocol

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from complaints.authorities.tables import Authority
from complaints.messages import claims, outbox
from complaints.messages.delivery_status import NOT_DELIVERED, record_status, report
from complaints.messages.gateway_errors import delay_after, rule_for
from complaints.messages.gateways import CannotTell, Gateway, NoAnswer, Refused, Trace
from complaints.messages.outbox import Message
from complaints.messages.tables import GatewayEvent, Outbox
from complaints.messages.wording import finish_text
from complaints.sealing import CannotOpen, Keyring

BATCH = 5
FIRST_LOOK = timedelta(seconds=5)
"""After a call that got no answer."""

SETTLED = timedelta(seconds=60)
"""Since the call: from then on a gateway that lists no such message never will, and it may be sent again."""

LONGEST_LOOK = timedelta(hours=1)

log = logging.getLogger("selo.messages")


class Transactions(Protocol):
    """Where sessions come from."""

    def read(self) -> AbstractContextManager[Session]:
        """A session that changes nothing."""

    def write(self) -> AbstractContextManager[Session]:
        """A session whose changes are committed together, or not at all."""


@dataclass(frozen=True)
class Delivery:
    """Everything a round needs. `owner` names this worker; `gateways` are by channel, others must wait."""

    transactions: Transactions
    keyring: Keyring
    gateways: Mapping[str, Gateway]
    public_url: str
    clock: Callable[[], datetime]
    owner: str
    random: Random

    def send_due(self, limit: int = BATCH) -> int:
        """Send messages that are due; returns how many were claimed."""
        if not self._is_any(claims.is_due):
            return 0
        with self.transactions.write() as session:
            rows = claims.claim(session, self.owner, self.clock(), limit, self.gateways.keys())
        for row in rows:
            self._send(row)
        return len(rows)

    def reconcile(self, limit: int = BATCH) -> int:
        """Ask the gateways about messages whose fate is unknown; returns how many were asked about."""
        if not self._is_any(claims.is_stranded):
            return 0
        with self.transactions.write() as session:
            rows = claims.find_stranded(session, self.clock(), limit, self.gateways.keys())
        for row in rows:
            self._reconcile(row)
        return len(rows)

    def _is_any(self, condition: Callable[[datetime], ColumnElement[bool]]) -> bool:
        """A look without the lock of writers, which an idle worker need not take every second."""
        with self.transactions.read() as session:
            return claims.is_any(session, condition(self.clock()), self.gateways.keys())

    def _send(self, row: Outbox) -> None:
        message = self._open(row)
        if message is None:
            return
        with self.transactions.write() as session:
            if not claims.mark_sending(session, message.key, self.owner, self.clock()):
                return
            message = replace(message, sender=message.sender or _find_sender(session, message))
        try:
            trace = self.gateways[message.channel].send(message)
        except Refused as refusal:
            self._refused(message, refusal.code)
        except NoAnswer as silence:
            self._unknown(message, str(silence), FIRST_LOOK)
        except Exception as defect:
            log.exception("sending failed", extra={"channel": message.channel})
            self._unknown(message, f"defect: {type(defect).__name__}", FIRST_LOOK)
        else:
            with self.transactions.write() as session:
                state = "delivered" if trace.status == "delivered" else "sent"
                claims.mark_accepted(session, message.key, trace.gateway_id, state, self.clock())

    def _open(self, row: Outbox) -> Message | None:
        """The message as it goes out; None when no key opens it, and then it is left to staff."""
        try:
            message = outbox.open_message(self.keyring, row)
        except CannotOpen:
            rule, key = rule_for("cannot-open"), (row.authority_id, row.id)
            with self.transactions.write() as session:
                claims.park(session, key, rule.error)
                claims.mark_unknown(session, key, rule.error, self.clock() + LONGEST_LOOK)
            report(rule.code, rule.alert, row.channel)
            return None
        return replace(message, text=finish_text(message.channel, message.text, self.public_url))

    def _refused(self, message: Message, code: str) -> None:
        rule = rule_for(code)
        delay = delay_after(rule, message.attempts + 1, self.random)
        state = "pending" if delay else "parked" if rule.do == "park" else "failed"
        now = self.clock()
        with self.transactions.write() as session:
            claims.mark_refused(session, message.key, state, rule.error, now + delay if delay else None)
        report(rule.code, rule.alert, message.channel)

    def _unknown(self, message: Message, error: str, look_after: timedelta) -> None:
        with self.transactions.write() as session:
            claims.mark_unknown(session, message.key, error, self.clock() + look_after)

    def _reconcile(self, row: Outbox) -> None:
        message = self._open(row)
        if message is None:
            return
        try:
            traces = self.gateways[message.channel].find(message)
        except CannotTell as silence:
            self._unknown(message, str(silence), self._next_look(message))
            return
        with self.transactions.write() as session:
            self._settle(session, message, [trace for trace in traces if _is_free(session, message, trace)])

    def _settle(self, session: Session, message: Message, traces: list[Trace]) -> None:
        """In one transaction: take what the gateway has, or send again what it surely lacks."""
        now = self.clock()
        if claims.lock(session, message.key).state != "unknown":
            return
        if traces:
            if not record_status(session, message.key, traces[0], now, self.random):
                claims.mark_unknown(session, message.key, "nothing new", now + self._next_look(message))
        elif message.started_at is None or now - message.started_at >= SETTLED:
            claims.release(session, message.key, now)
        else:
            claims.mark_unknown(session, message.key, "not listed yet", message.started_at + SETTLED)

    def _next_look(self, message: Message) -> timedelta:
        """The longer it has been unknown, the later: half its age, from half a minute to an hour."""
        age = self.clock() - (message.started_at or message.created_at)
        return min(max(age / 2, outbox.LEASE), LONGEST_LOOK)


def _find_sender(session: Session, message: Message) -> str:
    """Whom the message comes from: the authority's number as the channel writes it, or its name in an e-mail."""
    authority = session.exec(select(Authority).where(Authority.id == message.authority_id)).one()
    if message.channel == "email":
        return authority.name
    number = authority.sms_number or ""
    return f"whatsapp:{number}" if number and message.channel == "whatsapp" else number


def _is_free(session: Session, message: Message, trace: Trace) -> bool:
    """Whether this may be the call in question: equal texts to one person look alike, so neither another row's
    message nor one that is known to have failed before."""
    other = select(Outbox.id).where(Outbox.gateway_id == trace.gateway_id, col(Outbox.id) != message.id)
    failed = select(GatewayEvent.id).where(
        GatewayEvent.gateway_id == trace.gateway_id, col(GatewayEvent.status).in_(NOT_DELIVERED)
    )
    return all(session.exec(query.limit(1)).first() is None for query in (other, failed))
