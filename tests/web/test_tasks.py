"""The worker's tasks beside messages, on both databases."""

from datetime import timedelta

from sqlmodel import select

from complaints.authorities.tables import Authority
from complaints.cases.filing import Filing, file_case
from complaints.cases.tables import Checkpoint
from complaints.messages.tables import WorkerBeat
from tests.conftest import StandingClock
from web.services import Services
from web.tasks import seal_changes, show_life


def test_a_change_is_sealed_once_and_not_before_a_minute(
    services: Services, towns: dict[str, Authority], clock: StandingClock
) -> None:
    filing = Filing(towns["marica"].id, "web", "web:one", text="Não parou.")
    with services.database.write() as session:
        file_case(session, services.keyring, filing, clock())
    assert seal_changes(services, clock.advance(timedelta(seconds=59))) == 0
    assert seal_changes(services, clock.advance(timedelta(seconds=2))) == 1
    assert seal_changes(services, clock.advance(timedelta(minutes=5))) == 0
    with services.database.read() as session:
        assert [row.number for row in session.exec(select(Checkpoint)).all()] == [1]


def test_a_sign_of_life_is_written_at_most_once_a_minute(services: Services, clock: StandingClock) -> None:
    first = clock()
    for span in (0, 30, 29, 1):
        assert show_life(services, clock.advance(timedelta(seconds=span))) == 0
    with services.database.read() as session:
        (beat,) = session.exec(select(WorkerBeat)).all()
    assert beat.at == first + timedelta(minutes=1)
