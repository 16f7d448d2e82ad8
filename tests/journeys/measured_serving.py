"""A server process of the product that also writes down when each write block was asked for and when it was left.

Arguments: port, file for the measures, gate. A line of the measures: `begin` or `end`, process id, thread id,
nanoseconds of the machine's monotonic clock, which all processes share. No block commits while the file `gate`
is there.
"""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from sqlmodel import Session
from starlette.types import ASGIApp

from web.app import create_app
from web.db import Database
from web.logs import configure_logs
from web.services import open_services
from web.serving import ServerProcess, open_socket, serve
from web.settings import read_settings

MEASURES, GATE = "MEASURES", "GATE"


@dataclass(frozen=True)
class Block:
    """One write block, from the wish to enter it to its end; nanoseconds."""

    pid: int
    begin: int
    end: int


class MeasuredDatabase(Database):
    """The product's database, with a line for each write block that begins or ends."""

    @contextmanager
    def write(self) -> Iterator[Session]:
        """As Database.write, with its changes done but not committed while the gate is closed."""
        _note("begin")
        try:
            with super().write() as session:
                yield session
                session.flush()
                while Path(os.environ[GATE]).exists():
                    time.sleep(0.002)
        finally:
            _note("end")


def build_app() -> ASGIApp:
    """The application as `selo serve` builds it, on the measured database."""
    configure_logs()
    services = open_services(read_settings(os.environ))
    services.database.dispose()
    measured = MeasuredDatabase(services.settings.database_url)
    return ServerProcess(create_app(replace(services, database=measured)))


def count_begun(path: Path) -> int:
    """How many write blocks have been asked for so far."""
    return path.read_text().count("begin") if path.exists() else 0


def read_blocks(path: Path) -> list[Block]:
    """All blocks that came to their end."""
    open_blocks: dict[tuple[int, int], int] = {}
    blocks: list[Block] = []
    for line in path.read_text().splitlines():
        word, pid, thread, instant = line.split()
        here = (int(pid), int(thread))
        if word == "begin":
            open_blocks[here] = int(instant)
        else:
            blocks.append(Block(here[0], open_blocks.pop(here), int(instant)))
    return blocks


def most_at_once(blocks: list[Block]) -> int:
    """The largest number of blocks that were under way at one instant."""
    changes = sorted([(block.begin, 1) for block in blocks] + [(block.end, -1) for block in blocks])
    most = now = 0
    for _, change in changes:
        now += change
        most = max(most, now)
    return most


def _note(word: str) -> None:
    line = f"{word} {os.getpid()} {threading.get_ident()} {time.monotonic_ns()}\n"
    file = os.open(os.environ[MEASURES], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        os.write(file, line.encode())
    finally:
        os.close(file)


if __name__ == "__main__":
    os.environ |= {"PORT": sys.argv[1], MEASURES: sys.argv[2], GATE: sys.argv[3]}
    serve(open_socket("127.0.0.1", int(sys.argv[1])), 1, "tests.journeys.measured_serving:build_app")
