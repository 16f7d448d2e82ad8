"""Times, dates and zones as GTFS writes them."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.clock import find_zone, parse_date, parse_time, start_of_service_day, write_clock


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("05:40:00", 20_400),
        ("5:40:00", 20_400),
        ("00:00:00", 0),
        ("24:00:00", 86_400),
        ("25:10:30", 90_630),
        ("100:00:01", 360_001),
    ],
)
def test_times_are_seconds_of_the_service_day(text: str, seconds: int) -> None:
    assert parse_time(text) == seconds


@pytest.mark.parametrize(
    "text",
    ["", "5:40", "05:60:00", "05:40:60", "-1:00:00", "05:40:00 ", "5h40", "1000:00:00", "٠٥:٤٠:٠٠", "05:4:00"],
)
def test_unreadable_times_are_none(text: str) -> None:
    assert parse_time(text) is None


@given(st.integers(0, 999 * 3600 + 3599))
def test_every_written_time_is_read_back(seconds: int) -> None:
    assert parse_time(f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}") == seconds


@given(st.text(max_size=9))
def test_no_text_raises(text: str) -> None:
    parse_time(text)
    parse_date(text)
    find_zone(text)


@given(st.dates())
def test_every_written_date_is_read_back(day: date) -> None:
    assert parse_date(f"{day.year:04}{day.month:02}{day.day:02}") == day


@pytest.mark.parametrize("text", ["", "20270229", "2026-01-01", "202601011", "00000101", "2026013١"])
def test_unreadable_dates_are_none(text: str) -> None:
    assert parse_date(text) is None


@pytest.mark.parametrize("name", ["", "America", "Brasil/Leste", "../etc/passwd", "\x00", "America/Marica"])
def test_unknown_zones_are_none(name: str) -> None:
    assert find_zone(name) is None


def test_known_zone_is_found() -> None:
    assert find_zone("America/Sao_Paulo") == ZoneInfo("America/Sao_Paulo")


@pytest.mark.parametrize(
    ("day", "zone", "offset"),
    [
        (date(2026, 11, 30), "America/Sao_Paulo", timedelta(hours=3)),
        (date(2026, 3, 29), "Europe/Warsaw", timedelta(hours=-2)),
        (date(2026, 10, 25), "Europe/Warsaw", timedelta(hours=-1)),
        (date(2021, 3, 14), "America/New_York", timedelta(hours=4)),
    ],
)
def test_service_day_starts_twelve_hours_before_noon_even_when_clocks_change(
    day: date, zone: str, offset: timedelta
) -> None:
    start = start_of_service_day(day, ZoneInfo(zone))
    assert start == datetime(day.year, day.month, day.day, tzinfo=UTC) + offset


@pytest.mark.parametrize(("seconds", "words"), [(20_459, "05:40"), (86_400, "00:00"), (90_630, "01:10")])
def test_clock_is_written_without_seconds(seconds: int, words: str) -> None:
    assert write_clock(seconds) == words
