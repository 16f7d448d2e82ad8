"""The next departures of a stop: past midnight, on days when clocks change, days ahead."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from gtfs.compiled import StopBoard, StopTimes, Window
from gtfs.service_days import ServiceDays
from gtfs.timetables import departures_between, intervals_between, next_departures

MARICA = ZoneInfo("America/Sao_Paulo")
WARSAW = ZoneInfo("Europe/Warsaw")
HOUR = 3600
DAILY = ServiceDays("U", 0b1111111, 1, date.max.toordinal())
MONDAYS = ServiceDays("M", 0b1, 1, date.max.toordinal())


def board(*hours: float, windows: tuple[Window, ...] = ()) -> StopBoard:
    times = tuple((int(hour * HOUR), False) for hour in sorted(hours))
    return StopBoard((StopTimes(7, "Praia", {0: times} if times else {}, {0: windows} if windows else {}),))


def clocks(
    stop: StopBoard, moment: datetime, service: ServiceDays = DAILY, limit: int = 3, zone: ZoneInfo = MARICA
) -> list[str]:
    found = next_departures(stop, [service], zone, moment, limit)
    return [departure.at.astimezone(zone).strftime("%d %H:%M") for departure in found]


def test_departure_at_the_very_minute_is_still_shown() -> None:
    moment = datetime(2026, 11, 30, 6, 0, tzinfo=MARICA)
    assert clocks(board(6, 7), moment) == ["30 06:00", "30 07:00"]
    assert clocks(board(6, 7), moment + timedelta(minutes=1)) == ["30 07:00", "01 06:00"]


def test_trip_of_yesterday_past_midnight_leaves_tonight() -> None:
    assert clocks(board(25.5), datetime(2026, 11, 30, 0, 30, tzinfo=MARICA)) == ["30 01:30"]


def test_trip_of_monday_past_midnight_leaves_on_tuesday_only() -> None:
    assert clocks(board(25.5), datetime(2026, 11, 30, 0, 30, tzinfo=MARICA), MONDAYS) == ["01 01:30"]
    assert clocks(board(25.5), datetime(2026, 12, 1, 0, 30, tzinfo=MARICA), MONDAYS) == ["01 01:30"]


def test_trip_three_days_long_is_still_found() -> None:
    assert clocks(board(80), datetime(2026, 12, 3, 0, 0, tzinfo=MARICA), MONDAYS) == ["03 08:00"]


def test_next_departure_is_looked_for_on_later_days() -> None:
    assert clocks(board(6), datetime(2026, 11, 30, 7, 0, tzinfo=MARICA), MONDAYS) == ["07 06:00"]


def test_stop_that_nothing_leaves_has_no_departure() -> None:
    never = ServiceDays("N", 0b1, 1, 2)
    assert clocks(board(6), datetime(2026, 11, 30, 7, 0, tzinfo=MARICA), never) == []
    assert clocks(StopBoard(), datetime(2026, 11, 30, 7, 0, tzinfo=MARICA)) == []


@pytest.mark.parametrize(
    ("day", "shown"),
    [
        (date(2026, 3, 28), ["28 01:30", "28 02:30", "28 06:00"]),
        (date(2026, 3, 29), ["29 00:30", "29 01:30", "29 06:00"]),
        (date(2026, 10, 25), ["25 02:30", "25 02:30", "25 06:00"]),
    ],
)
def test_times_count_from_noon_minus_twelve_hours_when_clocks_change(day: date, shown: list[str]) -> None:
    midnight = datetime(day.year, day.month, day.day, tzinfo=WARSAW)
    found = departures_between(board(1.5, 2.5, 6), [DAILY], WARSAW, midnight, midnight + timedelta(hours=20))
    assert [departure.at.astimezone(WARSAW).strftime("%d %H:%M") for departure in found] == shown


def test_departures_come_in_order_of_instants_not_of_clocks() -> None:
    midnight = datetime(2026, 10, 25, tzinfo=WARSAW)
    found = departures_between(board(1.5, 2.5), [DAILY], WARSAW, midnight, midnight + timedelta(hours=20))
    assert found[1].at - found[0].at == timedelta(hours=1)


def test_instants_are_aware_utc() -> None:
    found = next_departures(board(6), [DAILY], MARICA, datetime(2026, 11, 30, 12, tzinfo=UTC), 1)
    assert found[0].at == datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
    assert found[0].at.utcoffset() == timedelta(0)


def test_interval_is_shown_while_it_runs_and_before_it_begins() -> None:
    stop = board(windows=(Window(5 * HOUR, 9 * HOUR, 1200, 0), Window(16 * HOUR, 20 * HOUR, 900, 1)))

    def shown(hour: int) -> list[tuple[int, int, bool]]:
        moment = datetime(2026, 11, 30, hour, tzinfo=MARICA)
        found = intervals_between(stop, [DAILY], MARICA, moment, moment + timedelta(hours=8))
        return [(span.starts.astimezone(MARICA).hour, span.headway, span.estimated) for span in found]

    assert shown(4) == [(5, 1200, False)]
    assert shown(6) == [(5, 1200, False)]
    assert shown(9) == [(16, 900, True)]
    assert shown(20) == []


def test_interval_past_midnight_belongs_to_the_day_before() -> None:
    stop = board(windows=(Window(22 * HOUR, 26 * HOUR, 1800, 0),))
    moment = datetime(2026, 12, 1, 0, 30, tzinfo=MARICA)
    (span,) = intervals_between(stop, [MONDAYS], MARICA, moment, moment + timedelta(hours=3))
    assert span.starts.astimezone(MARICA) == datetime(2026, 11, 30, 22, tzinfo=MARICA)
