"""The worker as a child process of the server, for a single machine: started, watched and started again."""

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence

STOP_SECONDS = 15
FIRST_REST_SECONDS = 1.0
LONGEST_REST_SECONDS = 30.0
_POLL_SECONDS = 0.5

log = logging.getLogger("selo.worker_child")


def worker_command() -> list[str]:
    """The command of a worker that ends when this process does."""
    return [sys.executable, "-m", "web.cli", "worker", "--parent", str(os.getpid())]


class WorkerChild:
    """Keeps one child process running until `stop()`; after each crash it waits a little longer.

    A child that ends well was told to, by somebody or by Ctrl-C, and stays away.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._stopping = threading.Event()
        self._process = self._start()
        self._watch = threading.Thread(target=self._keep_alive, name="worker watch", daemon=True)
        self._watch.start()

    @property
    def pid(self) -> int:
        """Process id of the child that runs now."""
        return self._process.pid

    def stop(self) -> None:
        """Let the child finish what it does; kill it when that takes too long."""
        self._stopping.set()
        self._watch.join()
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            log.error("worker killed", extra={"pid": self.pid})
            self._process.kill()
            self._process.wait()

    def _start(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(self._command)

    def _keep_alive(self) -> None:
        rest = FIRST_REST_SECONDS
        started = time.monotonic()
        while not self._stopping.is_set():
            code = self._wait_a_little()
            if code is None:
                continue
            if code == 0:
                log.info("worker ended")
                return
            if time.monotonic() - started > LONGEST_REST_SECONDS:
                rest = FIRST_REST_SECONDS
            log.error("worker died", extra={"code": code, "rest_seconds": rest})
            if self._stopping.wait(rest):
                return
            rest = min(rest * 2, LONGEST_REST_SECONDS)
            started = time.monotonic()
            self._process = self._start()

    def _wait_a_little(self) -> int | None:
        try:
            return self._process.wait(_POLL_SECONDS)
        except subprocess.TimeoutExpired:
            return None


def call_when_orphaned(parent: int, act: Callable[[], None]) -> None:
    """Call `act` in a thread of its own once this process is no longer a child of `parent`."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_POLL_SECONDS)
        act()

    threading.Thread(target=watch, name="parent watch", daemon=True).start()
