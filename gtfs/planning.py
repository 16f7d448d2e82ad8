"""Versions to be published at the start of a local day: planned, cancelled, listed, and published when due."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlmodel import Session, col, select

from gtfs.clerk_tables import FeedChange
from gtfs.compiled import pack, unpack
from gtfs.publishing import (
    UNCHECKED,
    Publishing,
    StalePublication,
    Unchecked,
    find_published_version,
    publish,
)
from gtfs.tables import PUBLISHED, FeedVersion
from gtfs.versions import get_version, lock_feeds

PLAN = "plan"
"""The `kind` of the row of FeedChange that keeps who planned what and when; it stays after the publication."""


class AlreadyPublished(Exception):
    """The version planned is the one that riders see."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class PlanTooEarly(Exception):
    """The day planned has begun already: publish now, or choose a later day."""

    def __init__(self, on: date, today: date) -> None:
        super().__init__(on, today)
        self.on = on
        self.today = today


class PlanTooLate(Exception):
    """The version's last day with trips is before the day planned."""

    def __init__(self, on: date, last_day: date) -> None:
        super().__init__(on, last_day)
        self.on = on
        self.last_day = last_day


class DayTaken(Exception):
    """Version `number` is planned for the same day."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class NotPlanned(Exception):
    """There is no plan for the version."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True, slots=True)
class Planning:
    """Publish version `number` at the start of the local day `on`; a new plan for a version replaces its old one.

    `today` is the authority's local day. `expected` is the number that was published when the person decided.
    """

    authority_id: int
    number: int
    on: date
    by: str
    today: date
    expected: int | Unchecked | None = UNCHECKED


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan: `expected` is the number of the version published when it was made, None for no version."""

    authority_id: int
    number: int
    on: date
    by: str
    made_at: datetime
    expected: int | None


def plan(session: Session, values: Planning, now: datetime) -> Plan:
    """Plan a version that is not published, a draft or an earlier one.

    Raises StalePublication when another version is published than the one `expected`, UnknownVersion,
    UnknownAuthority, AlreadyPublished, PlanTooEarly, PlanTooLate or DayTaken.
    """
    lock_feeds(session, values.authority_id)
    present = find_published_version(session, values.authority_id)
    found = present.number if present else None
    if not isinstance(values.expected, Unchecked) and values.expected != found:
        raise StalePublication(values.expected, found)
    version = get_version(session, values.authority_id, values.number)
    _judge(session, version, values)
    _forget(session, version)
    version.publish_on, version.planned_by = values.on, values.by
    session.add(version)
    made = Plan(values.authority_id, values.number, values.on, values.by, now, found)
    session.add(
        FeedChange(
            authority_id=values.authority_id,
            version_id=version.id,
            base_id=present.id if present else version.id,
            kind=PLAN,
            slug="",
            content=pack(_to_json(made)),
        )
    )
    session.flush()
    return made


def cancel_plan(session: Session, authority_id: int, number: int) -> FeedVersion:
    """Take a plan back; the version stays as it is.

    Raises NotPlanned, UnknownVersion or UnknownAuthority.
    """
    lock_feeds(session, authority_id)
    version = get_version(session, authority_id, number)
    if version.publish_on is None:
        raise NotPlanned(number)
    _forget(session, version)
    version.publish_on = version.planned_by = None
    session.add(version)
    session.flush()
    return version


def list_plans(session: Session, authority_id: int) -> tuple[Plan, ...]:
    """The plans of an authority that are still to come, the earliest first."""
    chosen = (
        select(FeedChange.content)
        .join(
            FeedVersion,
            (col(FeedVersion.authority_id) == FeedChange.authority_id)
            & (col(FeedVersion.id) == FeedChange.version_id),
        )
        .where(FeedChange.authority_id == authority_id, FeedChange.kind == PLAN)
        .where(FeedVersion.authority_id == authority_id, col(FeedVersion.publish_on).is_not(None))
        .order_by(col(FeedVersion.publish_on))
    )
    return tuple(_from_json(authority_id, unpack(content)) for content in session.exec(chosen).all())


def find_plan(session: Session, version: FeedVersion) -> Plan | None:
    """The last plan for a version, kept after it was carried out or overtaken by hand; None if there was none.

    Another version than `expected` may have been published between plan and publication: what the publication
    replaced (`FeedPublication.replaced_id`) and `expected` together tell so in the history.
    """
    row = _find_row(session, version)
    return None if row is None else _from_json(version.authority_id, unpack(row.content))


def has_due(session: Session, days: Mapping[int, date]) -> bool:
    """Whether some plan is due; `days` is the local day by authority. Takes no lock."""
    return bool(_list_due(session, days))


def publish_due(session: Session, days: Mapping[int, date], now: datetime) -> tuple[FeedVersion, ...]:
    """Publish every version whose day has begun; `days` is the local day by authority. Harmless to repeat.

    The plan stands even if another version was published, or rolled back to, since it was made: the day was
    announced to riders, and a correction of today's timetable does not take the new one back. Who planned it
    stands as the publisher, and `find_plan` keeps the version that person had seen. Who wants it otherwise
    cancels the plan. Several plans of one authority that came due together are published in their order.
    """
    shown = []
    for authority_id, number in _list_due(session, days):
        lock_feeds(session, authority_id)
        version = get_version(session, authority_id, number)
        session.refresh(version)
        if version.publish_on is not None and version.publish_on <= days[authority_id]:
            by = version.planned_by or version.created_by
            shown.append(publish(session, Publishing(authority_id, number, by), now))
    return tuple(shown)


def _list_due(session: Session, days: Mapping[int, date]) -> list[tuple[int, int]]:
    """(authority, number) of the plans that are due, in the order of their days."""
    if not days:
        return []
    chosen = (
        select(FeedVersion.authority_id, FeedVersion.number, col(FeedVersion.publish_on))
        .where(col(FeedVersion.publish_on) <= max(days.values()), FeedVersion.state != PUBLISHED)
        .order_by(col(FeedVersion.authority_id), col(FeedVersion.publish_on))
    )
    rows = session.exec(chosen).all()
    return [(authority, number) for authority, number, on in rows if on and on <= days.get(authority, date.min)]


def _judge(session: Session, version: FeedVersion, values: Planning) -> None:
    if version.state == PUBLISHED:
        raise AlreadyPublished(version.number)
    if values.on <= values.today:
        raise PlanTooEarly(values.on, values.today)
    if version.last_day is not None and values.on > version.last_day:
        raise PlanTooLate(values.on, version.last_day)
    same_day = select(FeedVersion.number).where(
        FeedVersion.authority_id == values.authority_id,
        FeedVersion.publish_on == values.on,
        FeedVersion.number != values.number,
    )
    taken = session.exec(same_day).first()
    if taken is not None:
        raise DayTaken(taken)


def _forget(session: Session, version: FeedVersion) -> None:
    """Drop the row of the version's plan."""
    row = _find_row(session, version)
    if row is not None:
        session.delete(row)
        session.flush()


def _find_row(session: Session, version: FeedVersion) -> FeedChange | None:
    return session.exec(
        select(FeedChange).where(
            FeedChange.authority_id == version.authority_id,
            FeedChange.version_id == version.id,
            FeedChange.kind == PLAN,
        )
    ).first()


def _to_json(made: Plan) -> dict[str, Any]:
    return {
        "number": made.number,
        "on": made.on.isoformat(),
        "by": made.by,
        "made_at": made.made_at.isoformat(),
        "expected": made.expected,
    }


def _from_json(authority_id: int, values: Mapping[str, Any]) -> Plan:
    return Plan(
        authority_id=authority_id,
        number=values["number"],
        on=date.fromisoformat(values["on"]),
        by=values["by"],
        made_at=datetime.fromisoformat(values["made_at"]),
        expected=values["expected"],
    )
