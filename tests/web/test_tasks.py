"""The worker's tasks beside messages, on both databases."""

from datetime import date, timedelta

from sqlmodel import col, select

from complaints.authorities.tables import Authority, CalendarDay
from complaints.cases.filing import Filing, file_case
from complaints.cases.tables import Checkpoint
from complaints.messages.tables import WorkerBeat
from complaints.staff.tables import Attempt
from complaints.staff.throttling import record_attempt
from tests.conftest import StandingClock
from web.services import Services
from web.tasks import extend_calendars, seal_changes, show_life, tidy


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


def test_calendars_go_on_each_year(services: Services, towns: dict[str, Authority], clock: StandingClock) -> None:
    town = towns["marica"]

    def days_of(year: int) -> dict[tuple[str, date], str]:
        with services.database.read() as session:
            rows = session.exec(
                select(CalendarDay)
                .where(CalendarDay.authority_id == town.id)
                .where(col(CalendarDay.day).between(date(year, 1, 1), date(year, 12, 31)))
            ).all()
        return {(row.layer, row.day): row.name for row in rows}

    assert extend_calendars(services, clock()) == 0, "a new town has them"
    last = clock().year + 2
    own = {key: name for key, name in days_of(last).items() if key[0] == "municipal"}
    assert own
    with services.database.write() as session:  # the authority knew one of its days better
        moved = session.exec(
            select(CalendarDay).where(CalendarDay.authority_id == town.id, CalendarDay.day == min(own)[1])
        ).one()
        session.delete(moved)
    assert extend_calendars(services, clock.advance(timedelta(hours=23))) == 0
    assert days_of(last + 2) == {}
    assert extend_calendars(services, clock.advance(timedelta(days=2 * 365 + 3))) > 0
    coming = days_of(last + 2)
    assert coming["national", date(last + 2, 9, 7)] == "Independência do Brasil"
    repeated = {(day.month, day.day) for layer, day in coming if layer == "municipal"}
    assert repeated == {(day.month, day.day) for _, day in own} - {(moved.day.month, moved.day.day)}
    assert extend_calendars(services, clock.advance(timedelta(days=1))) == 0
