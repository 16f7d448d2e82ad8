"""Rules about single values: dates, times, zones, coordinates, numbers, colours, addresses.

A column is judged by its different values first, so that a clean column of half a million rows costs one set.
"""

import re
from collections.abc import Callable, Iterator

from gtfs.checks.notices import Finding
from gtfs.clock import find_zone, parse_date, parse_time
from gtfs.numbers import are_plain, parse_integer, parse_number
from gtfs.raw import RawFeed, RawTable
from gtfs.specification import FileSpecification, load_specification

_COLOR = re.compile(r"[0-9A-Fa-f]{6}")
_URL = re.compile(r"https?://[^\s/]+.*")
_RANGE = re.compile(r"([0-9])-([0-9])")
_EDGES = {"latitude": 90, "longitude": 180}


def invalid_date(feed: RawFeed) -> Iterator[Finding]:
    """A day that cannot be read; blank counts where the column is required."""
    yield from _judge(feed, ("date",), lambda text: parse_date(text) is not None, blank=True)


def invalid_time(feed: RawFeed) -> Iterator[Finding]:
    """A time that cannot be read; blank counts where the column is required."""
    known = feed.seconds
    yield from _judge(
        feed, ("time",), lambda text: (known[text] if text in known else parse_time(text)) is not None, blank=True
    )


def invalid_timezone(feed: RawFeed) -> Iterator[Finding]:
    """A time zone that is not in the tz database; an agency's must be there, and there must be an agency."""
    yield from _judge(feed, ("timezone",), lambda text: find_zone(text) is not None, blank=True)
    if "agency.txt" in feed and not len(feed.table("agency.txt")):
        yield Finding("agency.txt", field="agency_timezone")


def invalid_coordinate(feed: RawFeed) -> Iterator[Finding]:
    """A latitude or longitude that is not a number."""
    for table, column, _, values in _find_coordinates(feed):
        yield from _find(table, column, {text for text in values if parse_number(text) is None})


def number_out_of_range(feed: RawFeed) -> Iterator[Finding]:
    """A latitude beyond 90 or a longitude beyond 180 degrees."""
    for table, column, edge, values in _find_coordinates(feed):
        bad = {text for text in values if not _is_within(edge, text)}
        yield from _find(table, column, bad, other=f"-{edge} a {edge}")


def invalid_integer(feed: RawFeed) -> Iterator[Finding]:
    """A whole number that cannot be read."""
    yield from _judge(feed, ("integer",), lambda text: parse_integer(text) is not None)


def invalid_float(feed: RawFeed) -> Iterator[Finding]:
    """A number that cannot be read, coordinates aside."""
    yield from _judge(feed, ("float",), lambda text: parse_number(text) is not None)


def unexpected_enum_value(feed: RawFeed) -> Iterator[Finding]:
    """A code outside its list."""
    types = {type_ for file in load_specification().values() for type_ in file.types.values()}
    for type_ in sorted(filter(_RANGE.fullmatch, types)):
        low, high = type_.split("-")
        allowed = {str(code) for code in range(int(low), int(high) + 1)}
        yield from _judge(feed, (type_,), allowed.__contains__, other=f"{low} a {high}")


def invalid_color(feed: RawFeed) -> Iterator[Finding]:
    """A colour that is not six hexadecimal digits."""
    yield from _judge(feed, ("color",), lambda text: _COLOR.fullmatch(text) is not None)


def invalid_url(feed: RawFeed) -> Iterator[Finding]:
    """An address that is not a whole one."""
    yield from _judge(feed, ("url",), lambda text: _URL.fullmatch(text) is not None)


def missing_required_field(feed: RawFeed) -> Iterator[Finding]:
    """A blank in a column that every row must fill, dates, times and zones aside."""
    for table, file in _tables(feed):
        for column in file.filled:
            if column in table and file.types.get(column) not in ("date", "time", "timezone"):
                yield from _find(table, column, {""} & set(table.column(column)))


def _judge(
    feed: RawFeed, types: tuple[str, ...], is_good: Callable[[str], bool], other: str = "", blank: bool = False
) -> Iterator[Finding]:
    """Values of columns of these types that are not good; blanks only if asked for and the column is required."""
    for table, file in _tables(feed):
        for column in file.columns_of(*types):
            if column in table:
                values = set(table.column(column))
                if not (blank and column in file.required):
                    values.discard("")
                yield from _find(table, column, {text for text in values if not is_good(text)}, other)


def _find_coordinates(feed: RawFeed) -> Iterator[tuple[RawTable, str, int, set[str]]]:
    """Columns of coordinates that are not good as a whole, with their edge in degrees and their values."""
    for table, file in _tables(feed):
        for type_, edge in _EDGES.items():
            for column in file.columns_of(type_):
                values = set(table.column(column)) - {""}
                if not (are_plain(values) and all(-edge <= number <= edge for number in map(float, values))):
                    yield table, column, edge, values


def _find(table: RawTable, column: str, bad: set[str], other: str = "") -> Iterator[Finding]:
    for row, value in table.find_rows(column, bad) if bad else ():
        yield Finding(table.name, row, column, value, other)


def _tables(feed: RawFeed) -> Iterator[tuple[RawTable, FileSpecification]]:
    for name, table in feed.tables.items():
        yield table, load_specification()[name]


def _is_within(edge: int, text: str) -> bool:
    """What is no number has a notice of its own."""
    number = parse_number(text)
    return number is None or -edge <= number <= edge


RULES = (
    invalid_date,
    invalid_time,
    invalid_timezone,
    invalid_coordinate,
    number_out_of_range,
    invalid_integer,
    invalid_float,
    unexpected_enum_value,
    invalid_color,
    invalid_url,
    missing_required_field,
)
