"""Tables of the case: the file, its subjects, its history and proof, the reporter apart, evidence, idempotency."""

import datetime as dt
from uuid import UUID

from sqlalchemy import Index, Text, UniqueConstraint, text
from sqlmodel import Field

from complaints.ids import new_public_id
from complaints.tables import Owned, belongs_to


class CaseFile(Owned, table=True):
    """A complaint on its way: only what lists and rules need. Every text typed lives in an event's content.

    `due_on` is null while the term stands still for a complement, awaited until `complement_due_on`. `rating` is
    what the rider thought of the end (complaints.cases.dialogue). `queue_rank` orders the desk: 0 urgent,
    1 ordinary, null when the case is closed. `head` and `event_count` repeat the last event's, for checkpoints;
    `awaits_seal` until the next one covers them. `line_id` and `line_name` are copies, so the case outlives its
    feed.
    """

    __tablename__ = "case_file"
    __table_args__ = (
        Index("ix_case_file_queue", "authority_id", "queue_rank", "due_on", "id"),
        Index("ix_case_file_line", "authority_id", "line_id", "filed_at"),
        Index("ix_case_file_merged", "authority_id", "merged_into"),
        Index(
            "ix_case_file_complement",
            "complement_due_on",
            sqlite_where=text("complement_due_on IS NOT NULL"),
            postgresql_where=text("complement_due_on IS NOT NULL"),
        ),
        Index("ix_case_file_vehicle", "authority_id", "vehicle_id"),
        Index(
            "ix_case_file_awaits_seal",
            "authority_id",
            sqlite_where=text("awaits_seal"),
            postgresql_where=text("awaits_seal"),
        ),
        belongs_to("vehicle", "vehicle_id"),
        belongs_to("seal", "seal_id"),
        belongs_to("staff", "assigned_to"),
        belongs_to("case_file", "merged_into"),
    )

    protocol: str = Field(max_length=12, unique=True)
    key_generation: int = 1
    kind: str = Field(max_length=20)
    status: str = Field(max_length=24)
    channel: str = Field(max_length=12)
    confidentiality: str = Field(max_length=12)
    urgent: bool = False
    review_requested: bool = False
    queue_rank: int | None = None
    service: str = Field(max_length=20)
    filed_at: dt.datetime
    changed_at: dt.datetime
    answered_at: dt.datetime | None = None
    due_on: dt.date | None = None
    complement_due_on: dt.date | None = None
    clock_law_id: str | None = Field(default=None, max_length=80)
    vehicle_id: UUID | None = None
    seal_id: UUID | None = None
    seal_typed: str | None = Field(default=None, max_length=40)
    plate_typed: str | None = Field(default=None, max_length=40)
    fleet_typed: str | None = Field(default=None, max_length=40)
    line_id: str | None = Field(default=None, max_length=120)
    line_name: str | None = Field(default=None, max_length=200)
    findings: str = Field(default="[]", sa_type=Text)
    assigned_to: UUID | None = None
    merged_into: UUID | None = None
    rating: str | None = Field(default=None, max_length=10)
    version: int = 1
    head: bytes = Field(max_length=32)
    event_count: int
    awaits_seal: bool = True


class CaseSubject(Owned, table=True):
    """One subject of a case, as the rider or the staff chose it; label and citation frozen as they were used."""

    __tablename__ = "case_subject"
    __table_args__ = (
        UniqueConstraint("authority_id", "case_id", "key", "chosen_by"),
        belongs_to("case_file", "case_id"),
    )

    case_id: UUID
    key: str = Field(max_length=120)
    chosen_by: str = Field(max_length=10)
    label: str = Field(max_length=200)
    law_id: str = Field(max_length=80)
    citation: str = Field(max_length=200)


class CaseEvent(Owned, table=True):
    """One entry of a case's history. Append-only; `head` covers everything before it.

    `commitment` = HMAC-SHA-256(salt, canonical content); `head` = SHA-256 over case, number, commitment and the
    previous head (complaints.cases.chain).
    """

    __tablename__ = "case_event"
    __table_args__ = (
        UniqueConstraint("authority_id", "case_id", "seq"),
        belongs_to("case_file", "case_id"),
    )

    case_id: UUID
    seq: int
    kind: str = Field(max_length=40)
    at: dt.datetime
    actor: str = Field(max_length=60)
    commitment: bytes = Field(max_length=32)
    previous: bytes = Field(max_length=32)
    head: bytes = Field(max_length=32)


class EventContent(Owned, table=True):
    """What an event says, apart from it so that it can be erased; `id` is the event's."""

    __tablename__ = "event_content"
    __table_args__ = (belongs_to("case_event", "id"),)

    salt: bytes | None = Field(default=None, max_length=16)
    content: str | None = Field(default=None, sa_type=Text)
    erased_at: dt.datetime | None = None
    erased_reason: str | None = Field(default=None, max_length=200)


class Checkpoint(Owned, table=True):
    """Once a minute, per authority: a hash over the heads of the cases that changed and the checkpoint before."""

    __table_args__ = (UniqueConstraint("authority_id", "number"),)

    number: int
    at: dt.datetime
    previous: bytes = Field(max_length=32)
    head: bytes = Field(max_length=32)


class CheckpointEntry(Owned, table=True):
    """The head of one case, as one checkpoint saw it."""

    __tablename__ = "checkpoint_entry"
    __table_args__ = (
        UniqueConstraint("authority_id", "case_id", "event_count"),
        belongs_to("checkpoint", "checkpoint_id"),
        belongs_to("case_file", "case_id"),
    )

    checkpoint_id: UUID
    case_id: UUID
    event_count: int
    head: bytes = Field(max_length=32)


class Reporter(Owned, table=True):
    """Who filed: name, phone and e-mail sealed together; looked up by keyed hash; apart from the case."""

    __table_args__ = (
        UniqueConstraint("authority_id", "case_id"),
        Index("ix_reporter_phone", "authority_id", "phone_lookup"),
        Index("ix_reporter_email", "authority_id", "email_lookup"),
        belongs_to("case_file", "case_id"),
    )

    case_id: UUID
    sealed: bytes
    phone_lookup: bytes | None = Field(default=None, max_length=32)
    email_lookup: bytes | None = Field(default=None, max_length=32)
    created_at: dt.datetime


class IdentityAccess(Owned, table=True):
    """Each look at a reporter's identity: who, when, why."""

    __tablename__ = "identity_access"
    __table_args__ = (belongs_to("case_file", "case_id"), belongs_to("staff", "staff_id"))

    case_id: UUID
    staff_id: UUID
    reason: str = Field(max_length=300)
    at: dt.datetime


class Intake(Owned, table=True):
    """The idempotency table: one row for each key that filed a case, with a hash of what it said."""

    __table_args__ = (
        UniqueConstraint("authority_id", "key"),
        belongs_to("case_file", "case_id", deferred=True),
    )

    key: str = Field(max_length=80)
    content_hash: bytes = Field(max_length=32)
    case_id: UUID
    created_at: dt.datetime


class Evidence(Owned, table=True):
    """A file the rider sent: the original sealed, a cleaned copy for others. States: clean, hidden, sealed.

    `sealed`: only the original is kept, for those entitled (documents, recordings). `original_type` is found in
    the content, never taken from the sender.
    """

    __table_args__ = (
        Index("ix_evidence_case", "authority_id", "case_id"),
        belongs_to("case_file", "case_id"),
    )

    public_id: str = Field(default_factory=new_public_id, max_length=16, unique=True)
    case_id: UUID
    state: str = Field(max_length=12)
    original_key: str = Field(max_length=200)
    original_sha256: bytes = Field(max_length=32)
    original_size: int
    original_type: str = Field(max_length=40)
    clean_key: str | None = Field(default=None, max_length=200)
    clean_sha256: bytes | None = Field(default=None, max_length=32)
    clean_type: str | None = Field(default=None, max_length=40)
    width: int | None = None
    height: int | None = None
    created_at: dt.datetime
