"""What is left out of a heavy line's page, and what never is."""

from datetime import date

from web.rider.line_sheet import Clock, DaySheet, Leaving, StopSheet, WaySheet
from web.rider.line_weight import FEWEST_STOPS, MOST_BYTES, lighten

DAY = date(2026, 12, 5)


def day(clocks: int, *, is_open: bool = False, example: date | None = DAY) -> DaySheet:
    leaving = Leaving("Sentido Praia", (Clock("06:00", ""),) * clocks, (), (), untimed=False)
    return DaySheet("Sábados", "", is_open, is_open, (leaving,), example)


def way(stops: int) -> WaySheet:
    return WaySheet("Sentido Praia", "", (StopSheet("praca", "Praça", "+5 min", False, False),) * stops, ())


def listed(days: list[DaySheet], ways: list[WaySheet]) -> tuple[list[bool], list[bool]]:
    kept_days, kept_ways = lighten(days, ways, "vila")
    return [day.is_listed for day in kept_days], [way.is_listed for way in kept_ways]


def test_light_line_is_written_out() -> None:
    assert listed([day(60, is_open=True), day(40), day(30)], [way(40), way(40)]) == ([True] * 3, [True] * 2)


def test_other_kinds_of_day_give_way_before_stops_do() -> None:
    assert listed([day(300), day(300, is_open=True), day(300)], [way(140), way(140)]) == (
        [False, True, False],
        [True] * 2,
    )


def test_stops_of_the_way_back_give_way_before_those_of_the_way_out() -> None:
    assert listed([day(300, is_open=True)], [way(200), way(200)]) == ([True], [True, False])


def test_small_kind_of_day_fits_where_a_big_one_does_not() -> None:
    assert listed([day(900, is_open=True), day(600), day(20)], [way(30)]) == ([True, False, True], [True])


def test_open_kind_of_day_and_one_without_a_day_to_come_always_stay() -> None:
    heavy = MOST_BYTES // 10
    assert listed([day(heavy, is_open=True), day(heavy, example=None)], [way(1), way(1)]) == (
        [True, True],
        [True, False],
    )


def test_first_stops_of_a_very_long_way_are_listed_and_the_others_counted() -> None:
    _, (long,) = lighten([day(300, is_open=True)], [way(900)], "vila")
    assert long.is_listed
    assert FEWEST_STOPS < len(long.stops) < 900
    assert len(long.stops) + long.more == 900
    _, (short,) = lighten([day(MOST_BYTES, is_open=True)], [way(900)], "vila")
    assert len(short.stops) == FEWEST_STOPS
