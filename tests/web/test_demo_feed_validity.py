"""Every demonstration feed is valid GTFS, and the same bytes every time."""

import hashlib
import io
import os
import re
import subprocess
import sys
import zipfile
from collections import Counter
from itertools import groupby, pairwise

from tests.web.demo_feeds import column, every_town, feed, seconds, stop_times_by_trip, tables

REQUIRED = {
    "agency.txt": "agency_id agency_name agency_url agency_timezone",
    "calendar.txt": "service_id monday tuesday wednesday thursday friday saturday sunday start_date end_date",
    "calendar_dates.txt": "service_id date exception_type",
    "fare_attributes.txt": "fare_id price currency_type payment_method transfers",
    "fare_rules.txt": "fare_id",
    "feed_info.txt": "feed_publisher_name feed_publisher_url feed_lang",
    "frequencies.txt": "trip_id start_time end_time headway_secs",
    "routes.txt": "route_id route_short_name route_long_name route_type",
    "shapes.txt": "shape_id shape_pt_lat shape_pt_lon shape_pt_sequence",
    "stop_times.txt": "trip_id stop_id stop_sequence",
    "stops.txt": "stop_id stop_name stop_lat stop_lon",
    "trips.txt": "route_id service_id trip_id",
}
KEYS = {
    "agency.txt": "agency_id",
    "calendar.txt": "service_id",
    "calendar_dates.txt": "service_id date",
    "fare_attributes.txt": "fare_id",
    "fare_rules.txt": "route_id",
    "frequencies.txt": "trip_id start_time",
    "routes.txt": "route_id",
    "shapes.txt": "shape_id shape_pt_sequence",
    "stop_times.txt": "trip_id stop_sequence",
    "stops.txt": "stop_id",
    "trips.txt": "trip_id",
}
REFERENCES = (
    ("routes.txt", "agency_id", "agency.txt"),
    ("trips.txt", "route_id", "routes.txt"),
    ("trips.txt", "service_id", "calendar.txt"),
    ("trips.txt", "shape_id", "shapes.txt"),
    ("calendar_dates.txt", "service_id", "calendar.txt"),
    ("stop_times.txt", "trip_id", "trips.txt"),
    ("stop_times.txt", "stop_id", "stops.txt"),
    ("frequencies.txt", "trip_id", "trips.txt"),
    ("fare_attributes.txt", "agency_id", "agency.txt"),
    ("fare_rules.txt", "fare_id", "fare_attributes.txt"),
    ("fare_rules.txt", "route_id", "routes.txt"),
)


@every_town
def test_two_processes_build_the_same_bytes(town: str) -> None:
    code = (
        "import sys; from web.demo.network_feed import build_feed;"
        "from web.demo.network_reading import read_network;"
        "sys.stdout.buffer.write(build_feed(read_network(sys.argv[1])))"
    )
    for seed in ("1", "2"):
        built = subprocess.run(
            [sys.executable, "-c", code, town],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        assert hashlib.sha256(built).hexdigest() == hashlib.sha256(feed(town)).hexdigest()


@every_town
def test_the_zip_carries_no_clock_and_has_sorted_members(town: str) -> None:
    with zipfile.ZipFile(io.BytesIO(feed(town))) as archive:
        assert archive.testzip() is None
        assert {member.date_time for member in archive.infolist()} == {(2026, 1, 1, 0, 0, 0)}
        assert archive.namelist() == sorted(archive.namelist())


@every_town
def test_the_zip_is_small(town: str) -> None:
    assert len(feed(town)) < 200_000


@every_town
def test_every_file_has_its_required_columns_filled(town: str) -> None:
    assert set(tables(town)) <= set(REQUIRED)
    for file, rows in tables(town).items():
        assert rows, file
        for name in REQUIRED[file].split():
            assert all(row[name] for row in rows), (file, name)


@every_town
def test_no_cell_has_blanks_around_it(town: str) -> None:
    cells = [cell for rows in tables(town).values() for row in rows for cell in row.values()]
    assert [cell for cell in cells if cell != cell.strip()] == []


@every_town
def test_no_key_comes_twice(town: str) -> None:
    for file, names in KEYS.items():
        if file in tables(town):
            keys = Counter(tuple(row[name] for name in names.split()) for row in tables(town)[file])
            assert max(keys.values()) == 1, (file, keys.most_common(1))


@every_town
def test_every_reference_resolves(town: str) -> None:
    for file, name, target in REFERENCES:
        assert set(column(town, file, name)) <= set(column(town, target, name)), (file, name)


@every_town
def test_every_stop_service_and_shape_is_used(town: str) -> None:
    for file, name, user in (
        ("stops.txt", "stop_id", "stop_times.txt"),
        ("calendar.txt", "service_id", "trips.txt"),
        ("shapes.txt", "shape_id", "trips.txt"),
    ):
        assert set(column(town, file, name)) == set(column(town, user, name))


@every_town
def test_times_ascend_and_both_ends_of_a_trip_have_one(town: str) -> None:
    for calls in stop_times_by_trip(town).values():
        assert [row["stop_sequence"] for row in calls] == [str(n) for n in range(1, len(calls) + 1)]
        assert calls[0]["arrival_time"]
        assert calls[-1]["arrival_time"]
        assert all(row["arrival_time"] == row["departure_time"] for row in calls)
        assert all((row["timepoint"] == "1") == bool(row["arrival_time"]) for row in calls)
        times = [seconds(row["arrival_time"]) for row in calls if row["arrival_time"]]
        assert all(first < second for first, second in pairwise(times))


@every_town
def test_vehicles_go_at_a_speed_a_van_can_go(town: str) -> None:
    for trip, calls in stop_times_by_trip(town).items():
        timed = [row for row in calls if row["arrival_time"]]
        for first, second in pairwise(timed):
            km = float(second["shape_dist_traveled"]) - float(first["shape_dist_traveled"])
            hours = (seconds(second["arrival_time"]) - seconds(first["arrival_time"])) / 3600
            assert 5 < km / hours < 60, (trip, first["stop_id"], second["stop_id"], km / hours)


@every_town
def test_every_shape_passes_the_stops_of_its_trips_in_order(town: str) -> None:
    stops = {row["stop_id"]: (row["stop_lat"], row["stop_lon"]) for row in tables(town)["stops.txt"]}
    shape_of = {row["trip_id"]: row["shape_id"] for row in tables(town)["trips.txt"]}
    shapes = {
        shape: [(row["shape_pt_lat"], row["shape_pt_lon"], row["shape_dist_traveled"]) for row in points]
        for shape, points in groupby(tables(town)["shapes.txt"], key=lambda row: row["shape_id"])
    }
    for trip, calls in stop_times_by_trip(town).items():
        assert shapes[shape_of[trip]] == [(*stops[row["stop_id"]], row["shape_dist_traveled"]) for row in calls], (
            trip
        )


@every_town
def test_directions_go_with_headsigns_and_a_circular_line_has_none(town: str) -> None:
    headsigns: dict[tuple[str, str], set[str]] = {}
    for trip in tables(town)["trips.txt"]:
        headsigns.setdefault((trip["route_id"], trip["direction_id"]), set()).add(trip["trip_headsign"])
    assert all(len(words) == 1 and "" not in words for words in headsigns.values())
    directions: dict[str, set[str]] = {}
    for route, direction in headsigns:
        directions.setdefault(route, set()).add(direction)
    assert all(found in ({"0", "1"}, {""}) for found in directions.values())


@every_town
def test_frequencies_are_inexact_and_their_model_trip_starts_with_them(town: str) -> None:
    calls = stop_times_by_trip(town)
    first: dict[str, str] = {}
    for row in tables(town)["frequencies.txt"]:
        assert row["exact_times"] == "0"
        assert 600 <= int(row["headway_secs"]) <= 3600
        assert seconds(row["start_time"]) < seconds(row["end_time"])
        first.setdefault(row["trip_id"], row["start_time"])
    assert all(calls[trip][0]["departure_time"] == start for trip, start in first.items())


@every_town
def test_every_line_has_exactly_one_fare_in_reais(town: str) -> None:
    assert sorted(column(town, "fare_rules.txt", "route_id")) == sorted(column(town, "routes.txt", "route_id"))
    assert set(column(town, "fare_attributes.txt", "currency_type")) == {"BRL"}
    assert all(re.fullmatch(r"\d+\.\d\d", price) for price in column(town, "fare_attributes.txt", "price"))
