"""Where a stop is: the stops around it, and a link that the device's own map opens."""

from urllib.parse import quote

from sqlmodel import Session

from gtfs.published import PublishedFeed, StopEntry
from web.rider.stop_search import StopHit, list_near

AROUND = 400
"""Metres that people walk from one stop to another."""
MOST_AROUND = 8


def list_around(session: Session, feed: PublishedFeed, stop: StopEntry) -> tuple[StopHit, ...]:
    """The stops with departures within AROUND of a stop, the nearest first; none when its place is unknown."""
    if stop.latitude is None or stop.longitude is None:
        return ()
    near = list_near(session, feed, (stop.latitude, stop.longitude), AROUND, MOST_AROUND + 8)
    others = [hit for hit in near if hit.stop.position != stop.position and hit.lines]
    return tuple(others[:MOST_AROUND])


def map_link(stop: StopEntry) -> str:
    """`geo:-22.92,-42.82?q=…` (RFC 5870, with the place's name as map applications read it); else blank."""
    if stop.latitude is None or stop.longitude is None:
        return ""
    place = f"{stop.latitude:.6f},{stop.longitude:.6f}"
    return f"geo:{place}?q={place}({quote(stop.name, safe='')})"
