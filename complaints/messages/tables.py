"""Tables of messages: the outbox, what the gateway said of each row, and what came in."""

import datetime as dt
from uuid import UUID

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from complaints.ids import new_id
from complaints.tables import Owned, belongs_to


class Outbox(Owned, table=True):
    """A message to send, written in the transaction that caused it. Recipient and text are sealed together.

    `state`: the stored words of the contract. A row is claimed by `lease_until`; `sending` is committed before
    the gateway is called, so a death in between leaves a trace.
    """

    __table_args__ = (
        UniqueConstraint("authority_id", "dedupe_key"),
        Index("ix_outbox_due", "state", "due_at"),
        Index("ix_outbox_case", "authority_id", "case_id"),
        belongs_to("case_file", "case_id"),
    )

    case_id: UUID | None = None
    channel: str = Field(max_length=12)
    purpose: str = Field(max_length=40)
    dedupe_key: str = Field(max_length=160)
    recipient_lookup: bytes = Field(max_length=32, index=True)
    sealed: bytes
    state: str = Field(max_length=12)
    attempts: int = 0
    created_at: dt.datetime
    due_at: dt.datetime
    lease_until: dt.datetime | None = None
    lease_owner: str | None = Field(default=None, max_length=80)
    gateway_id: str | None = Field(default=None, max_length=64, index=True)
    error: str | None = Field(default=None, max_length=200)
    sent_at: dt.datetime | None = None
    delivered_at: dt.datetime | None = None


class GatewayEvent(Owned, table=True):
    """One status callback about one outbox row. Append-only."""

    __tablename__ = "gateway_event"
    __table_args__ = (belongs_to("outbox", "outbox_id"),)

    outbox_id: UUID
    gateway_id: str = Field(max_length=64)
    status: str = Field(max_length=30)
    error_code: str | None = Field(default=None, max_length=12)
    received_at: dt.datetime


class InboundMessage(SQLModel, table=True):
    """A text that reached the webhook, kept whole (sealed) before anything is done with it.

    `authority_id` is null only when the number texted belongs to no authority and the text names no seal.
    """

    __tablename__ = "inbound_message"
    __table_args__ = (
        Index("ix_inbound_message_sender", "authority_id", "sender_lookup", "received_at"),
        belongs_to("case_file", "case_id"),
    )

    id: UUID = Field(default_factory=new_id, primary_key=True)
    authority_id: int | None = Field(default=None, foreign_key="authority.id")
    message_sid: str = Field(max_length=64, unique=True)
    channel: str = Field(max_length=12)
    sender_lookup: bytes = Field(max_length=32)
    sealed: bytes
    received_at: dt.datetime
    understood_as: str = Field(max_length=30)
    case_id: UUID | None = None


class WorkerBeat(SQLModel, table=True):
    """When a worker last finished a round, by its name."""

    __tablename__ = "worker_beat"

    name: str = Field(max_length=80, primary_key=True)
    at: dt.datetime
