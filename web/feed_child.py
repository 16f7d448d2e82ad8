"""The worker's task for uploads: starts the child process that reads feeds, and watches it.

Reading a feed loads code and takes memory that no long-lived process should keep; messages must not wait for it.
"""

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from gtfs.uploads import is_any_waiting
from web.services import Services

LONGEST = timedelta(minutes=10)
"""How long the child may take in all; what it leaves is taken again by the next one."""

log = logging.getLogger("selo.feeds")


def child_command() -> list[str]:
    """The command that works through the uploads and ends; it ends with this process, too."""
    return [sys.executable, "-m", "web.cli", "feed", "work", "--parent", str(os.getpid())]


class FeedChild:
    """At most one child at a time. `start` stands in for the process in tests."""

    def __init__(self, command: Callable[[], Sequence[str]] = child_command) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._since: datetime | None = None

    def make_versions(self, services: Services, now: datetime) -> int:
        """Start a child when an upload waits and none runs; 1 when it was started."""
        if self._is_running(now):
            return 0
        with services.database.read() as session:
            if not is_any_waiting(session, now):
                return 0
        self._process, self._since = subprocess.Popen(self._command()), now
        return 1

    def _is_running(self, now: datetime) -> bool:
        if self._process is None or self._since is None:
            return False
        code = self._process.poll()
        if code is None and now - self._since > LONGEST:
            log.error("feed child killed: it took too long")
            self._process.kill()
            code = self._process.wait()
        if code is None:
            return True
        if code:
            log.error("feed child died", extra={"code": code})
        self._process = self._since = None
        return False
