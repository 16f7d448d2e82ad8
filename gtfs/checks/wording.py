"""Rules about texts that riders cannot trust: letters read in the wrong encoding, one number on two lines."""

import re
from collections.abc import Iterator

from gtfs.checks.notices import Finding
from gtfs.folding import fold
from gtfs.raw import RawFeed

READ = {
    "agency.txt": ("agency_name",),
    "stops.txt": ("stop_name", "stop_desc"),
    "routes.txt": ("route_short_name", "route_long_name", "route_desc"),
    "trips.txt": ("trip_headsign", "trip_short_name"),
    "stop_times.txt": ("stop_headsign",),
    "rider_categories.txt": ("rider_category_name",),
    "fare_products.txt": ("fare_product_name",),
}
"""Columns riders read, by file."""

_STRANGE = re.compile("[\\x80-\\U0010ffff]+")


def mojibake(feed: RawFeed) -> Iterator[Finding]:
    """Letters of UTF-8 that were read as Latin-1 or Windows-1252 and written again: `Ã§` for `ç`."""
    for name, columns in READ.items():
        table = feed.table(name)
        for column in columns:
            texts = set(table.column(column)) if column in table else set()
            mended = {text: mend(text) for text in texts if not text.isascii()}
            bad = {text for text, better in mended.items() if better != text}
            for row, text in table.find_rows(column, bad) if bad else ():
                yield Finding(name, row, column, text, mended[text])


def mend(text: str) -> str:
    """The text with what was encoded twice decoded; the same text where nothing was."""
    return _STRANGE.sub(lambda found: _decode(found.group()), text)


def duplicate_line_number(feed: RawFeed) -> Iterator[Finding]:
    """Two lines of one agency and kind of vehicle with the same number; `other` is the row of the first."""
    routes = feed.table("routes.txt")
    columns = (routes.column(name) for name in ("agency_id", "route_type", "route_short_name"))
    first: dict[tuple[str, str, str], int] = {}
    for row, agency, kind, number in zip(routes.rows, *columns, strict=True):
        earlier = first.setdefault((agency, kind, fold(number)), row)
        if number and earlier != row:
            yield Finding(routes.name, row, "route_short_name", number, str(earlier))


def _decode(letters: str) -> str:
    try:
        return b"".join(map(_byte, letters)).decode()
    except UnicodeError:
        return letters


def _byte(letter: str) -> bytes:
    """Windows-1252 leaves five bytes without a letter, which programs then take from Latin-1."""
    try:
        return letter.encode("cp1252")
    except UnicodeEncodeError:
        return letter.encode("latin-1")


RULES = (mojibake, duplicate_line_number)
