"""What the worker does beside messages: seals changes, shows that it lives, forgets what is over, looks ahead."""

import socket
from datetime import datetime, timedelta

from sqlmodel import select

from complaints.authorities.coming_years import extend_calendar
from complaints.authorities.tables import Authority
from complaints.cases.checkpoints import has_unsealed_changes, make_checkpoints
from complaints.cases.dialogue import archive_unanswered, list_unanswered
from complaints.messages.tables import WorkerBeat
from complaints.staff.sessions import forget_ended
from complaints.staff.throttling import forget_old_attempts
from web.services import Services

EVERY = timedelta(minutes=1)
TIDY_EVERY = timedelta(hours=1)
TIDYING = "tidying"
LOOK_AHEAD_EVERY = timedelta(days=1)
LOOKING_AHEAD = "calendars"


def seal_changes(services: Services, now: datetime) -> int:
    """Make the checkpoints that are due; reads first, so that an idle worker never takes the write lock."""
    with services.database.read() as session:
        if not has_unsealed_changes(session, before=now - EVERY):
            return 0
    with services.database.write() as session:
        return make_checkpoints(session, now)


def show_life(services: Services, now: datetime) -> int:
    """Note the round under this machine's name, for `/saude`. Counts as no work: the worker may rest."""
    name = socket.gethostname()[:80]
    if _is_due(services, name, now, EVERY):
        with services.database.write() as session:
            session.merge(WorkerBeat(name=name, at=now))
    return 0


def tidy(services: Services, now: datetime) -> int:
    """Once an hour, forget counted attempts and staff sessions that no rule looks at any more."""
    if not _is_due(services, TIDYING, now, TIDY_EVERY):
        return 0
    with services.database.write() as session:
        forget_old_attempts(session, now)
        forget_ended(session, now)
        session.merge(WorkerBeat(name=TIDYING, at=now))
    return 0


def extend_calendars(services: Services, now: datetime) -> int:
    """Once a day, give every authority's calendar the holidays of the years ahead; returns how many."""
    if not _is_due(services, LOOKING_AHEAD, now, LOOK_AHEAD_EVERY):
        return 0
    with services.database.write() as session:
        added = sum(extend_calendar(session, town, now) for town in session.exec(select(Authority)).all())
        session.merge(WorkerBeat(name=LOOKING_AHEAD, at=now))
    return added


def archive_silent(services: Services, now: datetime) -> int:
    """Archive cases whose rider did not send what was asked for; reads first, like seal_changes."""
    with services.database.read() as session:
        if not list_unanswered(session, now):
            return 0
    with services.database.write() as session:
        return archive_unanswered(session, services.keyring, now)


def _is_due(services: Services, name: str, now: datetime, every: timedelta) -> bool:
    with services.database.read() as session:
        last = session.get(WorkerBeat, name)
    return last is None or now - last.at >= every
