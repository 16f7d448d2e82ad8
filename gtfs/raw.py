"""A feed as it was written: text in columns, with the row of the file each value stands in."""

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gtfs.clock import parse_time
from gtfs.numbers import parse_integer
from gtfs.specification import CALENDAR_FILES, SERVICE, key_of


@dataclass(frozen=True)
class RawTable:
    """One file. Columns are equally long lists of text, blank for a missing cell, without outer spaces.

    `rows` holds the row number of each record as a spreadsheet shows it: the header is row 1.
    """

    name: str
    header: tuple[str, ...]
    columns: Mapping[str, list[str]]
    rows: "array[int]"

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def column(self, name: str) -> list[str]:
        """The values of a column; all blank when the file has no such column."""
        return self.columns.get(name, self._blank)

    def find_rows(self, column: str, values: set[str]) -> Iterator[tuple[int, str]]:
        """Row number and value of each record whose `column` holds one of `values`."""
        for row, value in zip(self.rows, self.column(column), strict=True):
            if value in values:
                yield row, value

    @cached_property
    def _blank(self) -> list[str]:
        return [""] * len(self)


def empty_table(name: str) -> RawTable:
    """A file without columns and rows, standing for one that is absent."""
    return RawTable(name, (), {}, array("L"))


@dataclass(frozen=True)
class RawFeed:
    """The files of a feed by name (`stops.txt`); `members` names all files of the zip, known or not.

    `areas` has the names in locations.geojson by id.
    """

    tables: Mapping[str, RawTable] = field(default_factory=dict)
    members: tuple[str, ...] = ()
    areas: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, name: object) -> bool:
        return name in self.tables

    def table(self, name: str) -> RawTable:
        """The file of that name; an empty one when the feed has none."""
        return self.tables[name] if name in self.tables else empty_table(name)

    def ids(self, reference: str) -> set[str]:
        """The values of the first key column of a file, or all service ids for SERVICE."""
        if reference not in self._ids:
            files = CALENDAR_FILES if reference == SERVICE else (reference,)
            column = key_of(reference)
            self._ids[reference] = {id_ for file in files for id_ in self.table(file).column(column)}
        return self._ids[reference]

    @cached_property
    def _ids(self) -> dict[str, set[str]]:
        return {}

    @cached_property
    def calls(self) -> dict[str, list[int]]:
        """Records of stop_times.txt (indexes into its columns) by trip_id, in the order of stop_sequence.

        A record whose stop_sequence is no whole number has no place in its trip and is left out.
        """
        table = self.table("stop_times.txt")
        texts = table.column("stop_sequence")
        numbers = {text: parse_integer(text) for text in set(texts)}
        sequence = list(map(numbers.__getitem__, texts))
        found: defaultdict[str, list[int]] = defaultdict(list)
        for index, trip in enumerate(table.column("trip_id")):
            found[trip].append(index)
        found.pop("", None)
        if None in sequence:
            kept = {trip: [call for call in calls if sequence[call] is not None] for trip, calls in found.items()}
            found = defaultdict(list, {trip: calls for trip, calls in kept.items() if calls})
        for records in found.values():
            order = [sequence[index] or 0 for index in records]
            if order != sorted(order):
                records.sort(key=lambda index: sequence[index] or 0)
        return dict(found)

    @cached_property
    def seconds(self) -> Mapping[str, int | None]:
        """Each different text in the time columns of stop_times.txt as seconds; None when unreadable."""
        table = self.table("stop_times.txt")
        texts = {*table.column("arrival_time"), *table.column("departure_time")}
        return {text: parse_time(text) for text in texts}

    @cached_property
    def call_times(self) -> tuple[list[int | None], list[int | None]]:
        """Arrival and departure of each record of stop_times.txt in seconds; None where there is none."""
        table, seconds = self.table("stop_times.txt"), self.seconds
        arrivals, departures = table.column("arrival_time"), table.column("departure_time")
        return list(map(seconds.__getitem__, arrivals)), list(map(seconds.__getitem__, departures))
