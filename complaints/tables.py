"""What every table of this package shares: naming of constraints, and the authority that owns each row."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import ForeignKeyConstraint
from sqlmodel import Field, SQLModel

from complaints.ids import new_id

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Owned(SQLModel):
    """A row of one authority; the key is (authority_id, id), so tables can be distributed by authority."""

    authority_id: int = Field(primary_key=True, foreign_key="authority.id")
    id: UUID = Field(default_factory=new_id, primary_key=True)


def belongs_to(table: str, column: str, *, deferred: bool = False) -> ForeignKeyConstraint:
    """A composite foreign key: `(authority_id, column)` refers to `table (authority_id, id)`.

    `deferred`: checked at the commit, for a row that must stand before the one it refers to.
    """
    columns: Sequence[str] = ("authority_id", column)
    return ForeignKeyConstraint(
        columns,
        (f"{table}.authority_id", f"{table}.id"),
        deferrable=True if deferred else None,
        initially="DEFERRED" if deferred else None,
    )
