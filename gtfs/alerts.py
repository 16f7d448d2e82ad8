"""Alerts to riders: for lines, stops or the whole town, between two instants; who made and changed each."""

import json
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import or_
from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from gtfs.alert_words import load_alert_words
from gtfs.clerk_tables import ServiceAlert
from gtfs.versions import lock_feeds

Kind = Literal["town", "line", "stop"]


class UnknownAlert(Exception):
    """The authority has no alert of that number."""


class StaleAlert(Exception):
    """Somebody changed the alert since the form was drawn; `alert` is how it is now."""

    def __init__(self, alert: "Alert") -> None:
        super().__init__(alert.number)
        self.alert = alert


class AlertEnded(Exception):
    """The alert has ended; what riders were told is not rewritten."""


@dataclass(frozen=True, slots=True)
class Informed:
    """What an alert is about: the town (ids blank), or a line or stop by its GTFS id, address and printed name."""

    kind: Kind
    gtfs_id: str = ""
    slug: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class AlertValues:
    """What riders are told. Instants are aware UTC; `ends_at` is exclusive, None until somebody ends it."""

    informed: tuple[Informed, ...]
    cause: str
    effect: str
    header: str
    description: str
    starts_at: datetime
    ends_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert as pages show it."""

    number: int
    revision: int
    values: AlertValues
    created_by: str
    changed_by: str
    changed_at: datetime

    @property
    def stops_service(self) -> bool:
        """Whether riders may be without a vehicle because of it."""
        effect = load_alert_words().effects.get(self.values.effect)
        return effect is not None and effect.stops_service

    @property
    def label(self) -> str:
        """The effect in words."""
        effect = load_alert_words().effects.get(self.values.effect)
        return effect.label if effect else "Aviso"

    def is_active(self, now: datetime) -> bool:
        """Whether it holds at an instant; the start belongs to it, the end does not."""
        values = self.values
        return values.starts_at <= now and (values.ends_at is None or now < values.ends_at)

    def concerns(self, kind: Kind, ids: Collection[str]) -> bool:
        """Whether it is about the town, or about one of these lines or stops."""
        return any(one.kind == "town" or (one.kind == kind and one.gtfs_id in ids) for one in self.values.informed)


def add_alert(session: Session, authority_id: int, values: AlertValues, by: str, now: datetime) -> Alert:
    """Make an alert. Raises UnknownAuthority."""
    lock_feeds(session, authority_id)
    highest = select(func.max(ServiceAlert.number)).where(ServiceAlert.authority_id == authority_id)
    row = ServiceAlert(
        authority_id=authority_id,
        number=(session.exec(highest).one() or 0) + 1,
        created_at=now,
        created_by=by[:120],
        changed_at=now,
        changed_by=by[:120],
        **_columns(values),
    )
    session.add(row)
    session.flush()
    return _read(row)


def change_alert(
    session: Session, authority_id: int, number: int, revision: int, values: AlertValues, by: str, now: datetime
) -> Alert:
    """Change an alert that has not ended. Raises UnknownAlert, AlertEnded or StaleAlert."""
    row = _lock(session, authority_id, number)
    if row.ends_at is not None and row.ends_at <= now:
        raise AlertEnded
    if row.revision != revision:
        raise StaleAlert(_read(row))
    for name, value in _columns(values).items():
        setattr(row, name, value)
    return _touch(session, row, by, now)


def end_alert(session: Session, authority_id: int, number: int, by: str, now: datetime) -> Alert:
    """End an alert now; one that has ended stays as it is. Raises UnknownAlert."""
    row = _lock(session, authority_id, number)
    if row.ends_at is not None and row.ends_at <= now:
        return _read(row)
    row.ends_at, row.ended_at = now, now
    row.starts_at = min(row.starts_at, now)
    return _touch(session, row, by, now)


def get_alert(session: Session, authority_id: int, number: int) -> Alert:
    """The alert of a number; raises UnknownAlert."""
    row = session.exec(_of_number(authority_id, number)).first()
    if row is None:
        raise UnknownAlert(number)
    return _read(row)


def list_current(session: Session, authority_id: int, now: datetime) -> tuple[Alert, ...]:
    """The alerts that hold or are to come, the earliest start first."""
    not_over = or_(col(ServiceAlert.ends_at).is_(None), col(ServiceAlert.ends_at) > now)
    rows = session.exec(
        select(ServiceAlert)
        .where(ServiceAlert.authority_id == authority_id, not_over)
        .order_by(col(ServiceAlert.starts_at), col(ServiceAlert.number))
    ).all()
    return tuple(map(_read, rows))


def list_active(session: Session, authority_id: int, now: datetime) -> tuple[Alert, ...]:
    """The alerts that hold at an instant."""
    return tuple(alert for alert in list_current(session, authority_id, now) if alert.is_active(now))


def list_ended(session: Session, authority_id: int, now: datetime, limit: int = 30) -> tuple[Alert, ...]:
    """The alerts that are over, the last to end first."""
    rows = session.exec(
        select(ServiceAlert)
        .where(ServiceAlert.authority_id == authority_id, col(ServiceAlert.ends_at) <= now)
        .order_by(col(ServiceAlert.ends_at).desc(), col(ServiceAlert.number).desc())
        .limit(limit)
    ).all()
    return tuple(map(_read, rows))


def choose_for_line(alerts: Iterable[Alert], line_id: str, stop_ids: Collection[str]) -> tuple[Alert, ...]:
    """Those a line's page shows: about the town, the line, or a stop it calls at."""
    return tuple(
        alert for alert in alerts if alert.concerns("line", (line_id,)) or alert.concerns("stop", stop_ids)
    )


def choose_for_stop(alerts: Iterable[Alert], stop_id: str, line_ids: Collection[str]) -> tuple[Alert, ...]:
    """Those a stop's page shows: about the town, the stop, or a line that calls there."""
    return tuple(
        alert for alert in alerts if alert.concerns("stop", (stop_id,)) or alert.concerns("line", line_ids)
    )


def _columns(values: AlertValues) -> dict[str, Any]:
    return {
        "informed": json.dumps([asdict(one) for one in values.informed], ensure_ascii=False),
        "cause": values.cause,
        "effect": values.effect,
        "header": values.header,
        "description": values.description,
        "starts_at": values.starts_at,
        "ends_at": values.ends_at,
    }


def _read(row: ServiceAlert) -> Alert:
    values = AlertValues(
        informed=tuple(Informed(**one) for one in json.loads(row.informed)),
        cause=row.cause,
        effect=row.effect,
        header=row.header,
        description=row.description,
        starts_at=row.starts_at,
        ends_at=row.ends_at,
    )
    return Alert(row.number, row.revision, values, row.created_by, row.changed_by, row.changed_at)


def _of_number(authority_id: int, number: int) -> SelectOfScalar[ServiceAlert]:
    return select(ServiceAlert).where(ServiceAlert.authority_id == authority_id, ServiceAlert.number == number)


def _lock(session: Session, authority_id: int, number: int) -> ServiceAlert:
    row = session.exec(_of_number(authority_id, number).with_for_update()).first()
    if row is None:
        raise UnknownAlert(number)
    return row


def _touch(session: Session, row: ServiceAlert, by: str, now: datetime) -> Alert:
    row.revision += 1
    row.changed_at, row.changed_by = now, by[:120]
    session.flush()
    return _read(row)
