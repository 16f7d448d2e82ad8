"""Tables of text: columns, rows, references, trips in order."""

from array import array

from gtfs.raw import RawFeed, RawTable, empty_table
from gtfs.specification import SERVICE


def table(name: str, **columns: list[str]) -> RawTable:
    count = len(next(iter(columns.values())))
    return RawTable(name, tuple(columns), columns, array("L", range(2, count + 2)))


def feed(*tables: RawTable) -> RawFeed:
    return RawFeed({one.name: one for one in tables}, tuple(one.name for one in tables))


def test_rows_with_a_value_are_found_with_their_number() -> None:
    stops = table("stops.txt", stop_id=["A", "B", "A"])
    assert list(stops.find_rows("stop_id", {"A"})) == [(2, "A"), (4, "A")]
    assert list(stops.find_rows("stop_code", {""})) == [(2, ""), (3, ""), (4, "")]


def test_absent_file_is_an_empty_table() -> None:
    nothing = feed().table("stops.txt")
    assert (len(nothing), nothing.header, nothing.column("stop_id")) == (0, (), [])
    assert "stops.txt" not in feed()
    assert len(empty_table("x.txt")) == 0


def test_file_without_rows_keeps_its_columns() -> None:
    stops = table("stops.txt", stop_id=[])
    assert feed(stops).table("stops.txt") is stops


def test_services_are_those_of_both_calendars() -> None:
    both = feed(table("calendar.txt", service_id=["U"]), table("calendar_dates.txt", service_id=["F", "U"]))
    assert both.ids(SERVICE) == {"U", "F"}
    assert both.ids("stops.txt") == set()


def test_calls_follow_the_sequence_as_numbers() -> None:
    times = table(
        "stop_times.txt",
        trip_id=["b", "a", "a", "a", "", "a"],
        stop_sequence=["1", "10", "9", "x", "1", "+11"],
    )
    assert feed(times).calls == {"b": [0], "a": [2, 1, 5]}
