"""Lines and stops of the published version found by words or by place, the same on both databases."""

from datetime import datetime

import pytest
from sqlmodel import col, select

from gtfs.finding import find_lines, find_near, find_stops
from gtfs.importing import Importing, import_feed
from gtfs.published import PublishedFeed, find_published
from gtfs.tables import FeedLine, FeedStop
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import prepare_small
from tests.gtfs.conftest import Town
from web.db import Database


def put(database: Database, town: Town, now: datetime, stops: str = small.STOPS) -> PublishedFeed:
    with database.write() as session:
        import_feed(session, Importing(town.id, prepare_small(stops_txt=stops), "ana", publish=True), now)
    with database.read() as session:
        feed = find_published(session, town.id)
    assert feed is not None
    return feed


@pytest.mark.parametrize(
    ("wanted", "found", "similar"),
    [
        ("", ["1", "2", "3"], False),
        ("praia", ["1"], False),
        ("ITAIPUACU", ["3"], False),
        ("itaipuaçu", ["3"], False),
        ("itaipuasu", ["3"], True),
        ("mercado centro", ["1"], False),
        ("bairro", ["2"], False),
        ("centro", ["1", "2"], False),
        ("linha 2", ["2"], False),
        ("merkado", ["1"], True),
        ("%", [], False),
        ("_", [], False),
        ("nada", [], False),
    ],
)
def test_lines_are_found_by_number_name_stop_and_district(
    database: Database, town: Town, now: datetime, wanted: str, found: list[str], similar: bool
) -> None:
    feed = put(database, town, now)
    with database.read() as session:
        lines = find_lines(session, feed, wanted)
    assert ([line.slug for line in lines.lines], lines.similar) == (found, similar)


@pytest.mark.parametrize(
    ("wanted", "found", "similar"),
    [
        ("", [], False),
        ("mercado", ["Mercado"], False),
        ("103", ["Escola"], False),
        ("parada 103", ["Escola"], False),
        ("praca", ["Praça"], False),
        ("pça", ["Praça"], False),
        ("rodoviaria", ["Rodoviária Centro"], False),
        ("avenida beira mar", ["Praia"], False),
        ("rodovaria", ["Rodoviária Centro"], True),
        ("10", ["Rodoviária Centro", "Mercado", "Escola", "Praia", "Praça", "Bairro Novo"], False),
        ("999", [], False),
    ],
)
def test_stops_are_found_by_name_code_and_street(
    database: Database, town: Town, now: datetime, wanted: str, found: list[str], similar: bool
) -> None:
    header, *rows = small.STOPS.splitlines()
    described = [f"{row},{'Av. Beira-Mar, esquina' if ',Praia,' in row else ''}" for row in rows]
    feed = put(database, town, now, "\n".join((f"{header},stop_desc", *described)))
    with database.read() as session:
        stops = find_stops(session, feed, wanted)
    assert ([stop.name for stop in stops.stops], stops.similar) == (found, similar)


def test_stops_near_a_place_come_by_distance(database: Database, town: Town, now: datetime) -> None:
    feed = put(database, town, now)
    with database.read() as session:
        near = find_near(session, feed, (-22.9210, -42.8200), 1000, 5)
        assert [(found.stop.name, found.metres) for found in near] == [
            ("Rodoviária Centro", 111),
            ("Mercado", 445),
        ]
        assert [found.stop.name for found in find_near(session, feed, (-22.92, -42.82), 9000, 3)] == [
            "Rodoviária Centro",
            "Mercado",
            "Praça",
        ]
        assert find_near(session, feed, (0, 0), 1000, 5) == ()


def test_stop_without_a_place_is_near_nothing(database: Database, town: Town, now: datetime) -> None:
    feed = put(database, town, now, small.STOPS.replace("-22.9250,-42.8200,0", ",,3").replace("M,102", "M,102"))
    with database.read() as session:
        assert "Mercado" not in [found.stop.name for found in find_near(session, feed, (-22.92, -42.82), 9000, 9)]


def test_version_kept_before_there_was_a_search_for_stops_is_searched_by_name_and_code(
    database: Database, town: Town, now: datetime
) -> None:
    feed = put(database, town, now)
    with database.write() as session:
        for stop in session.exec(select(FeedStop).order_by(col(FeedStop.position))).all():
            stop.search = None
            session.add(stop)
        for line in session.exec(select(FeedLine)).all():
            line.search = line.search.replace("\n", " ")
            session.add(line)
    with database.read() as session:
        assert [stop.name for stop in find_stops(session, feed, "104").stops] == ["Praia"]
        assert [line.slug for line in find_lines(session, feed, "mercado").lines] == ["1"]


def test_new_version_is_searched_at_once(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now)
    feed = put(database, town, now, small.STOPS.replace("Mercado", "Feira"))
    with database.read() as session:
        assert find_stops(session, feed, "mercado").stops == ()
        assert [stop.name for stop in find_stops(session, feed, "feira").stops] == ["Feira"]
