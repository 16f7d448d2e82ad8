"""Tables of enforcement: inspections ordered and their results."""

import datetime as dt
from uuid import UUID

from sqlalchemy import Index, Text
from sqlmodel import Field

from complaints.ids import new_public_id
from complaints.tables import Owned, belongs_to


class Inspection(Owned, table=True):
    """An inspection order, usually a child of a case, and its result once done.

    `state`: ordered, done, cancelled. `result`: the stored words of the contract. `measures`: JSON array.
    """

    __table_args__ = (
        Index("ix_inspection_case", "authority_id", "case_id"),
        Index("ix_inspection_agenda", "authority_id", "state", "due_on"),
        belongs_to("case_file", "case_id"),
        belongs_to("vehicle", "vehicle_id"),
        belongs_to("staff", "ordered_by"),
        belongs_to("staff", "done_by"),
        belongs_to("seal", "seal_id"),
    )

    public_id: str = Field(default_factory=new_public_id, max_length=16, unique=True)
    case_id: UUID | None = None
    vehicle_id: UUID | None = None
    state: str = Field(max_length=12)
    reason: str = Field(sa_type=Text)
    legal_basis: str = Field(max_length=200)
    ordered_by: UUID
    ordered_at: dt.datetime
    due_on: dt.date
    done_by: UUID | None = None
    done_at: dt.datetime | None = None
    result: str | None = Field(default=None, max_length=30)
    measures: str = Field(default="[]", sa_type=Text)
    notes: str | None = Field(default=None, sa_type=Text)
    seal_id: UUID | None = None
    version: int = 1
