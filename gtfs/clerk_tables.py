"""Tables of the clerk's work: uploads on their way, the reference feed, changes, alerts, and lines being drawn."""

import datetime as dt
from uuid import UUID

from sqlalchemy import Index, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field

from gtfs.tables import FeedRow, of_version

WAITING, WORKING, PROPOSED, READY = "waiting", "working", "proposed", "ready"
REFUSED, FAILED, DROPPED = "refused", "failed", "dropped"
"""States of an upload: `proposed` waits for the clerk's word on one replaced file, `ready` made a version,
`refused` has faults, `failed` could not be read at all, `dropped` was given up by the clerk."""


class FeedUpload(FeedRow, table=True):
    """A file a clerk sent, until the worker has made a version of it. `number` counts within the authority.

    `purpose` is `feed`, `file` (a feed like version `base_id` but for one file, still to be looked at) or
    `reference`. `content` is emptied when the work is done. `step` is the part of the work going on, `report` is
    `Report.to_json` as text, with `difference` (`FileDifference.to_json`) where one file was replaced.
    A worker that takes it sets `lease_until`; a lease that ran out may be taken again.
    """

    __tablename__ = "feed_upload"
    __table_args__ = (
        of_version("base_id"),
        of_version("version_id"),
        UniqueConstraint("authority_id", "number"),
        Index("ix_feed_upload_state", "state", "lease_until"),
    )

    number: int
    purpose: str = Field(max_length=12)
    source_name: str = Field(max_length=200)
    content: bytes | None = Field(default=None, sa_type=LargeBinary)
    base_id: UUID | None = None
    state: str = Field(max_length=12)
    step: str = Field(default="", max_length=40)
    attempts: int = 0
    lease_until: dt.datetime | None = None
    report: str | None = Field(default=None, sa_type=Text)
    version_id: UUID | None = None
    created_at: dt.datetime
    created_by: str = Field(max_length=120)
    finished_at: dt.datetime | None = None


class FeedReference(FeedRow, table=True):
    """A feed of another operator that new timetables are compared with; the newest not removed is in use.

    `content` is the zip, `departures` what the comparison needs (packed).
    """

    __tablename__ = "feed_reference"
    __table_args__ = (UniqueConstraint("authority_id", "number"),)

    number: int
    source_name: str = Field(max_length=200)
    sha256: str = Field(max_length=64)
    content: bytes = Field(sa_type=LargeBinary)
    departures: bytes = Field(sa_type=LargeBinary)
    created_at: dt.datetime
    created_by: str = Field(max_length=120)
    removed_at: dt.datetime | None = None
    removed_by: str | None = Field(default=None, max_length=120)


class FeedChange(FeedRow, table=True):
    """What version `version_id` changes for one line or stop against `base_id`; `content` is packed.

    `kind` is `line` or `stop`; `slug` is its address.
    """

    __tablename__ = "feed_change"
    __table_args__ = (
        of_version(),
        of_version("base_id"),
        UniqueConstraint("authority_id", "version_id", "base_id", "kind", "slug"),
    )

    version_id: UUID
    base_id: UUID
    kind: str = Field(max_length=8)
    slug: str = Field(max_length=80)
    content: bytes = Field(sa_type=LargeBinary)


class ServiceAlert(FeedRow, table=True):
    """A warning to riders; `revision` grows with every change, and a form carries the one it was filled in on.

    `informed` is JSON text: a list of {"kind": "town" | "line" | "stop", "gtfs_id", "slug", "name"}. `cause` and
    `effect` are words of GTFS-Realtime. Without `ends_at` it holds until somebody ends it.
    """

    __tablename__ = "service_alert"
    __table_args__ = (
        UniqueConstraint("authority_id", "number"),
        Index("ix_service_alert_ends", "authority_id", "ends_at"),
    )

    number: int
    revision: int = 1
    informed: str = Field(sa_type=Text)
    cause: str = Field(max_length=30)
    effect: str = Field(max_length=30)
    header: str = Field(max_length=160)
    description: str = Field(sa_type=Text)
    starts_at: dt.datetime
    ends_at: dt.datetime | None = None
    created_at: dt.datetime
    created_by: str = Field(max_length=120)
    changed_at: dt.datetime
    changed_by: str = Field(max_length=120)
    ended_at: dt.datetime | None = None


class FeedSketch(FeedRow, table=True):
    """A part of the small feed a clerk is making: `part` is `agency`, `days`, `stops` or `line:CODE`.

    `content` is JSON text; `revision` grows with every change, and a form carries the one it was filled in on.
    """

    __tablename__ = "feed_sketch"
    __table_args__ = (UniqueConstraint("authority_id", "part"),)

    part: str = Field(max_length=120)
    content: str = Field(sa_type=Text)
    revision: int = 1
    updated_at: dt.datetime
    updated_by: str = Field(max_length=120)
