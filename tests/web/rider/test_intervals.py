"""Frequencies in words."""

import pytest

from web.rider.intervals import interval_in_words, pace_in_words


@pytest.mark.parametrize(
    ("headway", "words"),
    [
        (1, "menos de 1 min"),
        (59, "menos de 1 min"),
        (60, "1 min"),
        (451, "8 min"),
        (1200, "20 min"),
        (5400, "90 min"),
        (7200, "2 h"),
        (9000, "2 h 30 min"),
    ],
)
def test_pace_has_words(headway: int, words: str) -> None:
    assert pace_in_words(headway) == words


def test_interval_names_its_ends() -> None:
    assert interval_in_words(1200, "05:00", "09:00") == "a cada 20 min, das 05:00 às 09:00"
