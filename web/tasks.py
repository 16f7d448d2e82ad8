"""What the worker does for cases: seals what changed, once a minute."""

from datetime import datetime, timedelta

from complaints.cases.checkpoints import has_unsealed_changes, make_checkpoints
from web.services import Services

EVERY = timedelta(minutes=1)


def seal_changes(services: Services, now: datetime) -> int:
    """Make the checkpoints that are due; reads first, so that an idle worker never takes the write lock."""
    with services.database.read() as session:
        if not has_unsealed_changes(session, before=now - EVERY):
            return 0
    with services.database.write() as session:
        return make_checkpoints(session, now)
