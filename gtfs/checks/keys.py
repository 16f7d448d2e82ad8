"""Rules about identifiers: each of its own, and every reference to one that exists."""

from collections.abc import Iterator

from gtfs.checks.notices import Finding
from gtfs.raw import RawFeed, RawTable
from gtfs.specification import CALENDAR_FILES, NEEDED_FILES, SERVICE, FileSpecification, key_of, load_specification

REFUSED = ("agency.txt", "stops.txt", "routes.txt", "trips.txt", "shapes.txt", SERVICE)
"""References to these must exist; others (zones, fares, levels) only warn."""

_SERVICE_FILES = " ou ".join(CALENDAR_FILES)


def duplicate_key(feed: RawFeed) -> Iterator[Finding]:
    """The same primary key in two rows; `other` is the first row that has it."""
    for name, table in feed.tables.items():
        yield from _find_duplicates(table, load_specification()[name])


def foreign_key_violation(feed: RawFeed) -> Iterator[Finding]:
    """A reference to an agency, stop, route, trip, service or shape that does not exist."""
    yield from _find_broken(feed, refused=True)


def unknown_reference(feed: RawFeed) -> Iterator[Finding]:
    """A reference to anything else that does not exist."""
    yield from _find_broken(feed, refused=False)


def _find_duplicates(table: RawTable, file: FileSpecification) -> Iterator[Finding]:
    """Rows that leave a required part of the key blank have no key to compare; neither do blank single ids."""
    columns = [column for column in file.key if column in table]
    needed = [column for column in file.key if column in file.required or len(file.key) == 1]
    if not columns or any(column not in table for column in needed):
        return
    if len(set(map(hash, zip(*map(table.column, columns), strict=True)))) == len(table):
        return
    checked = [columns.index(column) for column in needed]
    first: dict[tuple[str, ...], int] = {}
    field = ", ".join(columns)
    for row, key in zip(table.rows, zip(*map(table.column, columns), strict=True), strict=True):
        earlier = first.setdefault(key, row)
        if earlier != row and any(key) and all(key[index] for index in checked):
            yield Finding(table.name, row, field, ", ".join(key), str(earlier))


def _find_broken(feed: RawFeed, refused: bool) -> Iterator[Finding]:
    for name, table in feed.tables.items():
        for column, target in load_specification()[name].references.items():
            if (target in REFUSED) == refused and column in table and _is_readable(feed, target):
                other = _SERVICE_FILES if target == SERVICE else target
                broken = set(table.column(column)) - feed.ids(target) - {""}
                for row, value in table.find_rows(column, broken) if broken else ():
                    yield Finding(name, row, column, value, other)


def _is_readable(feed: RawFeed, target: str) -> bool:
    """A missing or damaged file has a notice of its own, which every reference to it would repeat."""
    if target == SERVICE:
        present = [name for name in CALENDAR_FILES if name in feed.members]
        return bool(present) and all(name in feed and key_of(target) in feed.table(name) for name in present)
    if target in feed.members:
        return target in feed and key_of(target) in feed.table(target)
    return target not in NEEDED_FILES


RULES = (duplicate_key, foreign_key_violation, unknown_reference)
