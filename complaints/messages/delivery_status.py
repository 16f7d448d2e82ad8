"""What a gateway says later of a message: kept as events, applied so that no order and no repetition does harm."""

import logging
from datetime import datetime
from random import Random
from uuid import UUID

from sqlmodel import Session, col, select

from complaints.messages.claims import lock
from complaints.messages.gateway_errors import delay_after, rule_for
from complaints.messages.gateways import Trace
from complaints.messages.tables import GatewayEvent, Outbox

ON_ITS_WAY = frozenset({"accepted", "scheduled", "queued", "sending", "sent", "partially_delivered"})
DELIVERED = frozenset({"delivered", "read"})
NOT_DELIVERED = frozenset({"failed", "undelivered", "canceled"})

log = logging.getLogger("selo.messages")


def find_message(session: Session, key: tuple[int, UUID] | None, gateway_id: str) -> tuple[int, UUID] | None:
    """The message a callback speaks of: by our own id, else by the gateway's."""
    if key:
        row = session.get(Outbox, key)
    else:
        row = session.exec(select(Outbox).where(Outbox.gateway_id == gateway_id).limit(1)).first()
    return (row.authority_id, row.id) if row else None


def record_status(session: Session, key: tuple[int, UUID], trace: Trace, now: datetime, random: Random) -> bool:
    """Keep one status and move the message accordingly; False when this very status is known already."""
    row = lock(session, key)
    known = _known_statuses(session, row, trace.gateway_id)
    if (trace.status, trace.error_code) in known:
        return False
    session.add(
        GatewayEvent(
            authority_id=row.authority_id,
            outbox_id=row.id,
            gateway_id=trace.gateway_id,
            status=trace.status[:30],
            error_code=trace.error_code[:12] or None,
            received_at=now,
        )
    )
    had_failed = any(status in NOT_DELIVERED for status, _ in known)
    _apply(row, trace, had_failed, now, random)
    return True


def _apply(row: Outbox, trace: Trace, had_failed: bool, now: datetime, random: Random) -> None:
    """`delivered` is final; a failure is only undone by `delivered`; an earlier attempt's word is only kept."""
    if row.state == "delivered" or (row.gateway_id and row.gateway_id != trace.gateway_id):
        return
    if trace.status in DELIVERED:
        _accept(row, trace, "delivered", now)
        row.delivered_at = now
    elif trace.status in ON_ITS_WAY and row.state in ("pending", "sending", "unknown") and not had_failed:
        _accept(row, trace, "sent", now)
    elif trace.status in NOT_DELIVERED and not had_failed:
        _fail(row, trace, now, random)


def _accept(row: Outbox, trace: Trace, state: str, now: datetime) -> None:
    row.state, row.gateway_id, row.error = state, trace.gateway_id, None
    row.sent_at = row.sent_at or now
    row.lease_owner = row.lease_until = None


def _fail(row: Outbox, trace: Trace, now: datetime, random: Random) -> None:
    rule = rule_for(trace.error_code or "30008")
    delay = delay_after(rule, row.attempts, random)
    row.error = rule.error
    row.lease_owner = row.lease_until = None
    if delay:
        row.state, row.due_at, row.gateway_id = "pending", now + delay, None
    else:
        row.state, row.gateway_id = "parked" if rule.do == "park" else "failed", trace.gateway_id
    report(rule.code, rule.alert, row.channel)


def report(code: str, alert: bool, channel: str) -> None:
    """Tell the log: an error when whoever runs the system must act, else a warning."""
    log.log(
        logging.ERROR if alert else logging.WARNING, "message refused", extra={"code": code, "channel": channel}
    )


def _known_statuses(session: Session, row: Outbox, gateway_id: str) -> set[tuple[str, str]]:
    rows = session.exec(
        select(GatewayEvent.status, GatewayEvent.error_code).where(
            GatewayEvent.authority_id == row.authority_id,
            col(GatewayEvent.outbox_id) == row.id,
            GatewayEvent.gateway_id == gateway_id,
        )
    ).all()
    return {(status, code or "") for status, code in rows}
