"""Dates, times, money and telephones in words."""

from datetime import UTC, date, datetime, time

import pytest

from tests.web.shell.seeds import make_town
from web import formats

TOWN = make_town("marica", "Maricá")


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 11, 30), "30 de novembro de 2026"),
        (date(2026, 3, 1), "1º de março de 2026"),
        (date(2027, 12, 2), "2 de dezembro de 2027"),
    ],
)
def test_days_are_written_out(day: date, words: str) -> None:
    assert formats.day_in_words(day) == words


def test_weeks_begin_on_monday() -> None:
    assert formats.weekday_in_words(date(2026, 11, 30)) == "segunda-feira"
    assert formats.weekday_in_words(date(2026, 12, 6)) == "domingo"


@pytest.mark.parametrize(("moment", "words"), [(time(14, 5), "14h05"), (time(9), "9h"), (time(0, 30), "0h30")])
def test_clock_is_written_as_people_say_it(moment: time, words: str) -> None:
    assert formats.clock_in_words(moment) == words


def test_instants_show_the_clocks_of_the_town() -> None:
    instant = datetime(2026, 12, 1, 2, 5, tzinfo=UTC)
    assert formats.moment_in_words(instant, TOWN) == "30 de novembro de 2026, 23h05"
    assert formats.local_day_in_words(instant, TOWN) == "30 de novembro de 2026"


def test_instant_without_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        formats.moment_in_words(datetime(2026, 11, 30), TOWN)


@pytest.mark.parametrize(
    ("cents", "words"),
    [
        (0, "R$\u00a00,00"),
        (5, "R$\u00a00,05"),
        (370, "R$\u00a03,70"),
        (123456789, "R$\u00a01.234.567,89"),
        (-500, "−R$\u00a05,00"),
    ],
)
def test_money_has_a_comma_and_points(cents: int, words: str) -> None:
    assert formats.money(cents) == words


@pytest.mark.parametrize(
    ("phone", "words", "link"),
    [
        ("+552137310000", "(21) 3731-0000", "tel:+552137310000"),
        ("(21) 99999-0000", "(21) 99999-0000", "tel:+5521999990000"),
        ("0800 000 1234", "0800 000 1234", "tel:+558000001234"),
        ("156", "156", "tel:156"),
        ("ramal 12", "ramal 12", "tel:12"),
        ("", "", "tel:"),
    ],
)
def test_phones_are_readable_and_can_be_called(phone: str, words: str, link: str) -> None:
    assert formats.phone_in_words(phone) == words
    assert formats.phone_link(phone) == link
