"""Tables of staff: accounts, their roles, server-side sessions, and attempt counters for throttling."""

import datetime as dt
from uuid import UUID

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from complaints.tables import Owned, belongs_to


class Staff(Owned, table=True):
    """A person who works for the authority; `email` is folded to lower case and unique in the deployment."""

    email: str = Field(max_length=200, unique=True)
    name: str = Field(max_length=120)
    password_hash: str = Field(max_length=255)
    active: bool = True
    created_at: dt.datetime


class StaffRole(Owned, table=True):
    """One role of one person; what a role may do is data (roles.toml)."""

    __tablename__ = "staff_role"
    __table_args__ = (UniqueConstraint("authority_id", "staff_id", "role"), belongs_to("staff", "staff_id"))

    staff_id: UUID
    role: str = Field(max_length=40)


class StaffSession(Owned, table=True):
    """A log-in; only the hash of the cookie's token is stored."""

    __tablename__ = "staff_session"
    __table_args__ = (belongs_to("staff", "staff_id"),)

    staff_id: UUID
    token_hash: bytes = Field(max_length=32, unique=True)
    created_at: dt.datetime
    last_seen_at: dt.datetime
    expires_at: dt.datetime


class Attempt(SQLModel, table=True):
    """How often one thing was tried in one window; `bucket` is a keyed hash, so no address is stored."""

    bucket: bytes = Field(max_length=32, primary_key=True)
    window_start: dt.datetime = Field(primary_key=True)
    count: int
