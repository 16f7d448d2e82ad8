"""Next departures of real feeds compared with an oracle that knows no index, no pattern and no profile."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from gtfs.compiled import StopBoard, unpack, unpack_stop
from gtfs.compiled_feed import CompiledFeed
from gtfs.service_days import ServiceDays, service_from_json
from gtfs.timetables import ONE_DAY, departures_between, intervals_between, next_departures
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import compile_real, compile_small
from tests.gtfs.departure_oracle import Oracle, read_oracle
from tests.gtfs.real_feeds import demand_feed

CLOCKS = ((0, 10), (1, 30), (3, 30), (5, 0), (12, 0), (23, 50))


@dataclass(frozen=True)
class Sample:
    """A feed, the days to ask about, and every how many stops to ask."""

    name: str
    days: tuple[tuple[int, int, int], ...]
    step: int


SAMPLES = (
    Sample("cairns", ((2014, 6, 6), (2014, 12, 25)), 1),
    Sample("kart-loops-bom", ((2025, 6, 2), (2025, 3, 9), (2025, 11, 2)), 1),
    Sample("sao-paulo-sptrans-sample", ((2019, 10, 15), (2019, 10, 20)), 4),
    Sample("rio-grande-ar", ((2018, 9, 12), (2018, 12, 8)), 1),
    Sample(
        "zakroczym-fares-v2", ((2026, 3, 28), (2026, 3, 29), (2026, 10, 24), (2026, 10, 25), (2026, 12, 24)), 1
    ),
    Sample("hart-tampa", ((2021, 3, 13), (2021, 3, 14)), 60),
)


@dataclass(frozen=True)
class Judged:
    """A compiled feed with its services unpacked, beside the oracle on the same bytes."""

    feed: CompiledFeed
    services: Sequence[ServiceDays]
    zone: ZoneInfo
    oracle: Oracle

    def routes(self, line: int) -> str:
        return self.feed.lines[line].gtfs_id

    def compare(self, stop: str, board: StopBoard, moment: datetime) -> int:
        """Compare 24 hours at a stop; returns how many departures and intervals were found."""
        until = moment.astimezone(UTC) + ONE_DAY
        found = departures_between(board, self.services, self.zone, moment, until)
        given = sorted((one.at.timestamp(), self.routes(one.line)) for one in found if not one.estimated)
        assert given == self.oracle.departures(stop, moment), (stop, moment)
        spans = intervals_between(board, self.services, self.zone, moment, until)
        shown = sorted(
            (span.starts.timestamp(), span.ends.timestamp(), span.headway, self.routes(span.line))
            for span in spans
            if not span.estimated
        )
        assert shown == self.oracle.intervals(stop, moment), (stop, moment)
        if found:
            assert next_departures(board, self.services, self.zone, moment, 5) == found[:5]
        return len(found) + len(spans)


def judge(raw: bytes, feed: CompiledFeed) -> Judged:
    services = [service_from_json(values) for values in unpack(feed.services)]
    return Judged(feed, services, ZoneInfo(feed.zone), read_oracle(raw))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_departures_of_real_stops_are_those_of_the_oracle(sample: Sample) -> None:
    judged = judge(demand_feed(sample.name), compile_real(sample.name))
    compared = 0
    for stop in judged.feed.stops[:: sample.step]:
        board = unpack_stop(stop.content)
        for year, month, day in sample.days:
            for hour, minute in CLOCKS:
                moment = datetime(year, month, day, hour, minute, tzinfo=judged.zone)
                compared += judged.compare(stop.gtfs_id, board, moment)
    assert compared > 500


@pytest.mark.parametrize("exact", ["0", "1"])
def test_departures_of_our_own_feed_are_those_of_the_oracle(exact: str) -> None:
    frequencies = small.FREQUENCIES.replace("1200,0", f"1200,{exact}")
    raw, feed = compile_small(frequencies_txt=frequencies)
    judged = judge(raw, feed)
    compared = 0
    for stop in judged.feed.stops:
        for day in (1, 4, 5, 6, 24, 25, 26):
            for hour, minute in CLOCKS:
                moment = datetime(2026, 12, day, hour, minute, tzinfo=judged.zone)
                compared += judged.compare(stop.gtfs_id, unpack_stop(stop.content), moment)
    assert compared > 100
