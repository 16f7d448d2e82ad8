"""The timetable as evidence: what the published feed promised where and when somebody complains of, frozen."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta

from sqlmodel import Session

from complaints.authorities.tables import Authority
from complaints.cases.spoken_when import When, read_when
from gtfs.promised import WINDOW, PromisedStop, find_promise
from gtfs.published import LineEntry, PublishedFeed, find_line_by_id, find_published
from web.rider.line_fares import show_line_fares

_MOST = 12
"""Departures kept of one stop; a whole day keeps its first, its last and their number."""


def freeze_promise(
    session: Session, town: Authority, line_id: str | None, place: str, occurred: str, now: datetime
) -> Mapping[str, object] | None:
    """The promise as plain values for a case; None without a line of the feed, a day, or a published feed."""
    feed = find_published(session, town.id) if line_id else None
    when = read_when(occurred, now.astimezone(feed.zone)) if feed else None
    if line_id is None or feed is None or when is None:
        return None
    found = find_line_by_id(session, feed, line_id)
    if found is None:
        return None
    line, directions = found
    start, end = _span(feed, when)
    stops = find_promise(session, feed, line.position, directions, place, start, end)
    return {
        "version": feed.number,
        "sha256": feed.sha256,
        "valid": [day.isoformat() if day else "" for day in (feed.first_day, feed.last_day)],
        "day": when.day.isoformat(),
        "clock": f"{when.clock:%H:%M}" if when.clock else "",
        "span": [f"{moment.astimezone(feed.zone):%H:%M}" for moment in (start, end - timedelta(minutes=1))],
        "stops": [_stop_values(stop, feed, whole=when.clock is None) for stop in stops],
        "fare": _freeze_fare(session, town, feed, line, when),
    }


def _span(feed: PublishedFeed, when: When) -> tuple[datetime, datetime]:
    """Half an hour before and after, or the local day; in UTC, where no clock change shortens a span."""
    if when.clock is None:
        start, end = (datetime.combine(when.day + timedelta(days=days), time(0), feed.zone) for days in (0, 1))
        return start.astimezone(UTC), end.astimezone(UTC)
    moment = datetime.combine(when.day, when.clock, feed.zone).astimezone(UTC)
    return moment - WINDOW, moment + WINDOW + timedelta(minutes=1)


def _stop_values(stop: PromisedStop, feed: PublishedFeed, *, whole: bool) -> dict[str, object]:
    times = [
        [f"{found.at.astimezone(feed.zone):%H:%M}", found.destination, found.estimated]
        for found in stop.departures
    ]
    kept = [times[0], times[-1]] if whole and len(times) > 1 else times[:_MOST]
    return {
        "name": stop.name,
        "given": stop.given,
        "departures": kept,
        "count": len(times),
        "every": [
            [
                f"{found.starts.astimezone(feed.zone):%H:%M}",
                f"{found.ends.astimezone(feed.zone):%H:%M}",
                max(1, round(found.headway / 60)),
                found.destination,
            ]
            for found in stop.intervals[:_MOST]
        ],
        "untimed": stop.untimed,
    }


def _freeze_fare(
    session: Session, town: Authority, feed: PublishedFeed, line: LineEntry, when: When
) -> dict[str, object] | None:
    sheet = show_line_fares(session, town, feed, line, when.day)
    if sheet is None:
        return None
    return {
        "free": sheet.is_free,
        "full": sheet.full,
        "rows": [[row.label, row.pays] for row in sheet.rows],
    }
