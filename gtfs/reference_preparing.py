"""A zip made a reference feed: read, checked, and its departures worked out once. The slow part; no database."""

from datetime import date

from gtfs.archive import Limits
from gtfs.checking import read_and_check
from gtfs.comparable import comparable_of, pack_comparable
from gtfs.compiling import compile_feed
from gtfs.references import PreparedReference


def prepare_reference(raw: bytes, name: str, today: date, limits: Limits | None = None) -> PreparedReference:
    """Read a zip called `name` and work out its departures; takes seconds for a city's feed.

    The reference's own faults only matter where they refuse it, so gtfs-guru is not asked.
    """
    feed, report = read_and_check(raw, name, today, limits)
    departures = pack_comparable(comparable_of(compile_feed(feed))) if report.accepted else None
    return PreparedReference(name, raw, report, departures)
