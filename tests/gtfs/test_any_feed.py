"""Whatever a clerk's spreadsheet does to a feed: it is refused or compiled, and nothing raises."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from gtfs.compiled import unpack, unpack_line, unpack_stop
from gtfs.day_kinds import find_day_kinds
from gtfs.importing import prepare_feed
from gtfs.line_times import find_departures, list_variants, list_way
from gtfs.service_days import service_from_json
from gtfs.timetables import ONE_DAY, intervals_between, next_departures
from tests.gtfs.small_feed import FILES, zip_files

TODAY = date(2026, 11, 30)
MOMENT = datetime(2026, 11, 30, 12, tzinfo=UTC)
WORDS = "0 1 9 -1 1.5 NA C L1 U circular 25:00:00 999:00:00 6h 20261130 00010101 99991231 20260230 -95 é 室 1e5 ١"
CELLS = st.one_of(
    st.sampled_from(["", "\u200b", '"', "a b", "x" * 300, *WORDS.split()]),
    st.text(st.characters(codec="utf-8", exclude_characters='\r\n,"\0'), max_size=6),
)


@st.composite
def spoiled_feeds(draw: st.DrawFn) -> dict[str, str | bytes]:
    """The small feed with some cells overwritten, rows doubled or dropped, columns renamed."""
    files: dict[str, str | bytes] = dict(FILES)
    for name in draw(st.lists(st.sampled_from(sorted(FILES)), min_size=1, max_size=2)):
        rows = [row.split(",") for row in FILES[name].splitlines()]
        for _ in range(draw(st.integers(1, 2))):
            row = draw(st.integers(0, len(rows) - 1))
            column = draw(st.integers(0, len(rows[row]) - 1))
            match draw(st.integers(0, 9)):
                case 0:
                    rows.append(list(rows[row]))
                case 1 if len(rows) > 1:
                    rows.pop(row)
                case 2:
                    rows[row] = rows[row][:column] or [""]
                case _:
                    rows[row][column] = draw(CELLS)
        files[name] = "\n".join(",".join(row) for row in rows)
    return files


@settings(max_examples=150, deadline=None)
@given(spoiled_feeds())
def test_spoiled_feed_is_refused_or_shown_and_nothing_raises(files: dict[str, str | bytes]) -> None:
    prepared = prepare_feed(zip_files(files), "vila.zip", TODAY)
    feed = prepared.compiled
    assert (feed is not None) == prepared.report.accepted
    if feed is None:
        return
    services = [service_from_json(values) for values in unpack(feed.services)]
    for line in feed.lines:
        for direction in unpack_line(line.content):
            assert all(0 <= step.stop < len(feed.stops) for step in list_way(direction))
            list_variants(direction)
            used = {service for pattern in direction.patterns for service in pattern.services}
            if feed.first_day and feed.last_day:
                for kind in find_day_kinds(services, used, TODAY, feed.first_day, feed.last_day):
                    find_departures(direction, kind.services)
    for stop in feed.stops:
        board = unpack_stop(stop.content)
        next_departures(board, services, ZoneInfo(feed.zone), MOMENT, 5)
        intervals_between(board, services, ZoneInfo(feed.zone), MOMENT, MOMENT + ONE_DAY)
