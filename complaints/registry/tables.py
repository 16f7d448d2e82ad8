"""Tables of the registry: holders, permits, vehicles and seals."""

import datetime as dt
from uuid import UUID

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from complaints.ids import new_public_id
from complaints.tables import Owned, belongs_to


class Holder(Owned, table=True):
    """A permit holder (permissionário); the document number (CPF or CNPJ) is sealed. Never public."""

    name: str = Field(max_length=200)
    document_sealed: bytes | None = None
    document_lookup: bytes | None = Field(default=None, max_length=32, index=True)


class Permit(Owned, table=True):
    """A permit (permissão, autorização or concessão) by an act of the authority; both dates are inclusive."""

    __table_args__ = (UniqueConstraint("authority_id", "number"), belongs_to("holder", "holder_id"))

    number: str = Field(max_length=40)
    holder_id: UUID
    act: str = Field(max_length=200)
    starts_on: dt.date
    ends_on: dt.date | None = None


class Vehicle(Owned, table=True):
    """A registered vehicle. `plate` is canonical (Mercosul form); the line is a copy of the feed's id and name."""

    __table_args__ = (
        UniqueConstraint("authority_id", "plate"),
        Index("ix_vehicle_fleet_number", "authority_id", "fleet_number"),
        belongs_to("permit", "permit_id"),
    )

    public_id: str = Field(default_factory=new_public_id, max_length=16, unique=True)
    plate: str = Field(max_length=7)
    fleet_number: str | None = Field(default=None, max_length=20)
    kind: str = Field(max_length=20)
    colour: str | None = Field(default=None, max_length=40)
    model: str | None = Field(default=None, max_length=80)
    made_year: int | None = None
    capacity: int | None = None
    permit_id: UUID | None = None
    line_id: str | None = Field(default=None, max_length=120)
    line_name: str | None = Field(default=None, max_length=200)
    service: str = Field(max_length=40)
    withdrawn_on: dt.date | None = None


class Seal(Owned, table=True):
    """An inspection seal. `code` is unique everywhere: a seal finds its own authority. Kept for ever."""

    __table_args__ = (
        Index("ix_seal_own_number", "authority_id", "own_number"),
        Index("ix_seal_vehicle", "authority_id", "vehicle_id"),
        belongs_to("vehicle", "vehicle_id"),
    )

    code: str = Field(max_length=9, unique=True)
    own_number: str | None = Field(default=None, max_length=40)
    vehicle_id: UUID
    issued_at: dt.datetime
    issued_by: UUID | None = None
    valid_until: dt.date
    revoked_at: dt.datetime | None = None
    revoked_reason: str | None = Field(default=None, max_length=300)
