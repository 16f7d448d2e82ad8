"""The worker: runs the tasks that do what is due, one after the other, until it is told to stop."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime

from web.feed_child import FeedChild
from web.feed_tasks import compare_successions, publish_planned
from web.messaging import answer_left_behind, deliver_messages, reconcile_messages
from web.services import Services
from web.tasks import archive_silent, extend_calendars, seal_changes, show_life, tidy

Task = Callable[[Services, datetime], int]
"""Does what is due at that instant and returns how many things it did. It must be harmless to repeat it after
a death at any point: the truth is in the database's rows, never in the worker."""

TASKS: tuple[Task, ...] = (
    publish_planned,
    answer_left_behind,
    deliver_messages,
    reconcile_messages,
    seal_changes,
    FeedChild().make_versions,
    compare_successions,
    archive_silent,
    tidy,
    extend_calendars,
    show_life,
)
"""Every task of the product, in the order in which they run."""

IDLE_SECONDS = 1.0
LONGEST_REST_SECONDS = 60.0

log = logging.getLogger("selo.worker")


def run_worker(services: Services, tasks: Sequence[Task], stop: threading.Event) -> None:
    """Run rounds of `tasks` until `stop` is set; rest only when a round found nothing to do."""
    runners = [_Runner(task) for task in tasks]
    log.info("worker started", extra={"tasks": [runner.name for runner in runners]})
    while not stop.is_set():
        done = 0
        for runner in runners:
            if not stop.is_set():
                done += runner.run(services)
        if not done:
            stop.wait(IDLE_SECONDS)
    log.info("worker stopped")


class _Runner:
    """One task and how long it rests after failing: twice as long each time, up to a minute."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.name = f"{task.__module__}.{task.__qualname__}"
        self._rest = 0.0
        self._not_before = 0.0

    def run(self, services: Services) -> int:
        if time.monotonic() < self._not_before:
            return 0
        try:
            done = self.task(services, services.clock())
        except Exception:
            self._rest = min(max(self._rest * 2, IDLE_SECONDS), LONGEST_REST_SECONDS)
            self._not_before = time.monotonic() + self._rest
            log.exception("task failed", extra={"task": self.name, "rest_seconds": self._rest})
            return 0
        self._rest = 0.0
        return done
