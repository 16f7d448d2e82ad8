"""A town, a way to write messages, and a delivery to the fake gateway."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from uuid import UUID

import pytest
from sqlmodel import select

from complaints.authorities.tables import Authority
from complaints.messages.delivery import Delivery
from complaints.messages.outbox import enqueue
from complaints.messages.tables import Outbox
from complaints.messages.twilio_sender import TwilioGateway
from tests.conftest import StandingClock
from tests.fake_twilio import ACCOUNT, FakeTwilio, running_fake
from web.services import Services

PHONE = "+5521999998888"
Write = Callable[..., bool]
ReadRow = Callable[[], Outbox]


@pytest.fixture
def marica(services: Services, towns: dict[str, Authority]) -> Authority:
    """Maricá, on each database."""
    return towns["marica"]


@pytest.fixture
def write(services: Services, marica: Authority, clock: StandingClock) -> Write:
    """Writes one message to a rider; every field may be given."""

    def write(dedupe_key: str = "one", **fields: object) -> bool:
        given: dict[str, object] = {
            "authority_id": marica.id,
            "case_id": None,
            "channel": "sms",
            "purpose": "receipt",
            "recipient": PHONE,
            "text": "Olá, João. Veja {site}/marica/",
            "now": clock(),
            **fields,
        }
        with services.database.write() as session:
            return enqueue(session, services.keyring, dedupe_key=dedupe_key, **given)  # type: ignore[arg-type]

    return write


@pytest.fixture
def read_row(services: Services) -> ReadRow:
    """Reads the only message there is."""

    def read_row() -> Outbox:
        with services.database.read() as session:
            return session.exec(select(Outbox)).one()

    return read_row


@pytest.fixture(scope="session")
def gateway() -> Iterator[FakeTwilio]:
    """The gateway, running."""
    with running_fake() as gateway:
        yield gateway


@pytest.fixture
def fake(gateway: FakeTwilio, clock: StandingClock) -> FakeTwilio:
    """The gateway with nothing taken yet, on the clock of the test."""
    gateway.forget(clock)
    return gateway


@pytest.fixture
def delivery(services: Services, marica: Authority, fake: FakeTwilio) -> Delivery:
    """A worker's delivery to the fake gateway, which is given up after a second without an answer."""
    gateway = TwilioGateway(ACCOUNT, fake.token, services.settings.public_url, fake.base_url, timeout=1)
    return Delivery(
        transactions=services.database,
        keyring=services.keyring,
        gateways={"sms": gateway, "whatsapp": gateway},
        public_url=services.settings.public_url,
        clock=services.clock,
        owner="worker one",
        random=Random(1),
    )


def other_worker(delivery: Delivery) -> Delivery:
    """A second worker beside the first."""
    return replace(delivery, owner="worker two")


def key_of(row: Outbox) -> tuple[int, UUID]:
    """The primary key of a message."""
    return row.authority_id, row.id
