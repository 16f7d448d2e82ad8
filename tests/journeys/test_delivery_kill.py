"""Workers killed with SIGKILL while they send, with real processes, both databases and a gateway on a socket."""

import base64
import json
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from complaints.authorities.adding import add_authority
from complaints.authorities.town_file import list_demo_towns
from complaints.messages.outbox import enqueue
from complaints.messages.tables import Outbox
from complaints.sealing import Keyring
from tests.child_processes import Child, selo, wait_until
from tests.fake_twilio import ACCOUNT, TOKEN, FakeTwilio, running_fake
from tests.machine import DATABASES
from web.db import Database

pytestmark = pytest.mark.kill

SECRET, DATA_KEY = "x" * 32, bytes(32)
PHONE = "+5521999998888"
LONG_AFTER = 120
"""Seconds after which leases have ended and the gateway's list is believed."""


@dataclass
class Deployment:
    """A production server's data, and the processes that work on it."""

    folder: Path
    url: str
    database: Database
    fake: FakeTwilio

    @property
    def environ(self) -> dict[str, str]:
        """The settings of every process."""
        return {
            "SELO_DATABASE_URL": self.url,
            "SELO_DATA_DIR": str(self.folder / "data"),
            "SELO_SECRET_KEY": SECRET,
            "SELO_DATA_KEYS": base64.b64encode(DATA_KEY).decode(),
            "TWILIO_ACCOUNT_SID": ACCOUNT,
            "TWILIO_AUTH_TOKEN": TOKEN,
            "SELO_TWILIO_BASE_URL": self.fake.base_url,
        }

    def write(self, *texts: str) -> None:
        """Put texts to one rider into the outbox, in one transaction."""
        keyring = Keyring((DATA_KEY,), SECRET.encode())
        with self.database.write() as session:
            for number, text in enumerate(texts):
                enqueue(
                    session, keyring, authority_id=1, case_id=None, channel="sms", purpose="answered",
                    dedupe_key=f"{number}", recipient=PHONE, text=text, now=datetime.now(UTC),
                )  # fmt: skip

    def worker(self, ahead: float = 0) -> Child:
        """A worker whose clock runs ahead, and the gateway's with it."""
        self.fake.clock = lambda: datetime.now(UTC) + timedelta(seconds=ahead)
        script = Path(__file__).with_name("delivering_process.py")
        return Child([str(script), str(ahead)], self.folder, self.environ)

    def states(self) -> list[str]:
        """The states of all messages."""
        with self.database.read() as session:
            return [row.state for row in session.exec(select(Outbox))]

    def wait_for(self, state: str) -> None:
        """Wait until every message is in a state."""
        wait_until(lambda: set(self.states()) == {state}, 60)


@pytest.fixture
def fake() -> Iterator[FakeTwilio]:
    """The gateway."""
    with running_fake() as fake:
        yield fake


@pytest.fixture(params=DATABASES)
def deployment(
    request: pytest.FixtureRequest, new_url: Callable[[str], str], tmp_path: Path, fake: FakeTwilio
) -> Iterator[Deployment]:
    """Five towns on each database."""
    url = new_url(request.param)
    database = Database(url)
    with database.write() as session:
        for town in list_demo_towns():
            add_authority(session, town, datetime.now(UTC))
    yield Deployment(tmp_path, url, database, fake)
    database.dispose()


def test_killed_between_acceptance_and_answer_the_message_is_at_the_gateway_exactly_once(
    deployment: Deployment, fake: FakeTwilio
) -> None:
    deployment.write("Recebemos.")
    fake.faults = ["hold"]
    with deployment.worker() as worker:
        fake.wait_until_holding()
        assert deployment.states() == ["sending"], "committed before the call"
        worker.kill()
    fake.let_go()
    with deployment.worker(LONG_AFTER):
        deployment.wait_for("sent")
    assert (len(fake.taken), fake.attempts) == (1, 1)
    with deployment.database.read() as session:
        assert session.exec(select(Outbox)).one().gateway_id == fake.taken[0].sid


def test_killed_before_acceptance_the_message_is_sent_after_the_list_was_asked(
    deployment: Deployment, fake: FakeTwilio
) -> None:
    deployment.write("Recebemos.")
    fake.faults = ["hold-before"]
    with deployment.worker() as worker:
        fake.wait_until_holding()
        worker.kill()
    fake.let_go()
    fake.list_faults = ["500", "500"]
    with deployment.worker(LONG_AFTER) as worker:
        deployment.wait_for("unknown")
        assert fake.attempts == 1, "nothing is sent while the gateway cannot say"
        worker.kill()
    fake.list_faults = []
    with deployment.worker(60 * LONG_AFTER):
        deployment.wait_for("sent")
    assert (len(fake.taken), fake.attempts) == (1, 2)


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_at_random_moments_nothing_is_lost_and_nothing_doubled(
    deployment: Deployment, fake: FakeTwilio, seed: int
) -> None:
    chance = random.Random(seed)
    texts = [f"Protocolo {number:04d}" for number in range(20)] + ["Ajuda."] * 4
    deployment.write(*texts)
    ahead = 0
    for _ in range(8):
        fake.faults = [chance.choice(["", "hold", "hold-before", "lose", "500-after", "429"]) for _ in range(30)]
        with deployment.worker(ahead) as worker:
            _wait_for_calls(deployment, fake.attempts + chance.randint(1, 5))
            with suppress(subprocess.TimeoutExpired):
                worker.process.wait(chance.uniform(0, 0.05))
            worker.kill()
        fake.let_go()
        wait_until(lambda: fake.in_hand == 0)
        fake.hold_again()
        ahead += LONG_AFTER
    fake.faults = []
    with deployment.worker(ahead + 60 * LONG_AFTER):
        deployment.wait_for("sent")
    assert Counter(fake.bodies()) == Counter(texts)
    with deployment.database.read() as session:
        assert len({row.gateway_id for row in session.exec(select(Outbox))}) == len(texts)


@pytest.mark.parametrize("deployment", ["sqlite"], indirect=True)
def test_the_product_itself_recovers_and_a_callback_settles_what_its_worker_left_unknown(
    deployment: Deployment, fake: FakeTwilio
) -> None:
    deployment.write("Recebemos.", "Respondida.")
    server = Child(selo("serve", "--port", "0"), deployment.folder, deployment.environ)
    with server:
        port = _port_of(server)
        environ = {**deployment.environ, "PORT": port}
        fake.faults = ["hold"]
        with Child(selo("worker"), deployment.folder, environ) as worker:
            fake.wait_until_holding()
            worker.kill()
        fake.list_faults = ["500"] * 1000
        fake.let_go()
        with Child(selo("worker"), deployment.folder, environ):
            wait_until(lambda: len(fake.taken) == 2, 60)
            for message in fake.taken:
                fake.report_in_disorder(message, random.Random(1))
            deployment.wait_for("delivered")
    assert fake.attempts == 2


def _wait_for_calls(deployment: Deployment, calls: int) -> None:
    """Until so many calls came in all, one is held, or nothing is left to send."""
    fake = deployment.fake
    wait_until(lambda: fake.attempts >= calls or fake.is_holding or set(deployment.states()) == {"sent"}, 60)


def _port_of(server: Child) -> str:
    line = next(text for text in server.wait_for('"listening"', 60).splitlines() if '"listening"' in text)
    return str(json.loads(line)["port"])
