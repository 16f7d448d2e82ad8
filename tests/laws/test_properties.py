"""Properties that hold for every day, age and window, whatever the rulebook says."""

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaints.law.asking.dates import WorkingDays, add_months, birthday, completed_years
from complaints.law.asking.engine import ask
from complaints.law.calendars import Calendar
from complaints.law.counting import Counter, TermSettings
from complaints.law.exact_numbers import read_exact, round_cents, write_exact

MARICA = "marica-2627-2015"
DAYS = st.dates(date(2016, 1, 1), date(2040, 12, 31))
FEW_DAYS = st.frozensets(st.dates(date(2027, 1, 1), date(2028, 3, 31)), max_size=30)
WEEKDAY_SETS = [frozenset(day for day in range(7) if bits >> day & 1) for bits in range(1, 128)]


@given(DAYS, st.integers(1, 40), FEW_DAYS)
def test_working_days_counted_are_exactly_as_many_as_asked(
    start: date, count: int, closed: frozenset[date]
) -> None:
    days = WorkingDays(closed, frozenset())
    last = days.add(start, count, optional_works=True)
    between = [start + timedelta(days=step) for step in range(1, (last - start).days + 1)]
    assert sum(days.works(day, True) for day in between) == count
    assert days.works(last, True)


@given(DAYS, st.integers(1, 30))
def test_the_engine_counts_as_the_clock_of_cases_does(start: date, count: int) -> None:
    engine = WorkingDays(frozenset(), frozenset()).add(start, count, optional_works=True)
    assert Counter(count, Calendar(), TermSettings(unit="business")).count(start).due == engine


@pytest.mark.parametrize("weekdays", WEEKDAY_SETS, ids=lambda days: "".join(map(str, sorted(days))))
def test_business_days_fall_on_working_weekdays_across_leap_days_and_year_ends(weekdays: frozenset[int]) -> None:
    calendar = Calendar(working_weekdays=weekdays)
    counter = Counter(5, calendar, TermSettings(unit="business"))
    for start in (date(2027, 12, 29), date(2028, 2, 27), date(2028, 2, 29), date(2027, 2, 27)):
        count = counter.count(start)
        counted = [row.day for row in count.days if row.counted]
        assert len(counted) == 5
        assert all(day.weekday() in weekdays for day in counted)
        assert count.due == counted[-1]


@given(DAYS, st.integers(1, 120))
def test_months_end_on_the_same_number_or_beside_the_end_of_the_month(start: date, months: int) -> None:
    after, within = add_months(start, months), add_months(start, months, "last_day")
    assert after == within or (after.day == 1 and after - within == timedelta(days=1))
    assert (after.day == start.day) == (after == within)


@given(DAYS, st.integers(0, 100))
def test_an_age_is_completed_on_the_birthday_and_not_the_day_before(born: date, years: int) -> None:
    day = birthday(born, years)
    assert completed_years(born, day) == years
    assert completed_years(born, day - timedelta(days=1)) == years - 1


@pytest.mark.parametrize(
    ("day", "years"), [("2026-02-28", 5), ("2026-03-01", 6), ("2028-02-28", 7), ("2028-02-29", 8)]
)
def test_somebody_born_on_29_february_turns_older_on_1_march_in_common_years(day: str, years: int) -> None:
    assert completed_years(date(2020, 2, 29), date.fromisoformat(day)) == years


@given(st.fractions(0, 10_000, max_denominator=500))
def test_exact_numbers_are_read_as_they_were_written(number: Fraction) -> None:
    assert read_exact(write_exact(number)) == number


@given(st.fractions(0, 10_000, max_denominator=500))
def test_rounding_up_and_down_differ_by_at_most_a_cent(number: Fraction) -> None:
    down, up = round_cents(number, "down"), round_cents(number, "up")
    assert down is not None
    assert up is not None
    assert down <= number <= up
    assert up - down <= 1
    assert round_cents(number, "half_up") in (down, up)
    assert round_cents(number, "unset") == (down if down == up else None)


def record(gaps: list[int], settings: dict[str, Any] | None = None) -> dict[str, Any]:
    day, entries = date(2026, 1, 1), []
    for place, gap in enumerate(gaps):
        day += timedelta(days=gap)
        entries.append(
            {"id": str(place), "infraction": "inf-fumar", "on": day.isoformat(), "final_on": day.isoformat()}
        )
    question = {
        "rulebook": MARICA,
        "ask": "record",
        "on": "2039-12-31",
        "fixtures": {"classes": {"inf-fumar": "C"}},
        "settings": settings or {},
        "given": {"entries": entries},
    }
    return ask(question)


def brute_best(gaps: list[int], reach: int) -> int:
    days, day = [], 0
    for gap in gaps:
        day += gap
        days.append(day)
    return max(4 * sum(anchor - reach <= other <= anchor for other in days) for anchor in days)


@given(st.lists(st.integers(0, 130), min_size=1, max_size=9))
def test_windows_find_the_best_sum_whatever_the_anchor(gaps: list[int]) -> None:
    wide, narrow = record(gaps), record(gaps, {"windows.boundary": "inclusive_both"})
    for window, closer in zip(wide["windows"][1:], narrow["windows"][1:], strict=True):
        assert window["best"] == brute_best(gaps, window["days"])
        assert closer["best"] == brute_best(gaps, window["days"] - 1)
        reached = [row["best"] >= window["threshold"] for row in (window, closer)]
        assert window["boundary_day"] == (reached[0] != reached[1])
    assert wide["totals"]["holder"] == 4 * len(gaps)


@given(st.lists(st.integers(0, 130), min_size=1, max_size=7))
def test_another_reading_is_listed_exactly_when_it_changes_the_answer(gaps: list[int]) -> None:
    default, other = record(gaps), record(gaps, {"windows.boundary": "inclusive_both"})
    same = all(default[key] == other[key] for key in ("windows", "proposals", "human"))
    listed = [row for row in default["alternatives"] if row["setting"] == "windows.boundary"]
    assert bool(listed) != same
    for row in listed:
        assert all(other[key] == value for key, value in row["answer"].items())


@given(DAYS, st.integers(0, 4))
def test_a_later_start_never_ends_a_term_earlier(start: date, ahead: int) -> None:
    def due(day: date) -> str:
        question = {
            "rulebook": MARICA,
            "ask": "deadline",
            "on": "2039-12-31",
            "calendar": {"optional": ["2027-02-08"]},
            "given": {"step": "appeal", "sanction": "fine", "served": {"mode": "personal", "on": day.isoformat()}},
        }
        answer = ask(question)
        assert answer["due"] <= answer["late_after"]
        return str(answer["due"])

    assert due(start) <= due(start + timedelta(days=ahead))


@given(st.dates(date(1930, 1, 1), date(2026, 12, 31)))
def test_the_same_question_always_gets_the_same_answer(born: date) -> None:
    question = {
        "rulebook": "canaa-dos-carajas-46-2003",
        "ask": "fare",
        "on": "2027-01-01",
        "given": {"service": "regular", "rider": {"born": born.isoformat(), "document": True}},
    }
    assert ask(question) == ask(question)
