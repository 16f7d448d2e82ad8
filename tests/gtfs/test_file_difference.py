"""One file of a feed against a newer one."""

import pytest

from gtfs.archive import Limits
from gtfs.checks.notices import Notices
from gtfs.file_difference import SHOWN, FileDifference, compare_archives, compare_files, difference_from_json
from gtfs.raw import RawTable, empty_table
from gtfs.table_reading import read_table
from tests.gtfs import small_feed as small

STOPS = "stop_id,stop_name\nA,Centro\nB,Praia\n"


def table(text: str, name: str = "stops.txt") -> RawTable:
    return read_table(name, text.encode(), Limits(), Notices()) or empty_table(name)


def compare(after: str, before: str = STOPS, name: str = "stops.txt") -> FileDifference:
    return compare_files(table(before, name), table(after, name))


CASES = {
    "equal": (STOPS, (0, 0, 0)),
    "other order": ("stop_id,stop_name\nB,Praia\nA,Centro\n", (0, 0, 0)),
    "columns in another order": ("stop_name,stop_id\nCentro,A\nPraia,B\n", (0, 0, 0)),
    "one more": (STOPS + "C,Ponte\n", (1, 0, 0)),
    "one less": ("stop_id,stop_name\nA,Centro\n", (0, 1, 0)),
    "renamed": (STOPS.replace("Praia", "Orla"), (0, 0, 1)),
    "everything new": ("stop_id,stop_name\nX,Centro\nY,Praia\n", (2, 2, 0)),
    "only the title left": ("stop_id,stop_name\n", (0, 2, 0)),
}


@pytest.mark.parametrize("case", CASES)
def test_records_are_compared_by_their_key(case: str) -> None:
    after, counts = CASES[case]
    found = compare(after)
    assert (found.added, found.removed, found.changed) == counts
    assert bool(found) == any(counts)


def test_a_change_tells_column_before_and_after() -> None:
    (change,) = compare(STOPS.replace("Praia", "Orla")).shown
    assert (change.kind, change.key, change.values) == ("changed", ("B",), (("stop_name", "Praia", "Orla"),))


def test_columns_that_come_and_go_are_named() -> None:
    found = compare("stop_id,stop_desc\nA,x\nB,y\n")
    assert (found.columns_added, found.columns_removed) == (("stop_desc",), ("stop_name",))


@pytest.mark.parametrize(
    ("before", "after"),
    [("stop_id\nA\nA\n", "stop_id\nA\n"), ("other\n1\n1\n", "other\n1\n")],
    ids=["repeated key", "no key column"],
)
def test_records_without_a_usable_key_are_counted_whole(before: str, after: str) -> None:
    found = compare(after, before)
    assert (found.added, found.removed, found.changed) == (0, 1, 0)


def test_many_changes_are_counted_and_the_first_shown() -> None:
    found = compare("stop_id\n" + "".join(f"{n}\n" for n in range(300)), "stop_id\n")
    assert (found.added, len(found.shown)) == (300, SHOWN)


def test_a_difference_survives_storage() -> None:
    found = compare(STOPS.replace("Praia", "Orla") + "C,Ponte\n")
    assert difference_from_json(found.to_json()) == found


def test_of_two_zips_the_file_that_differs_is_compared() -> None:
    other = small.STOPS.replace("Mercado", "Feira")
    found = compare_archives(small.small_feed(), small.small_feed(stops_txt=other))
    assert found
    assert (found.name, found.changed) == ("stops.txt", 1)
    assert compare_archives(small.small_feed(), small.small_feed()) is None


def test_zips_that_cannot_be_opened_do_not_raise() -> None:
    assert compare_archives(b"", b"no zip") is None
