"""Departures too near another feed's: by shared stop, direction and date, against a brute force."""

import csv
import io
import json
from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gtfs.checks.notices import Notices
from gtfs.comparable import Comparable, comparable_of, pack_comparable, unpack_comparable
from gtfs.compiling import compile_feed
from gtfs.moments import Moment, are_surely_nearer, seconds_apart
from gtfs.reading import read_feed
from gtfs.separation import Asked, choose_days, compare_departures
from gtfs.separation_report import MOST, SeparationReport, clock, name_days
from tests.gtfs.small_feed import zip_files

MONDAY = date(2026, 11, 30)
WEEK = [MONDAY + timedelta(days=number) for number in range(7)]
FORTNIGHT = [MONDAY + timedelta(days=number) for number in range(14)]
LAW = Asked(minutes=15)

STEP = 0.01
"""Degrees between the places of the road along which both feeds run, from west to east: about a kilometre."""


class Trip(NamedTuple):
    """A trip: its line, places along the road in its order, minutes at each, service; `every`: an interval."""

    line: str
    places: tuple[int, ...]
    minutes: tuple[int, ...]
    service: str = "U"
    every: tuple[str, str, int] | None = None


def make_feed(
    trips: Iterable[Trip],
    prefix: str = "",
    aside: float = 0.0,
    calendar: str = "U,1,1,1,1,1,0,0,20260101,20271231\n",
    dates: str = "",
    zone: str = "America/Sao_Paulo",
) -> Comparable:
    """A feed along the road; `aside` moves its stops north, in degrees; all ids begin with `prefix`."""
    listed = list(trips)
    lines = dict.fromkeys(trip.line for trip in listed)
    stops = [f"{prefix}P{n},Lugar {n},{-22.9 + aside:.6f},{-42.8 + n * STEP:.6f}" for n in range(10)]
    rows, times, every = [], [], []
    for number, trip in enumerate(listed):
        way = "0" if trip.places[-1] > trip.places[0] else "1"
        rows.append(f"{prefix}{trip.line},{trip.service},{prefix}T{number},{way}")
        for index, (place, minute) in enumerate(zip(trip.places, trip.minutes, strict=True)):
            moment = f"{minute // 60:02}:{minute % 60:02}:00"
            times.append(f"{prefix}T{number},{index},{prefix}P{place},{moment},{moment}")
        if trip.every:
            every.append(f"{prefix}T{number},{trip.every[0]},{trip.every[1]},{trip.every[2]}")
    names = [f"{prefix}{line},A,{prefix}{line},3" for line in lines]
    days = "monday,tuesday,wednesday,thursday,friday,saturday,sunday"
    files = {
        "agency.txt": f"agency_id,agency_name,agency_url,agency_timezone\nA,A,https://a.example,{zone}\n",
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n" + "\n".join(stops) + "\n",
        "routes.txt": "route_id,agency_id,route_short_name,route_type\n" + "\n".join(names) + "\n",
        "trips.txt": "route_id,service_id,trip_id,direction_id\n" + "\n".join(rows) + "\n",
        "stop_times.txt": "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n" + "\n".join(times) + "\n",
        "calendar.txt": f"service_id,{days},start_date,end_date\n{calendar}",
        "calendar_dates.txt": f"service_id,date,exception_type\n{dates}",
        "frequencies.txt": "trip_id,start_time,end_time,headway_secs\n" + "\n".join(every) + "\n",
    }
    return comparable_of(compile_feed(read_feed(zip_files(files), "via.zip", Notices())))


def run(
    ours: Comparable, other: Comparable, days: Iterable[date] = (MONDAY,), asked: Asked = LAW
) -> SeparationReport:
    return compare_departures(ours, other, list(days), asked)


EAST, WEST = (0, 1, 2), (2, 1, 0)
VAN = make_feed([Trip("1", EAST, (480, 485, 490))])


@pytest.mark.parametrize(
    ("minutes", "apart"),
    [(480, 0), (494, 14), (495, None), (466, 14), (465, None), (600, None)],
)
def test_fifteen_minutes_apart_is_far_enough_and_a_minute_less_is_not(minutes: int, apart: int | None) -> None:
    bus = make_feed([Trip("B", EAST, (minutes, minutes + 5, minutes + 10))], "x")
    report = run(VAN, bus)
    assert {warning.nearest.apart for warning in report.warnings} == ({apart * 60} if apart is not None else set())


def test_warning_names_line_stop_direction_days_and_the_nearest_pair() -> None:
    bus = make_feed([Trip("B", EAST, (488, 493, 498)), Trip("B", EAST, (470, 475, 480))], "x", aside=0.0002)
    first, second = run(VAN, bus, FORTNIGHT).warnings
    assert (first.line, first.line_id, first.other_line) == ("1", "1", "xB")
    assert (first.stop, first.direction, first.other_direction) == ("Lugar 0", "Lugar 2", "Lugar 2")
    assert (first.days, first.count, first.certain) == ("Dias úteis", 1, 1)
    assert first.nearest.words == "08:00 e 08:08"
    assert second.stop == "Lugar 1"


def test_opposite_ways_are_not_compared() -> None:
    assert not run(VAN, make_feed([Trip("B", WEST, (478, 483, 490))], "x")).warnings


def test_nobody_leaves_from_the_last_stop() -> None:
    bus = make_feed([Trip("B", (2, 3), (491, 495))], "x")
    assert not run(VAN, bus).warnings


@pytest.mark.parametrize(("aside", "shared"), [(0.0003, 10), (0.0004, 0)])
def test_stops_are_one_place_within_the_metres_given(aside: float, shared: int) -> None:
    report = run(VAN, make_feed([Trip("B", EAST, (480, 485, 490))], "x", aside))
    assert report.shared_stops == shared
    assert bool(report.warnings) == bool(shared)


def test_wider_places_share_more() -> None:
    bus = make_feed([Trip("B", EAST, (480, 485, 490))], "x", 0.0004)
    assert run(VAN, bus, asked=Asked(15, metres=60)).warnings


@pytest.mark.parametrize(
    ("places", "minutes", "found"),
    [
        (EAST, (485, 490, 495), ["Lugar 0"]),
        ((1, 2), (486, 490), []),
        (tuple(range(5)), (470, 480, 490, 500, 510), ["Lugar 0"]),
    ],
)
def test_only_where_both_begin_is_measured_if_the_law_is_read_so(
    places: tuple[int, ...], minutes: tuple[int, ...], found: list[str]
) -> None:
    bus = make_feed([Trip("B", places, minutes)], "x")
    assert [one.stop for one in run(VAN, bus, asked=Asked(15, origin_only=True)).warnings] == found
    assert {one.stop for one in run(VAN, bus).warnings} > set(found)


def test_bus_that_comes_from_farther_is_not_at_its_origin() -> None:
    van, bus = make_feed([Trip("1", (1, 2), (485, 490))]), make_feed([Trip("B", EAST, (480, 485, 490))], "x")
    assert run(van, bus).warnings
    assert not run(van, bus, asked=Asked(15, origin_only=True)).warnings


def test_ways_that_only_cross_are_told_apart_by_their_heading() -> None:
    """Both call at place 1 and at no other common place; one comes from the west and one goes there."""
    east = make_feed([Trip("B", (1, 3), (487, 495))], "x")
    west = make_feed([Trip("B", (4, 1, 3), (480, 487, 495))], "x", 0)
    away = make_feed([Trip("B", (3, 1, 0), (480, 487, 495))], "x", 0)
    van = make_feed([Trip("1", (1, 2), (485, 490))])
    assert [len(run(van, bus).warnings) for bus in (east, west, away)] == [1, 1, 0]


def test_loop_is_compared_on_the_way_it_goes() -> None:
    loop = make_feed([Trip("B", (0, 1, 2, 1, 0), (480, 484, 488, 492, 496))], "x")
    there, back = make_feed([Trip("1", (0, 1, 2), (480, 485, 490))]), make_feed([Trip("1", WEST, (480, 485, 490))])
    (at_one,) = (warning for warning in run(there, loop).warnings if warning.stop == "Lugar 1")
    assert at_one.nearest.words == "08:05 e 08:04"
    (coming,) = (warning for warning in run(back, loop).warnings if warning.stop == "Lugar 1")
    assert coming.nearest.words == "08:05 e 08:12"


def test_trip_of_yesterday_after_midnight_meets_this_morning() -> None:
    van = make_feed([Trip("1", EAST, (5, 10, 15))])
    bus = make_feed([Trip("B", EAST, (1450, 1455, 1460))], "x")
    monday, tuesday = run(van, bus, [MONDAY]), run(van, bus, [MONDAY + timedelta(days=1)])
    assert not monday.warnings
    assert [warning.nearest.words for warning in tuesday.warnings] == ["00:05 e 00:10", "00:10 e 00:15"]


def test_our_trip_after_midnight_meets_tomorrow_morning() -> None:
    van, bus = make_feed([Trip("1", EAST, (1450, 1455, 1460))]), make_feed([Trip("B", EAST, (5, 10, 15))], "x")
    friday = MONDAY + timedelta(days=4)
    assert [warning.nearest.words for warning in run(van, bus, [MONDAY]).warnings][:1] == ["24:10 e 24:05"]
    assert not run(van, bus, [friday]).warnings


def test_zones_and_changes_of_clocks_are_counted_in() -> None:
    """Manaus is an hour behind; New York changes its clocks between the two days."""
    bus = make_feed([Trip("B", EAST, (420, 425, 430))], "x", zone="America/Manaus")
    assert run(VAN, bus).warnings[0].nearest.apart == 0
    van = make_feed([Trip("1", EAST, (480, 485, 490))], calendar="U,1,1,1,1,1,1,1,20260101,20271231\n")
    abroad = make_feed(
        [Trip("B", EAST, (420, 425, 430))],
        "x",
        zone="America/New_York",
        calendar="U,1,1,1,1,1,1,1,20260101,20271231\n",
    )
    before, after = run(van, abroad, [date(2026, 10, 31)]), run(van, abroad, [date(2026, 11, 2)])
    assert [len(before.warnings), len(after.warnings)] == [2, 0]


def test_exceptions_are_days_of_their_own() -> None:
    bus = make_feed([Trip("B", EAST, (480, 485, 490))], "x", dates="U,20261203,2\nU,20261206,1\n")
    van = make_feed([Trip("1", EAST, (480, 485, 490))], calendar="U,1,1,1,1,1,1,1,20260101,20271231\n")
    (warning, _) = run(van, bus, FORTNIGHT).warnings
    assert date(2026, 12, 3) not in warning.dates
    assert date(2026, 12, 6) in warning.dates
    assert "06/12/2026" in warning.days


def test_exact_departures_on_different_kinds_of_day_are_separate_warnings() -> None:
    calendar = "U,1,1,1,1,1,0,0,20260101,20271231\nD,0,0,0,0,0,0,1,20260101,20271231\n"
    bus = make_feed([Trip("B", (0, 1), (480, 485)), Trip("B", (0, 1), (490, 495), "D")], "x", calendar=calendar)
    van = make_feed([Trip("1", (0, 1), (480, 485), service) for service in "UD"], calendar=calendar)
    found = [(warning.days, warning.nearest.apart) for warning in run(van, bus, FORTNIGHT).warnings]
    assert found == [("Dias úteis", 0), ("Domingos", 600)]


@pytest.mark.parametrize(
    ("headway", "minutes", "count", "certain"),
    [
        (1200, 500, 1, 1),
        (1200, 481, 1, 0),
        (600, 481, 1, 1),
        (2400, 540, 1, 0),
        (1200, 466, 1, 0),
        (1200, 465, 0, 0),
        (1200, 615, 0, 0),
    ],
)
def test_fixed_time_beside_an_interval_line(headway: int, minutes: int, count: int, certain: int) -> None:
    """The bus runs from 8:00 to 10:00; a van in those hours is too near whatever happens, if it runs often."""
    bus = make_feed([Trip("B", (0, 1), (0, 5), every=("08:00:00", "10:00:00", headway))], "x")
    van = make_feed([Trip("1", (0, 1), (minutes, minutes + 5))])
    warnings = run(van, bus).warnings
    assert (sum(warning.count for warning in warnings), sum(warning.certain for warning in warnings)) == (
        count,
        certain,
    )


def test_interval_line_of_ours_counts_the_departures_that_can_be_too_near() -> None:
    van = make_feed([Trip("1", (0, 1), (0, 5), every=("08:00:00", "10:00:00", 1200))])
    bus = make_feed([Trip("B", (0, 1), (530, 535))], "x")
    (warning,) = run(van, bus).warnings
    assert (warning.count, warning.certain) == (3, 3)
    assert warning.nearest.words == "08:40 a 09:00 e 08:50"


def test_two_interval_lines_are_compared_by_their_hours() -> None:
    van = make_feed([Trip("1", (0, 1), (0, 5), every=("08:00:00", "09:00:00", 1200))])
    early = make_feed([Trip("B", (0, 1), (0, 5), every=("06:00:00", "07:45:00", 900))], "x")
    same = make_feed([Trip("B", (0, 1), (0, 5), every=("08:00:00", "12:00:00", 900))], "x")
    assert not run(van, early).warnings
    assert run(van, same).warnings[0].count == 3


moments = st.builds(
    lambda begin, headway, number, length: Moment(
        begin + number * headway, begin + (number + 1) * headway, headway, begin, begin + length * headway
    ),
    st.integers(0, 30),
    st.integers(1, 12),
    st.integers(0, 4),
    st.integers(5, 8),
)
points = st.integers(0, 60).map(lambda low: Moment(low, low))


@given(moments, points, st.integers(1, 15))
def test_what_is_certain_holds_for_every_second_the_line_may_begin_at(
    line: Moment, point: Moment, gap: int
) -> None:
    def nearest(phase: int) -> int:
        return min(abs(second - point.low) for second in range(line.begin + phase, line.end + 1, line.headway))

    worst = max(nearest(phase) for phase in range(line.headway + 1))
    if are_surely_nearer(line, point, gap):
        assert worst < gap
    own = min(abs(second - point.low) for second in range(line.low, line.high + 1))
    assert seconds_apart(line, point) == own == seconds_apart(point, line)


def draw_trips(line: str) -> st.SearchStrategy[list[Trip]]:
    def build(values: tuple[list[int], bool, int, list[int], str]) -> Trip:
        places, backwards, start, steps, service = values
        ordered = sorted(places, reverse=backwards)
        minutes = [start + sum(steps[:index]) for index in range(len(ordered))]
        return Trip(line, tuple(ordered), tuple(minutes), service)

    one = st.tuples(
        st.lists(st.integers(0, 5), min_size=2, max_size=6, unique=True),
        st.booleans(),
        st.integers(0, 1560),
        st.lists(st.integers(0, 40), min_size=5, max_size=5),
        st.sampled_from("UV"),
    )
    return st.lists(one.map(build), min_size=1, max_size=5)


def calendars() -> st.SearchStrategy[str]:
    bits = st.lists(st.sampled_from("01"), min_size=7, max_size=7).map(",".join)
    return st.tuples(bits, bits).map(lambda two: f"U,{two[0]},20260101,20271231\nV,{two[1]},20260101,20271231\n")


def exceptions() -> st.SearchStrategy[str]:
    one = st.tuples(st.sampled_from("UV"), st.integers(0, 7), st.sampled_from("12"))
    rows = st.lists(one, max_size=4, unique_by=lambda row: row[:2])
    return rows.map(
        lambda listed: "".join(f"{s},{MONDAY + timedelta(days=d):%Y%m%d},{kind}\n" for s, d, kind in listed)
    )


def runs(service: str, day: date, calendar: str, dates: str) -> bool:
    for row in dates.splitlines():
        if row.startswith(f"{service},{day:%Y%m%d},"):
            return row.endswith("1")
    row = next(row for row in calendar.splitlines() if row.startswith(service))
    return row.split(",")[1 + day.weekday()] == "1"


Found = dict[tuple[date, str, str, int, bool], tuple[int, int]]
"""Day, line, other line, place and way -> how many of our departures are too near, and how near the nearest is."""


def brute_force(
    ours: list[Trip], others: list[Trip], ours_days: tuple[str, str], other_days: tuple[str, str], days: list[date]
) -> Found:
    found: Found = {}
    for day in days:
        for trip in (trip for trip in ours if runs(trip.service, day, *ours_days)):
            for index, place in enumerate(trip.places[:-1]):
                nearest: dict[str, int] = {}
                for other in others:
                    same = (other.places[-1] > other.places[0]) == (trip.places[-1] > trip.places[0])
                    if not same or place not in other.places[:-1]:
                        continue
                    for step in (-1, 0, 1):
                        if runs(other.service, day + timedelta(days=step), *other_days):
                            moment = other.minutes[other.places.index(place)] + step * 1440
                            apart = abs(moment - trip.minutes[index])
                            if apart < LAW.minutes:
                                nearest[other.line] = min(apart, nearest.get(other.line, apart))
                for line, apart in nearest.items():
                    key = (day, trip.line, line, place, trip.places[-1] > trip.places[0])
                    count, least = found.get(key, (0, apart))
                    found[key] = (count + 1, min(least, apart))
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.tuples(draw_trips("1"), draw_trips("2")),
    st.tuples(draw_trips("B"), draw_trips("C")),
    st.tuples(calendars(), exceptions()),
    st.tuples(calendars(), exceptions()),
    st.sampled_from([0.0, 0.0001, -0.0002]),
)
def test_every_pair_of_departures_compared_one_by_one_finds_the_same(
    ours: tuple[list[Trip], list[Trip]],
    others: tuple[list[Trip], list[Trip]],
    ours_days: tuple[str, str],
    other_days: tuple[str, str],
    aside: float,
) -> None:
    mine, theirs = [*ours[0], *ours[1]], [*others[0], *others[1]]
    report = run(
        make_feed(mine, calendar=ours_days[0], dates=ours_days[1]),
        unpack_comparable(
            pack_comparable(make_feed(theirs, "x", aside, calendar=other_days[0], dates=other_days[1]))
        ),
        WEEK,
    )
    found: dict[tuple[date, str, str, str], list[tuple[int, int]]] = {}
    for warning in report.warnings:
        for day in warning.dates:
            key = (day, warning.line, warning.other_line.removeprefix("x"), warning.stop.removeprefix("Lugar "))
            found.setdefault(key, []).append((warning.count, warning.nearest.apart // 60))
    expected: dict[tuple[date, str, str, str], list[tuple[int, int]]] = {}
    for (day, line, other, place, _), pair in brute_force(mine, theirs, ours_days, other_days, WEEK).items():
        expected.setdefault((day, line, other, str(place)), []).append(pair)
    assert {key: sorted(pairs) for key, pairs in found.items()} == {
        key: sorted(pairs) for key, pairs in expected.items()
    }


def test_spreadsheet_and_json_hold_every_warning_up_to_the_most() -> None:
    van = make_feed([Trip(f"={number}", EAST, (480, 485, 490)) for number in range(30)])
    bus = make_feed([Trip(f"@{number}", EAST, (480, 485, 490)) for number in range(30)], "x")
    report = run(van, bus)
    values = json.loads(json.dumps(report.to_json()))
    assert (values["total"], len(values["warnings"])) == (1800, MOST)
    assert values["warnings"][0]["nearest"]["ours"] == "08:00"
    rows = list(csv.DictReader(io.StringIO(report.to_csv().decode("utf-8-sig")), delimiter=";"))
    assert len(rows) == MOST
    assert {row["linha"][:2] for row in rows} == {"'="}
    assert rows[0]["exemplos"] == "08:00 e 08:00"


def test_stored_bytes_give_the_same_feed() -> None:
    assert unpack_comparable(pack_comparable(VAN)) == VAN


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (None, None, (MONDAY, 42)),
        (date(2026, 12, 10), None, (date(2026, 12, 10), 42)),
        (date(2020, 1, 1), date(2026, 12, 2), (MONDAY, 3)),
        (date(2020, 1, 1), date(2020, 12, 31), (date(2020, 11, 20), 42)),
        (date(2020, 12, 30), date(2020, 12, 31), (date(2020, 12, 30), 2)),
    ],
)
def test_days_looked_at_lie_within_the_feed(
    first: date | None, last: date | None, expected: tuple[date, int]
) -> None:
    days = choose_days(MONDAY, first, last)
    assert (days[0], len(days)) == expected


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ([0, 1, 2, 3, 4, 7, 8, 9, 10, 11], "Dias úteis"),
        ([0, 1, 2, 3, 4, 7, 8, 9, 10], "De segunda a quinta; 04/12/2026 (sexta-feira)"),
        ([6, 13], "Domingos"),
        ([3], "03/12/2026 (quinta-feira)"),
    ],
)
def test_days_in_words(chosen: list[int], words: str) -> None:
    assert name_days([FORTNIGHT[index] for index in chosen], FORTNIGHT) == words


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "00:00"), (29400, "08:10"), (90061, "25:01:01"), (-600, "23:50 (véspera)")]
)
def test_clock_of_a_service_day(seconds: int, text: str) -> None:
    assert clock(seconds) == text
