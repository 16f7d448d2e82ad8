"""The differences between versions, kept in rows of one line or stop each, so that pages only read.

A pair of versions is compared once: when it is known that one follows the other, by a publication, a roll-back or
a plan. A row of kind `feed`, whose slug is the day from which they were compared, says that this was done.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, cast
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from sqlalchemy import delete, insert, union
from sqlalchemy.orm import QueryableAttribute, defer
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from gtfs.clerk_tables import FeedChange
from gtfs.compiled import pack, unpack, unpack_line
from gtfs.difference_values import (
    Differences,
    LineChange,
    StopChange,
    line_change_from_json,
    stop_change_from_json,
)
from gtfs.differences import find_differences
from gtfs.feed_view import FeedView, LineView
from gtfs.planning import PLAN
from gtfs.published import line_entry, stop_entry
from gtfs.service_days import service_from_json
from gtfs.tables import PUBLISHED, FeedLine, FeedPublication, FeedServices, FeedStop, FeedVersion
from gtfs.versions import get_version, lock_feeds

DONE, LINE, STOP = "feed", "line", "stop"
"""Kinds of rows: the comparison itself, a line, a stop; `gtfs.planning` has one more."""


@dataclass(frozen=True, slots=True)
class Succession:
    """Version `version_id` follows `base_id` on the local day `from_day`; `planned`: it has not happened yet."""

    authority_id: int
    version_id: UUID
    base_id: UUID
    from_day: date
    planned: bool


@dataclass(frozen=True, slots=True)
class PreparedChanges:
    """What a succession changes, computed and not yet kept; `rows` are those of FeedChange."""

    succession: Succession
    differences: Differences
    rows: tuple[dict[str, Any], ...]


def read_view(session: Session, authority_id: int, version_id: UUID) -> FeedView:
    """A whole version as it is compared; a second for the biggest feeds, so never inside a write block."""
    lines = session.exec(
        select(FeedLine)
        .where(FeedLine.authority_id == authority_id, FeedLine.version_id == version_id)
        .order_by(col(FeedLine.sort_key), col(FeedLine.position))
    ).all()
    stops = session.exec(
        select(FeedStop)
        .where(FeedStop.authority_id == authority_id, FeedStop.version_id == version_id)
        .order_by(col(FeedStop.position))
        .options(defer(cast("QueryableAttribute[object]", FeedStop.content)))
    ).all()
    services = session.exec(
        select(FeedServices.content).where(
            FeedServices.authority_id == authority_id, FeedServices.version_id == version_id
        )
    ).one()
    version = session.get_one(FeedVersion, (authority_id, version_id))
    return FeedView(
        lines=tuple(LineView(line_entry(row), unpack_line(row.content)) for row in lines),
        stops=tuple(map(stop_entry, stops)),
        services=tuple(map(service_from_json, unpack(services))),
        first_day=version.first_day,
        last_day=version.last_day,
    )


def compare_versions(
    session: Session, authority_id: int, base_id: UUID, version_id: UUID, from_day: date
) -> Differences:
    """What differs when one version follows another; never inside a write block."""
    if base_id == version_id:
        return Differences()
    before, after = (read_view(session, authority_id, version) for version in (base_id, version_id))
    return find_differences(before, after, from_day)


def prepare_publication(session: Session, authority_id: int, number: int, today: date) -> PreparedChanges | None:
    """What publishing a version now, on the local day `today`, will change; None when nothing is published.

    To be computed in a read block before the publication and given to `keep_changes` after it, in its own block.
    Raises UnknownVersion.
    """
    version = get_version(session, authority_id, number)
    present = _find_published(session, authority_id)
    if present is None or present == version.id:
        return None
    return prepare_changes(session, Succession(authority_id, version.id, present, today, False))


def prepare_plan(session: Session, authority_id: int, number: int, on: date) -> PreparedChanges | None:
    """As `prepare_publication`, for a version that is to be planned for a day. Raises UnknownVersion."""
    version = get_version(session, authority_id, number)
    earlier = [plan for plan in _list_planned(session) if plan[0] == authority_id and plan[2] < on]
    bases = [version_id for _, version_id, _ in earlier if version_id != version.id]
    base = bases[-1] if bases else _find_published(session, authority_id)
    if base is None or base == version.id:
        return None
    return prepare_changes(session, Succession(authority_id, version.id, base, on, True))


def prepare_changes(session: Session, succession: Succession) -> PreparedChanges:
    """Compare the versions of a succession; never inside a write block."""
    found = compare_versions(
        session, succession.authority_id, succession.base_id, succession.version_id, succession.from_day
    )
    return PreparedChanges(succession, found, tuple(_make_rows(succession, found)))


def keep_changes(session: Session, prepared: PreparedChanges | None) -> bool:
    """Keep what was computed if the succession is (still) one; tells whether. Harmless to repeat.

    A plan that was cancelled or moved, or another publication in between, make it another succession: the worker
    compares that one. A publication just after a midnight counts for its own day, whichever was compared for.
    """
    if prepared is None:
        return False
    found = prepared.succession
    lock_feeds(session, found.authority_id)
    wanted = {
        (one.version_id, one.base_id, one.planned): one for one in list_successions(session, found.authority_id)
    }
    real = wanted.get((found.version_id, found.base_id, found.planned))
    if real is None or (real.planned and real.from_day != found.from_day):
        return False
    _forget(session, found, {(version_id, base_id) for version_id, base_id, _ in wanted})
    done = {**_place(real), "id": uuid4(), "kind": DONE, "slug": real.from_day.isoformat(), "content": b""}
    session.connection().execute(insert(FeedChange), [done, *prepared.rows])
    return True


def list_successions(session: Session, authority_id: int | None = None) -> tuple[Succession, ...]:
    """What followed what, the latest first, and before that what is planned to follow, the earliest first.

    Of one pair of versions only the last time counts. Without an authority: those of all.
    """
    planned = [plan for plan in _list_planned(session) if authority_id in (None, plan[0])]
    found: dict[tuple[int, UUID, UUID], Succession] = {}
    last: dict[int, UUID | None] = {}
    for authority, version, on in planned:
        base = last[authority] if authority in last else _find_published(session, authority)
        last[authority] = version
        if base is not None:
            found[authority, version, base] = Succession(authority, version, base, on, True)
    for act, zone in _list_acts(session, authority_id):
        base = act.replaced_id
        day = act.done_at.astimezone(ZoneInfo(zone)).date()
        if base is not None:
            key = (act.authority_id, act.version_id, base)
            found.setdefault(key, Succession(*key, day, False))
    return tuple(found.values())


def list_uncompared(session: Session) -> tuple[Succession, ...]:
    """The successions of all authorities whose differences are not kept yet."""
    chosen = select(FeedChange.authority_id, FeedChange.version_id, FeedChange.base_id, FeedChange.slug)
    kept = set(session.exec(chosen.where(FeedChange.kind == DONE)).all())
    return tuple(
        one
        for one in list_successions(session)
        if (one.authority_id, one.version_id, one.base_id, one.from_day.isoformat()) not in kept
    )


def list_line_changes(session: Session, succession: Succession) -> tuple[LineChange, ...]:
    """The lines that a succession changes, those that end last; each once, under its later address."""
    return tuple(line_change_from_json(values) for values in _read_all(session, succession, LINE))


def list_stop_changes(session: Session, succession: Succession) -> tuple[StopChange, ...]:
    """The stops that a succession changes, those that end last; each once, under its later address."""
    return tuple(stop_change_from_json(values) for values in _read_all(session, succession, STOP))


def find_line_change(session: Session, succession: Succession, slug: str) -> LineChange | None:
    """What a succession changes for the line of an address, its earlier or its later one."""
    values = _read_one(session, succession, LINE, slug)
    return line_change_from_json(values) if values else None


def find_stop_change(session: Session, succession: Succession, slug: str) -> StopChange | None:
    """What a succession changes for the stop of an address, its earlier or its later one."""
    values = _read_one(session, succession, STOP, slug)
    return stop_change_from_json(values) if values else None


def is_compared(session: Session, succession: Succession) -> bool:
    """Whether the differences of a succession are kept."""
    day = succession.from_day.isoformat()
    return session.exec(_rows(succession, DONE).where(FeedChange.slug == day)).first() is not None


def list_comparisons(session: Session, authority_id: int) -> tuple[str, ...]:
    """Names of all that is planned and compared for an authority; another tuple when any of it changed."""
    acts = (
        select(FeedChange.id)
        .join(
            FeedPublication,
            (col(FeedPublication.authority_id) == FeedChange.authority_id)
            & (col(FeedPublication.version_id) == FeedChange.version_id)
            & (col(FeedPublication.replaced_id) == FeedChange.base_id),
        )
        .where(FeedPublication.authority_id == authority_id, FeedChange.kind == DONE)
    )
    planned = select(FeedVersion.id).where(
        FeedVersion.authority_id == authority_id, col(FeedVersion.publish_on).is_not(None)
    )
    plans = (
        select(FeedChange.id)
        .where(FeedChange.authority_id == authority_id, col(FeedChange.version_id).in_(planned))
        .where(col(FeedChange.kind).in_((DONE, PLAN)))
    )
    found = session.connection().execute(union(acts, plans)).scalars()
    return tuple(sorted(str(one) for one in found))


def _rows(succession: Succession, kind: str) -> SelectOfScalar[FeedChange]:
    return select(FeedChange).where(
        FeedChange.authority_id == succession.authority_id,
        FeedChange.version_id == succession.version_id,
        FeedChange.base_id == succession.base_id,
        FeedChange.kind == kind,
    )


def _read_all(session: Session, succession: Succession, kind: str) -> Iterator[dict[str, Any]]:
    rows = session.exec(_rows(succession, kind)).all()
    kept = sorted(((*unpack(row.content), row.slug) for row in rows), key=lambda found: found[0])
    return (values for _, values, slug in kept if slug == values["slug"])


def _read_one(session: Session, succession: Succession, kind: str, slug: str) -> dict[str, Any] | None:
    row = session.exec(_rows(succession, kind).where(FeedChange.slug == slug)).first()
    values: dict[str, Any] | None = unpack(row.content)[1] if row else None
    return values


def _make_rows(found: Succession, differences: Differences) -> Iterator[dict[str, Any]]:
    """A row for each address of each line and stop."""
    changes: tuple[tuple[str, Iterable[LineChange | StopChange]], ...] = (
        (LINE, differences.lines),
        (STOP, differences.stops),
    )
    for kind, listed in changes:
        for place, change in enumerate(listed):
            content = pack([place, asdict(change)])
            for slug in filter(None, (change.slug, change.old_slug)):
                yield {**_place(found), "id": uuid4(), "kind": kind, "slug": slug, "content": content}


def _place(found: Succession) -> dict[str, Any]:
    return {"authority_id": found.authority_id, "version_id": found.version_id, "base_id": found.base_id}


def _forget(session: Session, found: Succession, wanted: set[tuple[UUID, UUID]]) -> None:
    """Drop what was kept of this succession, and of those of the same version that are none any more."""
    chosen = select(FeedChange.base_id).where(
        FeedChange.authority_id == found.authority_id, FeedChange.version_id == found.version_id
    )
    bases = {base for base in session.exec(chosen.distinct()).all() if (found.version_id, base) not in wanted}
    session.connection().execute(
        delete(FeedChange).where(
            col(FeedChange.authority_id) == found.authority_id,
            col(FeedChange.version_id) == found.version_id,
            col(FeedChange.base_id).in_({*bases, found.base_id}),
            col(FeedChange.kind).in_((DONE, LINE, STOP)),
        )
    )


def _find_published(session: Session, authority_id: int) -> UUID | None:
    return session.exec(
        select(FeedVersion.id).where(FeedVersion.authority_id == authority_id, FeedVersion.state == PUBLISHED)
    ).first()


def _list_planned(session: Session) -> list[tuple[int, UUID, date]]:
    """(authority, version, day) of every plan, the earliest first."""
    chosen = (
        select(FeedVersion.authority_id, FeedVersion.id, col(FeedVersion.publish_on))
        .where(col(FeedVersion.publish_on).is_not(None), FeedVersion.state != PUBLISHED)
        .order_by(col(FeedVersion.publish_on))
    )
    return [(authority, version, on) for authority, version, on in session.exec(chosen).all() if on]


def _list_acts(session: Session, authority_id: int | None) -> list[tuple[FeedPublication, str]]:
    """Every publication and roll-back with the version's time zone, the latest first."""
    chosen = (
        select(FeedPublication, FeedVersion.zone)
        .join(
            FeedVersion,
            (col(FeedVersion.authority_id) == FeedPublication.authority_id)
            & (col(FeedVersion.id) == FeedPublication.version_id),
        )
        .order_by(col(FeedPublication.authority_id), col(FeedPublication.number).desc())
    )
    if authority_id is not None:
        chosen = chosen.where(FeedPublication.authority_id == authority_id)
    return [(act, zone) for act, zone in session.exec(chosen).all()]
