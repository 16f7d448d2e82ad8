"""Real feeds, where the folder that holds them is at hand: all are accepted and every line gets its page."""

import pytest

from gtfs.compiled import unpack_line, unpack_stop
from gtfs.importing import PreparedFeed
from tests.gtfs.compiled_feeds import prepare_real
from tests.gtfs.real_feeds import FEEDS

ROUTES = {
    "cairns": 22,
    "donanbus-gtfs-jp": 74,
    "fortaleza-etufor": 14,
    "google-sample-feed-1": 5,
    "hart-tampa": 37,
    "kart-loops-bom": 15,
    "pimampiro-coop": 3,
    "porto-alegre-eptc": 115,
    "rio-grande-ar": 4,
    "sao-paulo-sptrans-sample": 72,
    "transcollines-fares-v2": 8,
    "zakroczym-fares-v2": 3,
}


@pytest.fixture(scope="module", params=sorted(ROUTES))
def prepared(request: pytest.FixtureRequest) -> PreparedFeed:
    return prepare_real(request.param)


def test_real_feed_is_accepted_and_each_route_has_stops_and_times(prepared: PreparedFeed) -> None:
    assert prepared.report.accepted
    assert prepared.compiled is not None
    assert len(prepared.compiled.lines) == ROUTES[prepared.name.removesuffix(".zip")]
    for line in prepared.compiled.lines:
        directions = unpack_line(line.content)
        assert line.has_times
        assert all(direction.label and direction.patterns for direction in directions)
    assert any(unpack_stop(stop.content).departures for stop in prepared.compiled.stops)


def test_list_of_real_feeds_is_whole() -> None:
    assert set(ROUTES) == set(FEEDS)
