"""Trips, kilometres and vehicles at once, compared with gtfs_kit's own count."""

from datetime import date

import pytest

from gtfs.checks.notices import Notices
from gtfs.compiled import unpack
from gtfs.compiled_feed import CompiledFeed
from gtfs.line_details import unpack_details
from gtfs.line_work import LineWork, count_work, list_active_sets, work_from_json
from gtfs.patterns import Gathering, Run
from gtfs.reading import open_feed, read_feed
from gtfs.service_days import ServiceDays, service_from_json
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import compile_real, compile_small
from tests.gtfs.real_feeds import demand_feed

HOUR = 3600
PLACES = [(-22.90, -42.80), (-22.91, -42.80), None]


def gathering(*runs: Run, stops: tuple[int, ...] = (0, 1)) -> Gathering:
    found = Gathering("0", "", stops, frozenset(), ())
    found.runs.extend(runs)
    return found


def run(start: float, end: float, service: int = 0, block: str = "", shape: str = "") -> Run:
    return Run(service, round(start * HOUR), round(end * HOUR), shape, block)


def count(*runs: Run, stops: tuple[int, ...] = (0, 1)) -> LineWork:
    (work,) = count_work([gathering(*runs, stops=stops)], [frozenset((0,))], {"S": 10.0}, PLACES)
    return work


def works(compiled: CompiledFeed, line: int) -> list[LineWork]:
    return [work_from_json(row) for row in unpack_details(compiled.lines[line].details).get("work", ())]


@pytest.mark.parametrize(
    ("runs", "fleet", "peak"),
    [
        ([run(6, 7)], 1, 6),
        ([run(6, 7), run(7, 8)], 1, 6),
        ([run(6, 7), run(6.5, 7.5)], 2, 6.5),
        ([run(6, 7), run(6, 7), run(6, 7)], 3, 6),
        ([run(6, 7), run(25, 26), run(25.5, 27)], 2, 25.5),
        ([run(6, 6), run(6, 6)], 2, 6),
        ([run(6, 7, block="a"), run(7.5, 8, block="a"), run(7.2, 7.4, block="b")], 2, 7.2),
        ([run(6, 7, block="a"), run(9, 10, block="a"), run(7.2, 7.4, block="b")], 1, 6),
        ([run(6, 8, block="a"), run(7, 7.5, block="a")], 1, 6),
    ],
)
def test_vehicles_at_once_are_counted_at_the_peak(runs: list[Run], fleet: int, peak: float) -> None:
    work = count(*runs)
    assert (work.fleet, work.peak, work.trips) == (fleet, peak * HOUR, len(runs))


def test_only_blocks_on_all_trips_are_called_blocks() -> None:
    assert count(run(6, 7, block="a"), run(8, 9, block="b")).by_blocks
    assert not count(run(6, 7, block="a"), run(8, 9)).by_blocks


def test_kilometres_follow_the_path_else_the_stops() -> None:
    assert count(run(6, 7, shape="S"), run(7, 8, shape="S")).km == 20.0
    assert count(run(6, 7)).km == 1.1
    assert count(run(6, 7), stops=(0, 2)).km is None


def test_each_kind_of_day_is_counted_by_itself() -> None:
    line = gathering(run(6, 7), run(6, 7, service=1), run(6.5, 7, service=1))
    found = count_work([line], [frozenset((0,)), frozenset((0, 1)), frozenset((5,)), frozenset()], {}, PLACES)
    assert [(work.services, work.trips, work.fleet) for work in found] == [
        (frozenset({0}), 1, 1),
        (frozenset({0, 1}), 3, 3),
    ]
    assert all(work_from_json(work.to_json()) == work for work in found)


def test_sets_of_services_come_with_the_most_usual_first() -> None:
    first = date(2026, 11, 30).toordinal()
    workdays, sundays = (
        ServiceDays(id_, bits, first, first + 27) for id_, bits in (("U", 0b11111), ("D", 1 << 6))
    )
    assert list_active_sets((workdays, sundays), first, first + 27) == (
        frozenset({0}),
        frozenset(),
        frozenset({1}),
    )


def test_small_feed_is_counted() -> None:
    _, compiled = compile_small()
    workdays, sundays = works(compiled, 0)
    assert (workdays.trips, workdays.km, workdays.fleet) == (4, 8.8, 1)
    assert (sundays.trips, sundays.km) == (1, 2.2)
    (circle,) = works(compiled, 1)
    assert (circle.trips, circle.fleet) == (12, 2)
    assert works(compiled, 2) == []


def test_headway_of_seconds_does_not_count_thousands_of_vehicles() -> None:
    _, compiled = compile_small(frequencies_txt=small.FREQUENCIES.replace(",1200,", ",1,"))
    (circle,) = works(compiled, 1)
    assert circle.trips == 240


@pytest.mark.parametrize("name", ["kart-loops-bom", "zakroczym-fares-v2"])
def test_trips_and_vehicles_at_once_are_those_gtfs_kit_counts(name: str) -> None:
    """gtfs_kit looks at no blocks, so its vehicles are only compared where the feed has none."""
    compiled = compile_real(name)
    services = [service_from_json(values) for values in unpack(compiled.services)]
    assert compiled.first_day is not None
    day = next(
        day for day in range(compiled.first_day.toordinal(), 10**6) if any(s.runs_on(day) for s in services)
    )
    running = {index for index, service in enumerate(services) if service.runs_on(day)}
    stats = open_feed(read_feed(demand_feed(name), name, Notices())).compute_route_stats(
        [f"{date.fromordinal(day):%Y%m%d}"]
    )
    lines = {line.gtfs_id: index for index, line in enumerate(compiled.lines)}
    assert len(stats)
    for row in stats.itertuples():
        (work,) = [work for work in works(compiled, lines[row.route_id]) if work.services <= running]
        assert work.trips == row.num_trips
        assert work.by_blocks or work.fleet == row.peak_num_trips
        assert work.km == pytest.approx(row.service_distance, rel=0.03)
