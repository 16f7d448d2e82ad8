"""The worker's tasks beside messages, on both databases."""

from datetime import timedelta

from sqlmodel import select

from complaints.authorities.tables import Authority
from complaints.cases.filing import Filing, file_case
from complaints.cases.tables import Checkpoint
from complaints.messages.tables import WorkerBeat
from complaints.staff.tables import Attempt
from complaints.staff.throttling import record_attempt
from tests.conftest import StandingClock
from web.services import Services
from web.tasks import seal_changes, show_life, tidy


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


def test_old_attempts_are_forgotten_within_the_hour_after_their_day(
    services: Services, clock: StandingClock
) -> None:
    def left() -> int:
        with services.database.read() as session:
            return len(session.exec(select(Attempt)).all())

    with services.database.write() as session:
        record_attempt(session, services.keyring, "case_key", "123", clock())
    tidy(services, clock())
    assert left() == 1
    tidy(services, clock.advance(timedelta(minutes=59)))
    tidy(services, clock.advance(timedelta(days=1, minutes=2)))
    assert left() == 0
