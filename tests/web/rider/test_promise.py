"""The timetable as evidence: what a complaint keeps of the published feed."""

from collections.abc import Mapping
from typing import Any

import pytest
from sqlmodel import select
from starlette.testclient import TestClient

from complaints.cases.history import list_events
from complaints.cases.tables import CaseFile
from gtfs.importing import Importing, import_feed
from tests.conftest import StandingClock
from tests.gtfs.compiled_feeds import prepare_small
from tests.gtfs.conftest import Town, add_town
from tests.web.test_complaint_pages import hidden_key, value_of
from web.services import Services


@pytest.fixture
def town(services: Services, clock: StandingClock) -> Town:
    """Vila with its small feed; it is noon of Monday, 30 November 2026."""
    town = add_town(services.database, "vila", clock())
    with services.database.write() as session:
        import_feed(session, Importing(town.id, prepare_small(), "ana", publish=True), clock())
    return town


def told(client: TestClient, services: Services, town: Town, **fields: str) -> Mapping[str, Any] | None:
    """What the case filed with these fields keeps of the timetable."""
    data = {"envio": hidden_key(client, "/vila/reclamar"), "relato": "Não passou", **fields}
    protocol = value_of(client.post("/vila/reclamar", data=data).text, "protocolo")
    with services.database.read() as session:
        case = session.exec(select(CaseFile).where(CaseFile.protocol == protocol)).one()
        content = list_events(session, town.id, case.id)[0].content
    assert content is not None
    found = content.get("timetable")
    assert found is None or isinstance(found, dict)
    return found


def stops(kept: Mapping[str, Any] | None) -> list[tuple[str, bool, list[list[object]]]]:
    assert kept is not None
    return [(stop["name"], stop["given"], stop["departures"]) for stop in kept["stops"]]


def test_a_named_stop_and_hour_keep_the_departures_half_an_hour_around(
    client: TestClient, services: Services, town: Town
) -> None:
    kept = told(client, services, town, linha="1", quando="hoje 7h30", onde="no ponto do mercado")
    assert kept is not None
    assert (kept["version"], kept["day"], kept["clock"], kept["span"]) == (
        1,
        "2026-11-30",
        "07:30",
        ["07:00", "08:00"],
    )
    assert stops(kept) == [("Mercado", True, [["07:05", "Praia", True]])]


def test_the_edges_of_the_half_hour_count(client: TestClient, services: Services, town: Town) -> None:
    at = {"linha": "1", "onde": "Rodoviária Centro"}
    assert stops(told(client, services, town, **at, quando="hoje 6h30")) == [
        ("Rodoviária Centro", True, [["06:00", "Praia", False], ["07:00", "Praia", False]])
    ]
    assert stops(told(client, services, town, **at, quando="hoje 6h31"))[0][2] == [["07:00", "Praia", False]]


def test_without_a_stop_it_is_where_each_direction_begins(
    client: TestClient, services: Services, town: Town
) -> None:
    found = stops(told(client, services, town, linha="1", quando="hoje 6h30", onde="perto da padaria"))
    assert [(name, given) for name, given, _ in found] == [("Rodoviária Centro", False), ("Praia", False)]
    assert found[1][2] == [["06:30", "Centro", False]]


def test_a_day_alone_keeps_first_last_and_number_and_its_own_kind(
    client: TestClient, services: Services, town: Town
) -> None:
    kept = told(client, services, town, linha="1", quando="domingo", onde="Rodoviária Centro")
    assert stops(kept) == [("Rodoviária Centro", True, [["08:00", "Praia", False]])]
    assert kept is not None
    assert (kept["clock"], kept["stops"][0]["count"]) == ("", 1)


def test_a_line_with_intervals_keeps_them(client: TestClient, services: Services, town: Town) -> None:
    kept = told(client, services, town, linha="2", quando="hoje 8h", onde="Bairro Novo")
    assert kept is not None
    (stop,) = kept["stops"]
    assert [row[2] for row in stop["every"]] == [20]
    assert stop["departures"] == []


def test_nothing_is_kept_where_line_or_day_is_not_known(
    client: TestClient, services: Services, town: Town
) -> None:
    for fields in (
        {"linha": "1"},
        {"linha": "1", "quando": "sempre"},
        {"quando": "hoje 7h"},
        {"linha": "linha do mar", "quando": "hoje 7h"},
    ):
        assert told(client, services, town, **fields) is None


def test_a_new_version_changes_nothing_of_what_was_kept(
    client: TestClient, services: Services, town: Town, clock: StandingClock
) -> None:
    data = {
        "envio": hidden_key(client, "/vila/reclamar"),
        "relato": "Não passou",
        "linha": "1",
        "quando": "hoje 7h",
    }
    first = client.post("/vila/reclamar", data=data).text
    changes = {"stop_times.txt": "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n"}
    with services.database.write() as session:
        import_feed(session, Importing(town.id, prepare_small(**changes), "ana", publish=True), clock())
    again = client.post("/vila/reclamar", data=data).text
    assert value_of(again, "protocolo") == value_of(first, "protocolo")
    assert "O texto mudou" not in again, "what we looked up is nothing that the person said"
