"""Tables of the authority itself: identity, calendar days and dated choices."""

import datetime as dt
from uuid import UUID

from sqlalchemy import Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from complaints.tables import Owned


class Authority(SQLModel, table=True):
    """A municipal transport authority; `slug` starts its public addresses."""

    id: int = Field(default=None, primary_key=True)
    slug: str = Field(max_length=60, unique=True)
    name: str = Field(max_length=200)
    short_name: str = Field(max_length=60)
    town: str = Field(max_length=120)
    uf: str = Field(max_length=2)
    law_id: str = Field(max_length=80)
    clock_law_id: str | None = Field(default=None, max_length=80)
    time_zone: str = Field(max_length=64)
    phone: str = Field(max_length=40)
    sms_number: str | None = Field(default=None, max_length=20, unique=True)
    email: str | None = Field(default=None, max_length=200)
    has_lines: bool = True
    demo: bool = False
    created_at: dt.datetime


class CalendarDay(Owned, table=True):
    """A day that is not an ordinary one, in one layer: national, state, municipal or optional."""

    __tablename__ = "calendar_day"
    __table_args__ = (UniqueConstraint("authority_id", "day", "layer"),)

    day: dt.date
    layer: str = Field(max_length=20)
    name: str = Field(max_length=120)
    source: str = Field(max_length=200)
    added_at: dt.datetime


class AuthorityChoice(Owned, table=True):
    """A dated act of the authority: what it chose, by which instrument, from which day. Never edited."""

    __tablename__ = "authority_choice"
    __table_args__ = (
        UniqueConstraint(
            "authority_id", "kind", "key", "effective_from", "chosen_at", name="uq_authority_choice_act"
        ),
    )

    kind: str = Field(max_length=40)
    key: str = Field(max_length=120)
    value: str = Field(sa_type=Text)
    instrument: str = Field(max_length=300)
    document: str | None = Field(default=None, max_length=300)
    effective_from: dt.date
    chosen_by: UUID | None = None
    chosen_at: dt.datetime
