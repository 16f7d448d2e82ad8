"""What the worker does with feeds: publishes what was planned for a day, and compares what follows what."""

import logging
from datetime import date, datetime
from zoneinfo import ZoneInfo

from sqlmodel import Session, select

from complaints.authorities.tables import Authority
from gtfs.changes import keep_changes, list_uncompared, prepare_changes
from gtfs.planning import has_due, publish_due
from web.services import Services

log = logging.getLogger("selo.feeds")


def publish_planned(services: Services, now: datetime) -> int:
    """Publish the versions whose local day has begun; reads first, so that an idle worker never takes the lock."""
    with services.database.read() as session:
        days = list_local_days(session, now)
        if not has_due(session, days):
            return 0
    with services.database.write() as session:
        return len(publish_due(session, days, now))


def compare_successions(services: Services, now: datetime) -> int:
    """Compare one version with the one it follows, or will follow, where that was not done yet.

    The comparison takes a second for the biggest feeds and is done outside the write block; two workers that do
    it at once keep the same rows. A pair that cannot be compared is told in the log and does not hold up others.
    """
    with services.database.read() as session:
        waiting = list_uncompared(session)
    for succession in waiting:
        try:
            with services.database.read() as session:
                prepared = prepare_changes(session, succession)
        except Exception:
            log.exception("two versions cannot be compared")
            continue
        with services.database.write() as session:
            return int(keep_changes(session, prepared))
    return 0


def list_local_days(session: Session, now: datetime) -> dict[int, date]:
    """The day it is at each authority."""
    rows = session.exec(select(Authority.id, Authority.time_zone)).all()
    return {id_: now.astimezone(ZoneInfo(zone)).date() for id_, zone in rows if id_ is not None}
