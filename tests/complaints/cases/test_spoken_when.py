"""When something happened, as people write it. Now is Wednesday, 2 December 2026, 14:05."""

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaints.cases.spoken_when import When, read_when

NOW = datetime(2026, 12, 2, 14, 5)
TODAY, YESTERDAY = NOW.date(), NOW.date() - timedelta(days=1)


@pytest.mark.parametrize(
    ("words", "day", "clock"),
    [
        ("hoje 7h30", TODAY, "07:30"),
        ("ontem 7h30", YESTERDAY, "07:30"),
        ("Ontem, 7:30", YESTERDAY, "07:30"),
        ("hj umas 7 e pouco", TODAY, "07:00"),
        ("7 e meia da matina", TODAY, "07:30"),
        ("15 pras 7", TODAY, "06:45"),
        ("quinze para as sete da noite", YESTERDAY, "18:45"),
        ("ontem de noite", YESTERDAY, None),
        ("anteontem", date(2026, 11, 30), None),
        ("antes de ontem às 19h", date(2026, 11, 30), "19:00"),
        ("sexta de tardinha", date(2026, 11, 27), None),
        ("sábado agora", date(2026, 11, 28), None),
        ("hoje logo cedo", TODAY, None),
        ("meio-dia e pouco", TODAY, "12:00"),
        ("meio dia e meia", TODAY, "12:30"),
        ("22h e bolinha", YESTERDAY, "22:00"),
        ("agora há pouco", TODAY, "14:05"),
        ("domingo meia-noite", date(2026, 11, 30), "00:00"),
        ("quarta 8h", TODAY, "08:00"),
        ("quarta-feira passada 8h", date(2026, 11, 25), "08:00"),
        ("segunda, 30/11, 7h", date(2026, 11, 30), "07:00"),
        ("5/12 às 19h", date(2025, 12, 5), "19:00"),
        ("30/11/2026 19:15", date(2026, 11, 30), "19:15"),
        ("30-11-26", date(2026, 11, 30), None),
        ("1º de dezembro às 8 da noite", date(2026, 12, 1), "20:00"),
        ("dia 30 por volta das 18", date(2026, 11, 30), "18:00"),
        ("dia 3", date(2026, 11, 3), None),
        ("as 7 da noite", YESTERDAY, "19:00"),
        ("6 da manhã", TODAY, "06:00"),
        ("7 horas", TODAY, "07:00"),
        ("14:10", TODAY, "14:10"),
        ("hoje 23h", TODAY, None),
        ("12 da noite de ontem", YESTERDAY, "00:00"),
        ("duas da tarde", TODAY, "14:00"),
        ("29/2", date(2024, 2, 29), None),
    ],
)
def test_what_people_write_is_read(words: str, day: date, clock: str | None) -> None:
    assert read_when(words, NOW) == When(day, time.fromisoformat(clock) if clock else None)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "sempre",
        "todo dia",
        "31/12/2026",
        "40/13",
        "linha 12",
        "a segunda vez",
        "25:99",
        "amanhã",
        "2027",
        "sem ter hora",
    ],
)
def test_what_says_no_day_or_one_to_come_is_not_guessed(words: str) -> None:
    assert read_when(words, NOW) is None


@given(st.text(max_size=80), st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1)))
def test_no_words_give_a_moment_to_come(words: str, now: datetime) -> None:
    found = read_when(words, now)
    if found is not None:
        assert found.day <= now.date()
        if found.clock is not None:
            assert datetime.combine(found.day, found.clock) <= now + timedelta(minutes=10)


@given(st.datetimes(datetime(2020, 1, 1), NOW))
def test_a_moment_written_out_is_read_back(moment: datetime) -> None:
    expected = When(moment.date(), moment.time().replace(second=0, microsecond=0))
    assert read_when(f"{moment:%d/%m/%Y, %Hh%M}", NOW) == expected
    assert read_when(f"no dia {moment:%d/%m/%Y} às {moment:%H:%M}", NOW) == expected
