"""Days grouped by what runs, in words."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.day_kinds import active_services, find_day_kinds, name_dates, name_weekdays
from gtfs.service_days import ServiceDays

MONDAY = date(2026, 11, 30)
FIRST, LAST = date(2026, 1, 1), date(2027, 12, 31)
WORKDAYS, SATURDAYS, SUNDAYS, DAILY = 0b0011111, 0b0100000, 0b1000000, 0b1111111


def service(
    weekdays: int,
    *,
    added: tuple[date, ...] = (),
    removed: tuple[date, ...] = (),
    first: date = FIRST,
    last: date = LAST,
) -> ServiceDays:
    days = frozenset(day.toordinal() for day in added), frozenset(day.toordinal() for day in removed)
    return ServiceDays("X", weekdays, first.toordinal(), last.toordinal(), *days)


def labels(*services: ServiceDays, today: date = MONDAY, first: date = FIRST, last: date = LAST) -> list[str]:
    return [kind.label for kind in find_day_kinds(services, range(len(services)), today, first, last)]


def test_usual_calendar_has_three_kinds() -> None:
    assert labels(service(WORKDAYS), service(SATURDAYS), service(SUNDAYS)) == ["Dias úteis", "Sábados", "Domingos"]


def test_days_that_run_like_sundays_are_holidays() -> None:
    christmas = date(2026, 12, 25)
    kinds = find_day_kinds(
        [service(WORKDAYS, removed=(christmas,)), service(SUNDAYS, added=(christmas,))],
        {0, 1},
        MONDAY,
        FIRST,
        LAST,
    )
    assert [(kind.label, kind.dates) for kind in kinds] == [
        ("Dias úteis", ()),
        ("Domingos e feriados", (christmas,)),
        ("Sábados", ()),
    ]
    assert [bool(kind.services) for kind in kinds] == [True, True, False]


def test_day_with_a_service_of_its_own_is_named_by_its_date() -> None:
    eve = date(2026, 12, 24)
    assert labels(service(DAILY, removed=(eve,)), service(0, added=(eve,))) == [
        "Todos os dias",
        "24/12/2026 (quinta-feira)",
    ]


def test_single_dates_that_are_past_are_left_out() -> None:
    past = date(2026, 11, 20)
    assert labels(service(DAILY, removed=(past,)), service(0, added=(past,))) == ["Todos os dias"]


def test_change_of_season_gives_two_kinds_with_their_limits() -> None:
    summer = service(WORKDAYS, first=date(2026, 12, 21))
    winter = service(WORKDAYS, last=date(2026, 12, 20))
    assert labels(winter, summer)[:2] == ["Dias úteis até 18/12/2026", "Dias úteis a partir de 21/12/2026"]


def test_kind_over_since_weeks_is_not_told() -> None:
    before = service(WORKDAYS, last=date(2026, 6, 30))
    now = service(WORKDAYS, first=date(2026, 7, 1))
    assert labels(before, now)[0] == "Dias úteis"


def test_expired_calendar_shows_its_last_weeks() -> None:
    services = (service(WORKDAYS), service(SUNDAYS))
    assert labels(*services, today=date(2030, 1, 1)) == ["Dias úteis", "Domingos", "Sábados"]


def test_calendar_of_one_week_shows_all_its_kinds() -> None:
    last = MONDAY + timedelta(days=6)
    services = (service(WORKDAYS, first=MONDAY, last=last), service(SATURDAYS, first=MONDAY, last=last))
    assert labels(*services, first=MONDAY, last=last) == ["Dias úteis", "Sábados", "Domingos"]


def test_services_of_single_dates_are_recognised_as_weekdays() -> None:
    days = tuple(MONDAY + timedelta(days=step) for step in range(60))
    services = service(0, added=tuple(day for day in days if day.weekday() < 5))
    assert labels(services, first=days[0], last=days[-1]) == ["Dias úteis", "Sábados e domingos"]


@pytest.mark.parametrize("edge", [date.min, date.max])
def test_calendars_at_the_ends_of_time_are_no_obstacle(edge: date) -> None:
    assert len(labels(service(DAILY, first=edge, last=edge), first=edge, last=edge)) == 1
    whole = service(DAILY, first=date.min, last=date.max)
    assert labels(whole, first=date.min, last=date.max) == ["Todos os dias"]
    assert labels(whole, today=edge, first=date.min, last=date.max) == ["Todos os dias"]


def test_services_of_other_lines_make_no_kinds() -> None:
    services = (service(WORKDAYS), service(SATURDAYS))
    kinds = find_day_kinds(services, {0}, MONDAY, FIRST, LAST)
    assert [kind.label for kind in kinds] == ["Dias úteis", "Sábados e domingos"]
    assert [set(kind.services) for kind in kinds] == [{0}, set()]


@pytest.mark.parametrize(
    ("weekdays", "words"),
    [
        ((0, 1, 2, 3, 4), "Dias úteis"),
        ((0, 1, 2, 3, 4, 5), "De segunda a sábado"),
        ((0, 1, 2, 3), "De segunda a quinta"),
        ((4,), "Sextas"),
        ((1, 3), "Terças e quintas"),
        ((0, 2, 4), "Segundas, quartas e sextas"),
        ((5, 6), "Sábados e domingos"),
        ((0, 1, 2, 3, 4, 5, 6), "Todos os dias"),
    ],
)
def test_weekdays_have_words(weekdays: tuple[int, ...], words: str) -> None:
    assert name_weekdays(weekdays) == words


@pytest.mark.parametrize(
    ("weekdays", "words"),
    [
        ((6,), "Domingos e feriados"),
        ((5, 6), "Sábados, domingos e feriados"),
        ((0, 6), "Segundas, domingos e feriados"),
    ],
)
def test_weekdays_with_holidays_have_words(weekdays: tuple[int, ...], words: str) -> None:
    assert name_weekdays(weekdays, and_holidays=True) == words


def test_many_dates_are_counted() -> None:
    days = [MONDAY + timedelta(days=step) for step in range(6)]
    assert name_dates(days[:1]) == "30/11/2026 (segunda-feira)"
    assert name_dates(days).endswith("03/12/2026 (quinta-feira) e mais 2 datas")
    assert name_dates(days[:5]).endswith("e mais 1 data")


ANY_SERVICES = st.lists(
    st.builds(
        service,
        st.integers(0, 127),
        added=st.lists(st.dates(FIRST, LAST), max_size=5).map(tuple),
        removed=st.lists(st.dates(FIRST, LAST), max_size=5).map(tuple),
        first=st.dates(FIRST, LAST),
        last=st.dates(FIRST, LAST),
    ),
    max_size=4,
)


@given(ANY_SERVICES, st.dates(date(2025, 1, 1), date(2029, 1, 1)))
def test_today_is_always_in_one_kind_and_runs_what_the_kind_says(services: list[ServiceDays], today: date) -> None:
    kinds = find_day_kinds(services, range(len(services)), today, FIRST, LAST)
    assert all(kind.label for kind in kinds)
    assert len({kind.services for kind in kinds}) == len(kinds)
    if FIRST <= today <= LAST:
        active = active_services(services, today)
        assert active in {kind.services for kind in kinds}
