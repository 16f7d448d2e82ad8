"""What the worker does beside messages: seals what changed and says that it lives, each at most once a minute."""

import socket
from datetime import datetime, timedelta

from complaints.cases.checkpoints import has_unsealed_changes, make_checkpoints
from complaints.messages.tables import WorkerBeat
from web.services import Services

EVERY = timedelta(minutes=1)


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
    with services.database.read() as session:
        last = session.get(WorkerBeat, name)
    if last is None or now - last.at >= EVERY:
        with services.database.write() as session:
            session.merge(WorkerBeat(name=name, at=now))
    return 0
