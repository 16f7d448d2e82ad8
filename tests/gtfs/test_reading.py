"""Accepted tables in gtfs_kit, without the traps of its own reader."""

from gtfs.checks.notices import Notices
from gtfs.raw import RawFeed
from gtfs.reading import open_feed
from gtfs.shapes import measure_shapes
from gtfs.zip_reading import read_feed
from tests.gtfs import small_feed as small
from tests.gtfs.small_feed import small_feed


def read(**changes: str | bytes | None) -> RawFeed:
    return read_feed(small_feed(**changes), "vila.zip", Notices())


def test_stop_called_na_survives() -> None:
    stops = small.STOPS.replace("M,102", "NA,102")
    opened = open_feed(read(stops_txt=stops))
    assert "NA" in set(opened.stops["stop_id"])


def test_long_headway_and_unreadable_numbers_are_no_obstacle() -> None:
    frequencies = small.FREQUENCIES.replace("1200", "40000")
    trips = small.TRIPS.replace("circular,,0", "circular,,1.5")
    opened = open_feed(read(frequencies_txt=frequencies, trips_txt=trips))
    assert opened.frequencies["headway_secs"].tolist() == [40000]
    assert opened.trips["direction_id"].isna().sum() == 1


def test_gtfs_kit_counts_what_we_read() -> None:
    opened = open_feed(read())
    assert len(opened.stop_times) == small.STOP_TIMES.count("\n") - 1
    assert opened.stop_times["arrival_time"].isna().sum() == 4
    assert opened.get_dates()[0] == "20260101"


def test_only_the_tables_asked_for_are_opened() -> None:
    opened = open_feed(read(), "shapes")
    assert opened.stops is None
    assert len(opened.shapes) == 2


def test_length_of_a_path_is_that_of_a_meridian_arc() -> None:
    assert measure_shapes(read().table("shapes.txt"), {"S1"})["S1"].km == 2.2


def test_unwanted_single_point_and_half_known_paths_are_left_out() -> None:
    shapes = small.SHAPES + "S2,-22.9,-42.8,1\nS3,-22.9,-42.8,1\nS3,,-42.9,2\nS4,-22.9,-42.8,1\nS4,-22.8,-42.8,2\n"
    assert set(measure_shapes(read(shapes_txt=shapes).table("shapes.txt"), {"S1", "S2", "S3"})) == {"S1"}


def test_path_beyond_all_projections_has_no_length() -> None:
    shapes = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nS1,89.9,0,1\nS1,89.95,0,2\n"
    assert measure_shapes(read(shapes_txt=shapes).table("shapes.txt"), {"S1"}) == {}


def test_feed_without_shapes_has_no_lengths() -> None:
    assert measure_shapes(RawFeed().table("shapes.txt"), {"S1"}) == {}
