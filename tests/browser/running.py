"""The product as real processes on a demonstration: servers and workers that a test starts, asks and kills."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import httpx2
from sqlalchemy.engine import make_url

from tests.browser.demonstration import Demonstration
from tests.child_processes import Child, selo
from tests.fake_twilio import ACCOUNT, TOKEN, FakeTwilio
from web.db import Database
from web.settings import sqlite_url

SECONDS = 60.0


class Running:
    """`selo serve` and what belongs to it, on one demonstration; everything is killed when the block ends."""

    def __init__(self, demonstration: Demonstration, twilio: FakeTwilio | None = None) -> None:
        self.demonstration = demonstration
        self.environ = dict(demonstration.environ)
        if twilio:
            self.environ |= {
                "TWILIO_ACCOUNT_SID": ACCOUNT,
                "TWILIO_AUTH_TOKEN": TOKEN,
                "SELO_TWILIO_BASE_URL": twilio.base_url,
            }
        self.children: list[Child] = []
        self._logs: list[Path] = []
        self.port = 0
        url = self.environ.get("SELO_DATABASE_URL") or sqlite_url(demonstration.folder / "selo.db")
        self.database = Database(make_url(url).render_as_string(hide_password=False))

    def __enter__(self) -> "Running":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self.database.dispose()
        if error is not None:
            self.show_failures()

    @property
    def address(self) -> str:
        """Where the first server answers; the next ones after a death answer there too."""
        return f"http://127.0.0.1:{self.port}"

    def serve(self, *options: str, port: int | None = None, **environ: str) -> int:
        """Start `selo serve` and wait until it listens; returns its port. Several may serve side by side."""
        wanted = str(self.port if port is None else port)
        child = self.start(*selo("serve", "--port", wanted, *options), **environ)
        line = next(text for text in child.wait_for('"listening"', SECONDS).splitlines() if '"listening"' in text)
        bound: int = json.loads(line)["port"]
        self.port = self.port or bound
        self.wait_until_well(bound)
        return bound

    def work(self, **environ: str) -> Child:
        """Start `selo worker` beside the server and wait until it works."""
        child = self.start(*selo("worker"), PORT=str(self.port), **environ)
        child.wait_for("worker started", SECONDS)
        return child

    def start(self, *arguments: str, **environ: str) -> Child:
        """Start a process of its own group with the demonstration's environment."""
        child = Child(arguments, self.demonstration.folder, {**self.environ, **environ})
        self.children.append(child)
        return child

    def kill(self) -> None:
        """SIGKILL for every process and what it started."""
        for child in self.children:
            child.kill()
            self._logs.append(child.log)
        self.children.clear()

    def show_failures(self) -> None:
        """Print what the processes said beyond the ordinary, for the report of a failed test."""
        for log in self._logs:
            for line in log.read_text().splitlines():
                if '"level": "info"' not in line:
                    print(line.replace("\\n", "\n"))

    def wait_until_well(self, port: int | None = None) -> None:
        """Wait for the first answer of /saude; connections queue while the server starts."""
        answer = httpx2.get(f"http://127.0.0.1:{port or self.port}/saude", timeout=SECONDS)
        assert answer.status_code == 200, answer.text


@contextmanager
def running(demonstration: Demonstration, twilio: FakeTwilio | None = None) -> Iterator[Running]:
    """One server process on a free port."""
    with Running(demonstration, twilio) as product:
        product.serve()
        yield product
