from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaints.authorities.choices import add_choice
from complaints.authorities.tables import Authority
from complaints.registry.validity import UnknownInterval, add_months, find_last_day, last_day
from web.db import Database


@pytest.mark.parametrize(
    ("issued_on", "interval", "expected"),
    [
        (date(2026, 11, 30), "12_months", date(2027, 11, 30)),
        (date(2026, 3, 10), "12_months", date(2027, 3, 10)),
        (date(2028, 2, 29), "12_months", date(2029, 3, 1)),
        (date(2027, 8, 30), "6_months", date(2028, 3, 1)),
        (date(2026, 8, 31), "6_months", date(2027, 3, 1)),
        (date(2026, 12, 31), "2_months", date(2027, 3, 1)),
        (date(2026, 10, 31), "1_months", date(2026, 12, 1)),
        (date(2026, 12, 15), "1_months", date(2027, 1, 15)),
        (date(2026, 3, 10), "calendar_year", date(2027, 12, 31)),
        (date(2027, 8, 30), "calendar_semester", date(2028, 6, 30)),
        (date(2027, 6, 30), "calendar_semester", date(2027, 12, 31)),
        (date(2027, 7, 1), "calendar_semester", date(2028, 6, 30)),
    ],
)
def test_an_interval_ends_on_the_same_day_or_with_the_period(
    issued_on: date, interval: str, expected: date
) -> None:
    assert last_day(issued_on, interval) == expected


@pytest.mark.parametrize(
    "interval", ["", "months", "0_months", "-1_months", "x_months", "renewal_date", "12_days"]
)
def test_an_interval_nobody_knows_is_refused_by_name(interval: str) -> None:
    with pytest.raises(UnknownInterval) as caught:
        last_day(date(2026, 11, 30), interval)
    assert caught.value.interval == interval


@given(st.dates(date(2000, 1, 1), date(2090, 12, 31)), st.integers(1, 60))
def test_months_later_keep_the_day_or_start_the_next_month(day: date, months: int) -> None:
    later = add_months(day, months)
    ahead = (later.year - day.year) * 12 + later.month - day.month
    assert (later.day, ahead) in ((day.day, months), (1, months + 1))


@pytest.mark.parametrize(
    ("law_id", "expected"),
    [
        ("marica-2627-2015", date(2027, 11, 30)),
        ("rio-das-ostras-2358-2020", date(2027, 11, 30)),
        ("conceicao-de-macabu-1588-2019", date(2027, 5, 30)),
        ("marechal-floriano-955-2009", None),
        ("canaa-dos-carajas-46-2003", None),
    ],
)
def test_the_law_of_each_town_sets_the_last_day(
    database: Database, marica: Authority, law_id: str, expected: date | None
) -> None:
    with database.read() as session:
        assert find_last_day(session, marica.id, law_id, date(2026, 11, 30)) == expected


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("inspection.validity", "calendar_year", date(2027, 12, 31)),
        ("inspection.period", "6_months", date(2027, 6, 1)),
    ],
)
def test_the_authoritys_choice_goes_before_the_law(
    database: Database, marica: Authority, now: datetime, key: str, value: str, expected: date
) -> None:
    with database.write() as session:
        add_choice(
            session,
            marica.id,
            "setting",
            key,
            value,
            instrument="Portaria 1/2026",
            effective_from=date(2026, 12, 1),
            today=date(2026, 11, 30),
            now=now,
        )
    with database.read() as session:
        before = find_last_day(session, marica.id, "marica-2627-2015", date(2026, 11, 30))
        after = find_last_day(session, marica.id, "marica-2627-2015", date(2026, 12, 1))
    assert before == date(2027, 11, 30)
    assert after == expected
