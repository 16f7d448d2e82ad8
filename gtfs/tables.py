"""Tables of the feeds: versions, their archives, who published which, what pages need, and stable addresses."""

import datetime as dt
from uuid import UUID, uuid4

from sqlalchemy import ForeignKeyConstraint, Index, LargeBinary, Text, UniqueConstraint, false, text
from sqlmodel import Field, SQLModel

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


DRAFT, PUBLISHED, RETIRED = "draft", "published", "retired"
"""States of a version."""


class FeedRow(SQLModel):
    """A row of one authority; the key is (authority_id, id), so tables can be distributed by authority."""

    authority_id: int = Field(primary_key=True, foreign_key="authority.id")
    id: UUID = Field(default_factory=uuid4, primary_key=True)


def of_version(column: str = "version_id") -> ForeignKeyConstraint:
    """Ties a column to a version of the same authority."""
    return ForeignKeyConstraint(("authority_id", column), ("feed_version.authority_id", "feed_version.id"))


class FeedVersion(FeedRow, table=True):
    """A checked feed: draft, published or retired. At most one version of an authority is published.

    `number` counts from 1 within the authority. `report` is `Report.to_json` and `summary` what lists show, both
    as JSON text. Days bound the trips (local, both included); `zone` is the feed's tz name. A draft with
    `publish_on` is published at the start of that local day; `with_fares`: its public zip carries the fares
    generated from the law and the authority's acts.
    """

    __tablename__ = "feed_version"
    __table_args__ = (
        UniqueConstraint("authority_id", "number"),
        UniqueConstraint("authority_id", "sha256"),
        Index(
            "ix_feed_version_published",
            "authority_id",
            unique=True,
            sqlite_where=text("state = 'published'"),
            postgresql_where=text("state = 'published'"),
        ),
    )

    number: int
    sha256: str = Field(max_length=64)
    state: str = Field(max_length=12)
    source_name: str = Field(max_length=200)
    zone: str = Field(max_length=64)
    first_day: dt.date | None = None
    last_day: dt.date | None = None
    report: str = Field(sa_type=Text)
    summary: str = Field(sa_type=Text)
    created_at: dt.datetime
    created_by: str = Field(max_length=120)
    published_at: dt.datetime | None = None
    published_by: str | None = Field(default=None, max_length=120)
    retired_at: dt.datetime | None = None
    publish_on: dt.date | None = None
    planned_by: str | None = Field(default=None, max_length=120)
    with_fares: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class FeedArchive(FeedRow, table=True):
    """The zip of a version, byte for byte as it came."""

    __tablename__ = "feed_archive"
    __table_args__ = (of_version(), UniqueConstraint("authority_id", "version_id"))

    version_id: UUID
    content: bytes = Field(sa_type=LargeBinary)


class FeedServices(FeedRow, table=True):
    """The services of a version: packed `ServiceDays`, by position."""

    __tablename__ = "feed_services"
    __table_args__ = (of_version(), UniqueConstraint("authority_id", "version_id"))

    version_id: UUID
    content: bytes = Field(sa_type=LargeBinary)


class FeedPublication(FeedRow, table=True):
    """One act on the published version: `publish` or `rollback`, never changed; `replaced_id` was shown before."""

    __tablename__ = "feed_publication"
    __table_args__ = (
        of_version(),
        of_version("replaced_id"),
        UniqueConstraint("authority_id", "number"),
    )

    number: int
    version_id: UUID
    replaced_id: UUID | None = None
    action: str = Field(max_length=12)
    done_at: dt.datetime
    done_by: str = Field(max_length=120)


class FeedLine(FeedRow, table=True):
    """One row of routes.txt in a version; `position` is its order there, `content` its page's data (packed).

    `kind` is the GTFS route_type; colours are six hexadecimal digits or blank; `search` is folded text. `details`
    (packed) is what the page shows beside times: paths for the map, kilometres, fleet, fares, how to book.
    """

    __tablename__ = "feed_line"
    __table_args__ = (
        of_version(),
        UniqueConstraint("authority_id", "version_id", "slug"),
        UniqueConstraint("authority_id", "version_id", "position"),
    )

    version_id: UUID
    position: int
    slug: str = Field(max_length=80)
    gtfs_id: str = Field(sa_type=Text)
    short_name: str = Field(sa_type=Text)
    long_name: str = Field(sa_type=Text)
    description: str = Field(sa_type=Text)
    kind: int
    colour: str = Field(max_length=6)
    text_colour: str = Field(max_length=6)
    sort_key: str = Field(sa_type=Text)
    search: str = Field(sa_type=Text)
    has_times: bool
    content: bytes = Field(sa_type=LargeBinary)
    details: bytes | None = Field(default=None, sa_type=LargeBinary)


class FeedStop(FeedRow, table=True):
    """One stop or station in a version; `position` is its order in stops.txt, `content` its board (packed).

    `search` is folded text: name, code, description; None in versions kept before there was a search for stops.
    """

    __tablename__ = "feed_stop"
    __table_args__ = (
        of_version(),
        UniqueConstraint("authority_id", "version_id", "slug"),
        UniqueConstraint("authority_id", "version_id", "position"),
    )

    version_id: UUID
    position: int
    slug: str = Field(max_length=80)
    gtfs_id: str = Field(sa_type=Text)
    code: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    latitude: float | None = None
    longitude: float | None = None
    content: bytes = Field(sa_type=LargeBinary)
    search: str | None = Field(default=None, sa_type=Text)


class FeedAddress(FeedRow, table=True):
    """The slug of a line or stop (`kind`), kept for good: the same gtfs_id has the same address in every version.

    `name` is the folded name it had last; an id that replaces another of the same name shares its slug.
    """

    __tablename__ = "feed_address"
    __table_args__ = (Index("ix_feed_address_kind_slug", "authority_id", "kind", "slug"),)

    kind: str = Field(max_length=8)
    gtfs_id: str = Field(sa_type=Text)
    slug: str = Field(max_length=80)
    name: str = Field(sa_type=Text)
