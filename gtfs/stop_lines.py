"""Which lines leave each of some stops."""

from collections.abc import Collection

from sqlmodel import Session, col, select

from gtfs.compiled import unpack_lines_of
from gtfs.published import LineEntry, PublishedFeed, get_lines
from gtfs.tables import FeedStop


def list_stop_lines(
    session: Session, feed: PublishedFeed, positions: Collection[int]
) -> dict[int, tuple[LineEntry, ...]]:
    """By position of the stop, the lines that leave it in the order of routes.txt."""
    rows = session.exec(
        select(FeedStop.position, FeedStop.content)
        .where(FeedStop.authority_id == feed.authority_id, FeedStop.version_id == feed.version_id)
        .where(col(FeedStop.position).in_(set(positions)))
    ).all()
    found = {position: unpack_lines_of(content) for position, content in rows}
    lines = get_lines(session, feed, {line for at_stop in found.values() for line in at_stop})
    return {position: tuple(lines[line] for line in sorted(at_stop)) for position, at_stop in found.items()}
