"""Real processes for tests: started with an exact environment, waited for without sleeping, never left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TypeVar

ROOT = Path(__file__).parent.parent
T = TypeVar("T")


def wait_until(find: Callable[[], T | None], seconds: float = 30.0) -> T:
    """Return what `find` finds as soon as it is neither None nor false; fails when that takes too long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := find():
            return found
        time.sleep(0.01)
    raise AssertionError("waited too long")


def is_alive(pid: int) -> bool:
    """Whether the process exists and is not merely waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Child:
    """A process group of its own whose output goes to a file; killed whole when the block ends."""

    def __init__(self, arguments: Sequence[str], folder: Path, environ: Mapping[str, str]) -> None:
        self.log = folder / f"child-{time.monotonic_ns()}.log"
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=folder,
                env={**kept, "PYTHONPATH": str(ROOT), **environ},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def __enter__(self) -> "Child":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """Process id, which is also the group's."""
        return self.process.pid

    def output(self) -> str:
        """What it printed so far, on both streams."""
        return self.log.read_text()

    def wait_for(self, words: str, seconds: float = 30.0) -> str:
        """Wait until it has printed `words`; returns everything it printed. Fails at once if it ends before."""

        def look() -> str | None:
            ended = self.process.poll()
            text = self.output()
            if words not in text and ended is not None:
                raise AssertionError(f"ended with {ended} before saying {words!r}:\n{text}")
            return text if words in text else None

        return wait_until(look, seconds)

    def stop(self, number: int = signal.SIGTERM, seconds: float = 30.0) -> int:
        """Signal the process (not its group) and return its exit code."""
        self.process.send_signal(number)
        return self.process.wait(seconds)

    def kill(self) -> None:
        """SIGKILL for the whole group."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.process.wait()


def selo(*arguments: str) -> list[str]:
    """The arguments of a child that runs `selo`."""
    return ["-m", "web.cli", *arguments]
