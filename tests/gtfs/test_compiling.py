"""Accepted tables compiled: patterns, directions, boards, and how a line's page reads them."""

from datetime import date

import pytest

from gtfs.checks.notices import Notices
from gtfs.compiled import Direction, StopBoard, Window, pack_line, pack_stop, unpack, unpack_line, unpack_stop
from gtfs.compiled_feed import CompiledFeed, CompiledLine, CompiledStop
from gtfs.compiling import compile_feed
from gtfs.line_times import Every, Start, find_departures, list_variants, list_way
from gtfs.measuring import begin_paths
from gtfs.zip_reading import read_feed
from tests.gtfs import small_feed as small
from tests.gtfs.small_feed import small_feed

WORKDAYS, SUNDAYS = frozenset({0}), frozenset({1})
HOUR = 3600
MINUTE = 60


def compiled(**changes: str | None) -> CompiledFeed:
    feed = read_feed(small_feed(**changes), "vila.zip", Notices())
    return compile_feed(feed, begin_paths(None, feed))


def line(feed: CompiledFeed, id_: str) -> CompiledLine:
    return next(line for line in feed.lines if line.gtfs_id == id_)


def directions(feed: CompiledFeed, id_: str) -> tuple[Direction, ...]:
    return unpack_line(line(feed, id_).content)


def stop(feed: CompiledFeed, id_: str) -> CompiledStop:
    return next(stop for stop in feed.stops if stop.gtfs_id == id_)


def board(feed: CompiledFeed, id_: str) -> StopBoard:
    return unpack_stop(stop(feed, id_).content)


def names(feed: CompiledFeed, direction: Direction) -> list[str]:
    return [feed.stops[on_way.stop].gtfs_id for on_way in list_way(direction)]


def starts(direction: Direction, services: frozenset[int]) -> list[tuple[str, str]]:
    return [
        (f"{start.seconds // HOUR:02}:{start.seconds // MINUTE % 60:02}", start.mark)
        for start in find_departures(direction, services).starts
    ]


def without_directions(trips: str = small.TRIPS) -> str:
    """trips.txt as in many Brazilian feeds: neither headsign nor direction."""
    rows = [row.split(",") for row in trips.splitlines()]
    return "\n".join(",".join([*row[:3], *row[5:]]) for row in rows) + "\n"


def test_each_route_is_one_line_even_without_trips() -> None:
    feed = compiled()
    assert [line.gtfs_id for line in feed.lines] == ["L1", "L2", "L3"]
    assert [line.has_times for line in feed.lines] == [True, True, False]
    assert directions(feed, "L3") == ()


def test_directions_have_names_stops_and_departures() -> None:
    feed = compiled()
    there, back = directions(feed, "L1")
    assert (there.label, back.label) == ("Praia", "Centro")
    assert (names(feed, there), names(feed, back)) == (["C", "M", "E", "P"], ["P", "E", "M", "C"])
    assert starts(there, WORKDAYS) == [("06:00", ""), ("07:00", ""), ("25:10", "")]
    assert starts(there, SUNDAYS) == [("08:00", "")]
    assert starts(back, WORKDAYS) == [("06:30", "")]
    assert not find_departures(back, SUNDAYS)


def test_length_of_the_way_comes_from_its_path() -> None:
    there, back = directions(compiled(), "L1")
    assert (there.km, back.km) == (2.2, None)


def test_blank_times_are_spread_by_distance_and_marked() -> None:
    there, back = directions(compiled(), "L1")
    assert [(on_way.least, on_way.most, on_way.estimated) for on_way in list_way(there)] == [
        (0, 0, False),
        (5, 5, True),
        (15, 15, True),
        (20, 20, False),
    ]
    assert not any(on_way.estimated for on_way in list_way(back))


def test_directions_and_destinations_are_found_where_the_feed_has_none() -> None:
    feed = compiled(trips_txt=without_directions())
    there, back = directions(feed, "L1")
    assert (there.label, back.label) == ("Praia", "Rodoviária Centro")
    assert names(feed, back) == ["P", "E", "M", "C"]
    assert [entry.destination for entry in board(feed, "M").departures] == ["Praia", "Rodoviária Centro"]


def test_short_way_joins_the_direction_it_runs_along() -> None:
    trips = f"{small.TRIPS}L1,U,curta,,,\n"
    times = f"{small.STOP_TIMES}curta,1,M,12:00:00,12:00:00\ncurta,2,E,12:10:00,12:10:00\n"
    feed = compiled(trips_txt=without_directions(trips), stop_times_txt=times)
    there, _ = directions(feed, "L1")
    assert starts(there, WORKDAYS) == [("06:00", ""), ("07:00", ""), ("12:00", "a"), ("25:10", "")]
    (variant,) = list_variants(there)
    ends = [feed.stops[position].gtfs_id for position in (variant.first, variant.last)]
    assert (variant.mark, ends) == ("a", ["M", "E"])
    assert [feed.stops[position].gtfs_id for position in variant.skipped] == ["C", "P"]
    assert variant.added == ()


def test_two_ways_to_one_place_are_told_apart_by_their_origin() -> None:
    trips = small.TRIPS.replace("volta-0630,Centro", "volta-0630,Praia")
    assert [direction.label for direction in directions(compiled(trips_txt=trips), "L1")] == [
        "Praia, saindo de Rodoviária Centro",
        "Praia, saindo de Praia",
    ]


def test_circle_passes_the_square_twice_and_never_departs_from_its_end() -> None:
    feed = compiled()
    (circle,) = directions(feed, "L2")
    assert circle.circular
    assert names(feed, circle) == ["C", "Q", "B", "Q", "C"]
    (square,) = [entry for entry in board(feed, "Q").departures if entry.line == 1]
    assert [(window.start, window.end) for window in square.windows[0]] == [
        (5 * HOUR + 5 * MINUTE, 9 * HOUR + 5 * MINUTE),
        (5 * HOUR + 25 * MINUTE, 9 * HOUR + 25 * MINUTE),
    ]
    (centre,) = [entry for entry in board(feed, "C").departures if entry.line == 1]
    assert len(centre.windows[0]) == 1


def test_intervals_stay_intervals_unless_they_are_exact() -> None:
    (circle,) = directions(compiled(), "L2")
    departures = find_departures(circle, WORKDAYS)
    assert departures.every == (Every(5 * HOUR, 9 * HOUR, 1200, ""),)
    assert departures.starts == ()
    exact = small.FREQUENCIES.replace(",0\n", ",1\n")
    (circle,) = directions(compiled(frequencies_txt=exact), "L2")
    departures = find_departures(circle, WORKDAYS)
    assert departures.every == ()
    assert departures.starts[:2] == (Start(5 * HOUR, ""), Start(5 * HOUR + 1200, ""))
    assert len(departures.starts) == 12


def test_exact_interval_of_seconds_is_not_written_out() -> None:
    exact = small.FREQUENCIES.replace("1200,0", "1,1")
    (circle,) = directions(compiled(frequencies_txt=exact), "L2")
    assert find_departures(circle, WORKDAYS).every == (Every(5 * HOUR, 9 * HOUR, 1, ""),)


@pytest.mark.parametrize("bad", ["0", "-5", "vinte", ""])
def test_unusable_interval_leaves_its_times_to_be_published(bad: str) -> None:
    feed = compiled(frequencies_txt=small.FREQUENCIES.replace("1200", bad))
    (circle,) = directions(feed, "L2")
    assert find_departures(circle, WORKDAYS).untimed
    assert not line(feed, "L2").has_times


def test_trips_without_times_are_to_be_published_at_every_stop() -> None:
    trips = f"{small.TRIPS}L3,U,futura,Praia,0,\n"
    times = f"{small.STOP_TIMES}futura,1,C,,\nfutura,2,P,,\n"
    feed = compiled(trips_txt=trips, stop_times_txt=times)
    (direction,) = directions(feed, "L3")
    assert find_departures(direction, WORKDAYS).untimed
    assert [on_way.least for on_way in list_way(direction)] == [None, None]
    assert board(feed, "C").untimed == (2,)
    assert board(feed, "P").untimed == ()


def test_intervals_without_times_count_from_the_first_stop_as_estimates() -> None:
    times = "\n".join(
        row if not row.startswith("circular") else ",".join([*row.split(",")[:3], "", ""])
        for row in small.STOP_TIMES.splitlines()
    )
    feed = compiled(stop_times_txt=times)
    (entry,) = [entry for entry in board(feed, "B").departures if entry.line == 1]
    assert entry.windows[0] == (Window(5 * HOUR, 9 * HOUR, 1200, 1),)


def test_nobody_boards_where_boarding_is_closed() -> None:
    header, *rows = small.STOP_TIMES.splitlines()
    marked = [f"{row},{1 if row.startswith('ida-0600,2') else 0}" for row in rows]
    feed = compiled(stop_times_txt="\n".join([f"{header},pickup_type", *marked]))
    times = [entry.times[0] for entry in board(feed, "M").departures if entry.destination == "Praia"]
    assert [seconds // HOUR for seconds, _ in times[0]] == [7, 25]
    there = directions(feed, "L1")[0]
    closed = [pattern.closed for pattern in there.patterns]
    assert frozenset({1}) in closed


def test_sign_at_a_stop_wins_over_the_headsign() -> None:
    header, *rows = small.STOP_TIMES.splitlines()
    signed = [f"{row},{'Via Mercado' if row.startswith('ida-0600,1') else ''}" for row in rows]
    feed = compiled(stop_times_txt="\n".join([f"{header},stop_headsign", *signed]))
    assert {entry.destination for entry in board(feed, "C").departures if entry.line == 0} == {
        "Praia",
        "Via Mercado",
    }
    assert {entry.destination for entry in board(feed, "M").departures} == {"Centro", "Praia"}


def test_station_shows_what_leaves_its_stops() -> None:
    stops = small.STOPS.replace("-42.8200,0,\nM", "-42.8200,0,EST\nM") + "EST,,Estação,-22.92,-42.82,1,\n"
    feed = compiled(stops_txt=stops)
    assert board(feed, "EST") == board(feed, "C")


def test_entrances_have_no_page() -> None:
    stops = f"{small.STOPS}PORTA,,Entrada,-22.92,-42.82,2,C\n"
    assert "PORTA" not in {stop.gtfs_id for stop in compiled(stops_txt=stops).stops}


def test_rows_out_of_order_are_put_in_order() -> None:
    header, *rows = small.STOP_TIMES.splitlines()
    assert compiled(stop_times_txt="\n".join([header, *reversed(rows)])).lines[0] == compiled().lines[0]


def test_row_with_unreadable_sequence_has_no_place() -> None:
    times = small.STOP_TIMES.replace("volta-0630,2,E", "volta-0630,dois,E")
    feed = compiled(stop_times_txt=times)
    assert names(feed, directions(feed, "L1")[1]) == ["P", "M", "C"]


def test_days_of_the_feed_are_those_of_its_trips_within_feed_info() -> None:
    info = "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version\n"
    feed = compiled(feed_info_txt=f"{info}EPT,https://e.example,pt,20260301,20260930,v7\n")
    assert (feed.first_day, feed.last_day) == (date(2026, 3, 1), date(2026, 9, 30))
    assert (feed.publisher, feed.feed_version, feed.zone) == ("EPT", "v7", "America/Sao_Paulo")
    absurd = compiled(feed_info_txt=f"{info}EPT,https://e.example,pt,20280101,20280301,v7\n")
    assert (absurd.first_day, absurd.last_day) == (date(2026, 1, 1), date(2027, 12, 31))


def test_feed_without_any_day_has_no_period() -> None:
    feed = compiled(calendar_txt=small.CALENDAR.replace("2026", "2029"), calendar_dates_txt=None)
    assert (feed.first_day, feed.last_day) == (None, None)


def test_search_text_holds_names_destinations_and_stops_folded() -> None:
    text = line(compiled(), "L1").search
    assert all(word in text for word in ("centro x praia", "mercado", "rodoviaria"))


def test_colours_that_are_none_are_blank() -> None:
    feed = compiled(routes_txt=small.ROUTES.replace("FFFFFF", "0"))
    assert (feed.lines[0].colour, feed.lines[0].text_colour) == ("1351B4", "")


def test_name_of_a_nameless_stop_is_its_id() -> None:
    assert stop(compiled(stops_txt=small.STOPS.replace("Mercado", "")), "M").name == "M"


def test_stored_bytes_hold_everything() -> None:
    feed = compiled()
    for line_ in feed.lines:
        assert pack_line(unpack_line(line_.content)) == line_.content
    for stop_ in feed.stops:
        assert pack_stop(unpack_stop(stop_.content)) == stop_.content
    assert [values[0] for values in unpack(feed.services)] == ["U", "D"]


def test_times_that_begin_at_a_later_stop_say_so() -> None:
    times = small.STOP_TIMES.replace("ida-0700,1,C,07:00:00,07:00:00", "ida-0700,1,C,,").replace(
        "ida-0700,2,M,,", "ida-0700,2,M,07:05:00,07:05:00"
    )
    feed = compiled(stop_times_txt=times)
    there = directions(feed, "L1")[0]
    assert starts(there, WORKDAYS) == [("06:00", ""), ("07:05", "a"), ("25:10", "")]
    (variant,) = list_variants(there)
    assert variant.timed_from == next(i for i, stop in enumerate(feed.stops) if stop.gtfs_id == "M")


def test_hundreds_of_different_ways_do_not_make_hundreds_of_directions() -> None:
    stops = small.STOPS + "".join(f"X{n},,Parada {n},-22.9,-42.8,0,\n" for n in range(80))
    trips = "route_id,service_id,trip_id\n" + "".join(f"L3,U,t{n},\n" for n in range(40))
    times = "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n" + "".join(
        f"t{n},{call},X{2 * n + call},08:00:00,08:00:00\n" for n in range(40) for call in range(2)
    )
    feed = compiled(stops_txt=stops, trips_txt=trips, stop_times_txt=times, frequencies_txt=None)
    found = directions(feed, "L3")
    assert len(found) <= 12
    assert sum(len(direction.patterns) for direction in found) == 40
    marks = [start.mark for direction in found for start in find_departures(direction, WORKDAYS).starts]
    assert len(marks) == 40
    assert "ab" in marks
