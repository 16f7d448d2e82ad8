"""Rules about which files and columns a feed has."""

from collections.abc import Iterator

from gtfs.checks.notices import Finding
from gtfs.raw import RawFeed, RawTable
from gtfs.specification import CALENDAR_FILES, FLEX_FILES, NEEDED_FILES, FileSpecification, load_specification


def missing_required_file(feed: RawFeed) -> Iterator[Finding]:
    """A file without which there is nothing to publish; zones on demand may stand in for stops."""
    for name in NEEDED_FILES:
        flexible = name == "stops.txt" and any(file in feed.members for file in FLEX_FILES)
        if name not in feed.members and not flexible:
            yield Finding(name)


def missing_calendar_and_calendar_date_files(feed: RawFeed) -> Iterator[Finding]:
    """Neither file that says on which days there are trips."""
    if not any(name in feed.members for name in CALENDAR_FILES):
        yield Finding("calendar.txt")


def missing_required_column(feed: RawFeed) -> Iterator[Finding]:
    """A column that pages are built from."""
    for table, file in _known(feed):
        if file.used:
            yield from (Finding(table.name, 1, column) for column in file.required if column not in table)


def missing_column_in_unused_file(feed: RawFeed) -> Iterator[Finding]:
    """A required column of a file that no page is built from, such as an older form of a fares file."""
    for table, file in _known(feed):
        if not file.used:
            yield from (Finding(table.name, 1, column) for column in file.required if column not in table)


def unknown_column(feed: RawFeed) -> Iterator[Finding]:
    """A column that is not in the standard."""
    for table, file in _known(feed):
        yield from (Finding(table.name, 1, column) for column in table.header if column not in file.types)


def no_rows(feed: RawFeed) -> Iterator[Finding]:
    """A file with a header and nothing below it."""
    for table, _ in _known(feed):
        if table.header and not len(table):
            yield Finding(table.name)


def _known(feed: RawFeed) -> Iterator[tuple[RawTable, FileSpecification]]:
    for name, table in feed.tables.items():
        yield table, load_specification()[name]


RULES = (
    missing_required_file,
    missing_calendar_and_calendar_date_files,
    missing_required_column,
    missing_column_in_unused_file,
    unknown_column,
    no_rows,
)
