"""The days of a service."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from gtfs.checks.notices import Notices
from gtfs.raw import RawFeed
from gtfs.service_days import ServiceDays, find_period, read_services, service_from_json
from gtfs.zip_reading import read_feed
from tests.gtfs import small_feed as small
from tests.gtfs.small_feed import small_feed

MONDAY = date(2026, 11, 30)
DAY = timedelta(days=1)


def read(**changes: str | None) -> RawFeed:
    return read_feed(small_feed(**changes), "vila.zip", Notices())


def test_weekdays_and_exceptions_are_read() -> None:
    workdays, sundays = read_services(read())
    assert [workdays.runs_on(MONDAY + step * DAY) for step in range(7)] == [True] * 5 + [False] * 2
    assert [sundays.runs_on(MONDAY + step * DAY) for step in range(7)] == [False] * 6 + [True]
    christmas = date(2026, 12, 25)
    assert (workdays.runs_on(christmas), sundays.runs_on(christmas)) == (False, True)


def test_service_of_single_dates_needs_no_calendar() -> None:
    dates = "service_id,date,exception_type\nX,20261130,1\nX,20261202,1\nX,20261203,2\n"
    (service,) = read_services(read(calendar_txt=None, calendar_dates_txt=dates))
    assert [service.runs_on(MONDAY + step * DAY) for step in range(4)] == [True, False, True, False]


def test_both_ends_are_included() -> None:
    (workdays, _) = read_services(read())
    assert workdays.first_day() == date(2026, 1, 1).toordinal()
    assert workdays.last_day() == date(2027, 12, 31).toordinal()


def test_unreadable_rows_are_no_days() -> None:
    calendar = small.CALENDAR.replace("20260101", "x", 1)
    services = {service.id: service for service in read_services(read(calendar_txt=calendar))}
    assert services["U"].first_day() is None


def test_period_of_a_thousand_years_is_found_at_once() -> None:
    service = ServiceDays("X", 0b1111111, 1, date.max.toordinal())
    assert find_period([service]) == (date.min, date.max)


def test_services_that_never_run_have_no_period() -> None:
    assert find_period([ServiceDays("X"), ServiceDays("Y", 1, 10, 5)]) is None


services = st.builds(
    ServiceDays,
    st.just("X"),
    st.integers(0, 127),
    st.integers(700_000, 700_040),
    st.integers(699_990, 700_060),
    st.frozensets(st.integers(699_990, 700_070), max_size=4),
    st.frozensets(st.integers(699_990, 700_070), max_size=40),
)


@given(services)
def test_first_and_last_day_are_those_found_day_by_day(service: ServiceDays) -> None:
    running = [day for day in range(699_980, 700_080) if service.runs_on(day)]
    assert service.first_day() == (running[0] if running else None)
    assert service.last_day() == (running[-1] if running else None)


@given(services)
def test_service_survives_storage(service: ServiceDays) -> None:
    assert service_from_json(service.to_json()) == service


@given(st.dates())
def test_weekday_bits_agree_with_the_calendar(day: date) -> None:
    assert ServiceDays("X", 1 << day.weekday(), 1, date.max.toordinal()).runs_on(day)
