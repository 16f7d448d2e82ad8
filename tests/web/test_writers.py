"""Writers in several processes and threads: nothing is lost, nobody is refused, nobody starves."""

import re
import signal
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import pytest
from sqlmodel import select

from complaints.authorities.tables import Authority
from tests.child_processes import Child, selo, wait_until
from tests.machine import DATABASES
from web.db import Database

pytestmark = pytest.mark.kill
PROCESSES, THREADS, TIMES = 2, 12, 25


def add_counter(database: Database, now: datetime) -> None:
    with database.write() as session:
        session.add(
            Authority(
                slug="0",
                name="x",
                short_name="x",
                town="x",
                uf="RJ",
                law_id="x",
                phone="1",
                time_zone="UTC",
                created_at=now,
            )
        )


def counted(database: Database) -> int:
    with database.read() as session:
        return int(session.exec(select(Authority.slug)).one())


@pytest.mark.parametrize("kind", DATABASES)
def test_two_processes_of_many_threads_lose_no_write_and_see_no_lock_error(
    kind: str, new_url: Callable[[str], str], tmp_path: Path, now: datetime
) -> None:
    url = new_url(kind)
    database = Database(url)
    add_counter(database, now)
    arguments = [str(Path(__file__).with_name("writing_process.py")), url, str(THREADS), str(TIMES)]
    with ExitStack() as stack:
        children = [stack.enter_context(Child(arguments, tmp_path, {})) for _ in range(PROCESSES)]
        codes = [child.process.wait(60) for child in children]
        said = [child.output() for child in children]
    assert codes == [0] * PROCESSES, said
    assert counted(database) == PROCESSES * THREADS * TIMES
    database.dispose()
    slowest = [float(re.findall(r"slowest ([\d.]+)", text)[0]) for text in said]
    assert max(slowest) < 3.0, f"a writer starved: {slowest}"


PAUSING = """
import sys
from sqlmodel import select
from complaints.authorities.tables import Authority
from web.db import Database
with Database(sys.argv[1]).write() as session:
    session.exec(select(Authority)).one().slug = "1"
"""


@pytest.mark.parametrize("kind", DATABASES)
@pytest.mark.parametrize(("point", "expected"), [("before-commit", 0), ("after-commit", 1)])
def test_a_writer_killed_at_a_named_point_leaves_all_or_nothing(
    kind: str, point: str, expected: int, new_url: Callable[[str], str], tmp_path: Path, now: datetime
) -> None:
    url, reached = new_url(kind), tmp_path / "reached"
    database = Database(url)
    add_counter(database, now)
    with Child(["-c", PAUSING, url], tmp_path, {"SELO_PAUSE": f"{point}:{reached}"}) as child:
        wait_until(reached.exists)
        assert int(reached.read_text()) == child.pid
        child.stop(signal.SIGKILL)
    assert counted(database) == expected
    with database.write() as session:  # the dead writer's lock is gone
        row = session.exec(select(Authority)).one()
        row.slug = str(int(row.slug) + 10)
    assert counted(database) == expected + 10
    database.dispose()


def test_a_pause_ends_when_its_file_is_removed(
    new_url: Callable[[str], str], tmp_path: Path, now: datetime
) -> None:
    url, reached = new_url("sqlite"), tmp_path / "reached"
    database = Database(url)
    add_counter(database, now)
    with Child(["-c", PAUSING, url], tmp_path, {"SELO_PAUSE": f"before-commit:{reached}"}) as child:
        wait_until(reached.exists)
        assert counted(database) == 0
        reached.unlink()
        assert child.process.wait(30) == 0
    assert counted(database) == 1
    database.dispose()


def test_two_upgrades_at_once_both_succeed(tmp_path: Path) -> None:
    environ = {"SELO_DEMO": "1", "SELO_DATA_DIR": str(tmp_path / "data")}
    with ExitStack() as stack:
        upgrades = [stack.enter_context(Child(selo("db", "upgrade"), tmp_path, environ)) for _ in range(3)]
        codes = [upgrade.process.wait(60) for upgrade in upgrades]
        assert codes == [0, 0, 0], [upgrade.output() for upgrade in upgrades]
