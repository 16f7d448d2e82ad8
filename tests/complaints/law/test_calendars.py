"""Working days: weekends, layers, and what a day on which offices may close does."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from complaints.law.calendars import MONDAY_TO_FRIDAY, Calendar, CalendarDay, national_and_state_days

FRIDAY = date(2027, 3, 5)
ROWS = (
    CalendarDay(date(2027, 3, 8), "municipal", "Dia da Cidade"),
    CalendarDay(date(2027, 3, 9), "optional", "Véspera"),
    CalendarDay(date(2027, 3, 10), "state", "Data do Estado"),
    CalendarDay(date(2027, 3, 10), "optional", "Data do Estado"),
    CalendarDay(date(2027, 3, 11), "national", "Data Nacional"),
)


@pytest.mark.parametrize(
    ("day", "works", "reason"),
    [
        (date(2027, 3, 5), True, "dia útil"),
        (date(2027, 3, 6), False, "sábado"),
        (date(2027, 3, 7), False, "domingo"),
        (date(2027, 3, 8), False, "feriado municipal (Dia da Cidade)"),
        (date(2027, 3, 9), True, "dia útil, apesar do ponto facultativo (Véspera)"),
        (date(2027, 3, 10), False, "feriado estadual (Data do Estado)"),
        (date(2027, 3, 11), False, "feriado nacional (Data Nacional)"),
    ],
)
def test_each_day_says_whether_it_works_and_why(day: date, works: bool, reason: str) -> None:
    assert Calendar(ROWS).is_working(day) == (works, reason)


def test_optional_day_rests_when_the_authority_says_so() -> None:
    calendar = Calendar(ROWS)
    assert calendar.is_working(date(2027, 3, 9), optional_counts=False) == (False, "ponto facultativo (Véspera)")


def test_only_a_day_of_the_optional_layer_alone_is_optional() -> None:
    calendar = Calendar(ROWS)
    assert [row.day for row in ROWS if calendar.is_optional(row.day)] == [date(2027, 3, 9)]


def test_order_of_the_rows_does_not_matter() -> None:
    day = date(2027, 3, 10)
    assert Calendar(reversed(ROWS)).is_working(day) == Calendar(ROWS).is_working(day)


@pytest.mark.parametrize("weekdays", [frozenset[int](), frozenset({7}), frozenset({-1, 2})])
def test_calendar_without_any_working_weekday_is_refused(weekdays: frozenset[int]) -> None:
    with pytest.raises(ValueError, match="weekdays"):
        Calendar((), weekdays)


@settings(deadline=None)
@given(st.integers(1, 127), st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_a_week_has_as_many_working_days_as_its_weekdays(bits: int, start: date) -> None:
    weekdays = frozenset(day for day in range(7) if bits >> day & 1)
    calendar = Calendar((), weekdays)
    week = [start + timedelta(days=offset) for offset in range(7)]
    assert sum(calendar.is_working(day)[0] for day in week) == len(weekdays)


@pytest.mark.parametrize(
    ("uf", "day", "layer", "name"),
    [
        ("RJ", date(2027, 4, 23), "state", "São Jorge"),
        ("RJ", date(2027, 4, 21), "national", "Tiradentes"),
        ("RJ", date(2027, 2, 9), "state", "Carnaval"),
        ("ES", date(2027, 2, 9), "optional", "Carnaval"),
        ("ES", date(2027, 4, 5), "state", "Nossa Senhora da Penha"),
        ("PA", date(2027, 8, 15), "state", "Adesão do Grão-Pará à independência do Brasil"),
        ("PA", date(2027, 5, 27), "optional", "Corpus Christi"),
        ("RJ", date(2027, 11, 20), "national", "Dia Nacional de Zumbi e da Consciência Negra"),
    ],
)
def test_holidays_come_in_portuguese_and_in_their_layer(uf: str, day: date, layer: str, name: str) -> None:
    (row,) = [row for row in national_and_state_days(uf, [2027]) if row.day == day]
    assert (row.layer, row.name) == (layer, name)


@pytest.mark.parametrize("uf", ["RJ", "ES", "PA"])
def test_days_of_several_years_are_sorted_and_never_repeated(uf: str) -> None:
    days = [row.day for row in national_and_state_days(uf, range(2026, 2029))]
    assert days == sorted(set(days))
    assert {day.year for day in days} == {2026, 2027, 2028}


def test_state_that_does_not_exist_is_refused() -> None:
    with pytest.raises(NotImplementedError):
        national_and_state_days("XX", [2027])


def test_offices_work_monday_to_friday_by_default() -> None:
    assert {weekday for weekday in range(7) if weekday in MONDAY_TO_FRIDAY} == {0, 1, 2, 3, 4}
    assert Calendar().is_working(FRIDAY)[0]
