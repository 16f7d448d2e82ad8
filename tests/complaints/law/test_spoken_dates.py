"""Days as Portuguese writes them."""

from datetime import date

import pytest

from complaints.law.spoken_dates import spoken_day, weekday_name


@pytest.mark.parametrize(
    ("day", "weekday", "spoken"),
    [
        (date(2027, 3, 1), "segunda-feira", "1º de março de 2027"),
        (date(2028, 2, 29), "terça-feira", "29 de fevereiro de 2028"),
        (date(2026, 12, 31), "quinta-feira", "31 de dezembro de 2026"),
        (date(2027, 1, 3), "domingo", "3 de janeiro de 2027"),
    ],
)
def test_days_are_spoken_in_portuguese(day: date, weekday: str, spoken: str) -> None:
    assert (weekday_name(day), spoken_day(day)) == (weekday, spoken)
