"""What a version changes for riders against the published one, in sentences for the clerk."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from sqlmodel import Session

from gtfs.change_words import name_line_state, name_stop_state, tell_instead, tell_line, tell_stop
from gtfs.changes import compare_versions
from gtfs.difference_values import Differences
from gtfs.publishing import find_published_version
from gtfs.tables import FeedVersion

SHOWN = 60


@dataclass(frozen=True)
class FeedDifference:
    """Lines and stops that change, with what changes; `more` counts those not shown."""

    rows: tuple[tuple[str, tuple[str, ...]], ...]
    more: int


def describe_difference(session: Session, version: FeedVersion, today: date) -> FeedDifference | None:
    """The difference from the published version; None when nothing is published. Takes a second for a big feed."""
    present = find_published_version(session, version.authority_id)
    if present is None or present.id == version.id:
        return None if present is None else FeedDifference((), 0)
    day = max(today, version.publish_on or today)
    rows = list(_tell(compare_versions(session, version.authority_id, present.id, version.id, day)))
    return FeedDifference(tuple(rows[:SHOWN]), max(0, len(rows) - SHOWN))


def _tell(found: Differences) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in found.lines:
        yield f"Linha {line.name}: {name_line_state(line)}", (*tell_line(line), *tell_instead(line))
    for stop in found.stops:
        yield f"Parada {stop.name}: {name_stop_state(stop)}", (*tell_stop(stop), *tell_instead(stop))
