"""The demonstration networks: honest about what is invented, and as mixed as real ones."""

import re
from collections import Counter
from datetime import date, timedelta

import holidays
import pytest

from tests.web.demo_feeds import TOWNS, column, every_town, services_on, stop_times_by_trip, tables, trips_of
from web.demo.network_reading import list_networks, read_network

# south, west, north, east
BOXES = {
    "canaa-dos-carajas": (-6.75, -50.20, -6.30, -49.55),
    "conceicao-de-macabu": (-22.25, -42.05, -21.95, -41.70),
    "marechal-floriano": (-20.60, -40.90, -20.30, -40.58),
    "marica": (-23.00, -43.07, -22.80, -42.62),
}
TIME_ZONES = dict.fromkeys(TOWNS, "America/Sao_Paulo") | {"canaa-dos-carajas": "America/Belem"}

PRESS_LINES = {
    "Centro x Araçatiba",
    "Centro x Colinas / Pedreiras",
    "Centro x Bairro da Amizade",
    "Centro x Marquês",
    "Centro x Manu Manuela",
    "Centro x Loteamento Estância",
    "Centro x Guaratiba (via Ponte Preta)",
    "Centro x Guaratiba (via Boqueirão)",
    "Centro x Camburi",
    "Centro x Jacaroá",
    "Centro x Pilar (via Ubatiba)",
    "Centro x Caboclo (via Ubatiba)",
    "Barroco x Inoã (via MCMV Itaipuaçu)",
}


def test_the_four_towns_with_lines_have_a_network() -> None:
    assert list_networks() == TOWNS


@every_town
def test_the_agency_and_the_publisher_say_they_are_a_demonstration(town: str) -> None:
    [agency] = tables(town)["agency.txt"]
    [info] = tables(town)["feed_info.txt"]
    assert agency["agency_timezone"] == TIME_ZONES[town]
    assert agency["agency_name"].endswith("(demonstração)")
    assert agency["agency_url"] == f"https://example.org/{town}"
    assert info["feed_publisher_name"].startswith("DEMONSTRAÇÃO, horários inventados")
    assert ("tarifas inventadas" in info["feed_publisher_name"]) == (town != "marica")
    assert info["feed_lang"] == agency["agency_lang"] == "pt-BR"
    assert (info["feed_start_date"], info["feed_end_date"]) == ("20260101", "20271231")


@every_town
def test_every_stop_lies_in_its_town(town: str) -> None:
    south, west, north, east = BOXES[town]
    for stop in tables(town)["stops.txt"]:
        assert south < float(stop["stop_lat"]) < north, stop
        assert west < float(stop["stop_lon"]) < east, stop
        assert "inventada" in stop["stop_desc"]


@every_town
def test_stop_names_are_told_apart(town: str) -> None:
    names = column(town, "stops.txt", "stop_name")
    assert len(names) == len(set(names))


@every_town
def test_every_line_is_a_bus_and_says_what_is_invented(town: str) -> None:
    for route in tables(town)["routes.txt"]:
        assert route["route_type"] == "3"
        assert route["route_id"] == route["route_short_name"]
        assert re.search("inventad|tirado da imprensa", route["route_desc"])


@every_town
def test_holidays_are_the_national_ones_of_two_years(town: str) -> None:
    expected = holidays.country_holidays("BR", years=[2026, 2027])
    assert read_network(town).holidays == tuple(sorted(expected))


@every_town
def test_a_holiday_runs_as_a_sunday_and_any_other_day_as_its_weekday(town: str) -> None:
    network = read_network(town)
    sunday = {"domingos-e-feriados"}
    day = network.first_day
    while day <= network.last_day:
        expected = {service.id for service in network.services if day.isoweekday() in service.weekdays}
        assert services_on(town, day) == (sunday if day in network.holidays else expected), day
        day += timedelta(days=1)


def test_marica_has_every_line_of_the_press_and_only_those_are_called_so() -> None:
    lines = read_network("marica").lines
    assert {line.name for line in lines if line.source == "press"} == PRESS_LINES
    told = {
        row["route_long_name"]
        for row in tables("marica")["routes.txt"]
        if "tirado da imprensa" in row["route_desc"]
    }
    assert told == PRESS_LINES


def test_marica_has_24_numbered_lines() -> None:
    assert column("marica", "routes.txt", "route_short_name") == [f"V{n:02}" for n in range(1, 25)]


@pytest.mark.parametrize(
    "name",
    [
        "Rodoviária do Povo",
        "Terminal de Itaipuaçu",
        "Passarela de Inoã",
        "Barroco",
        "Jacaroá",
        "Praça Agroecológica de Araçatiba",
        "Praça de Guaratiba",
        "Praça de Ponta Negra",
    ],
)
def test_marica_stops_at_the_places_people_know(name: str) -> None:
    assert name in column("marica", "stops.txt", "stop_name")


def test_nobody_pays_in_marica() -> None:
    assert set(column("marica", "fare_attributes.txt", "price")) == {"0.00"}


@pytest.mark.parametrize(("town", "numbers"), [("marica", {"V06", "V12"}), ("marechal-floriano", {"105"})])
def test_some_lines_have_no_published_times(town: str, numbers: set[str]) -> None:
    routes = {row["route_id"]: row["route_desc"] for row in tables(town)["routes.txt"]}
    assert set(routes) - set(column(town, "trips.txt", "route_id")) == numbers
    assert all("Horários a publicar." in routes[number] for number in numbers)


def test_marica_mixes_lines_by_the_clock_by_headway_and_both() -> None:
    headway = set(column("marica", "frequencies.txt", "trip_id"))
    kinds = {
        number: {trip in headway for trip in trips_of("marica", number)}
        for number in column("marica", "routes.txt", "route_id")
    }
    assert Counter(frozenset(kind) for kind in kinds.values()) == {
        frozenset({False}): 18,
        frozenset({True}): 3,
        frozenset({True, False}): 1,
        frozenset(): 2,
    }


@pytest.mark.parametrize(
    ("town", "number", "terminal", "passes"),
    [
        ("marica", "V15", "terminal-itaipuacu", 2),
        ("marica", "V24", "rodoviaria", 3),
        ("marechal-floriano", "104", "centro", 2),
        ("canaa-dos-carajas", "C03", "terminal", 2),
    ],
)
def test_circular_lines_pass_their_terminal_again(town: str, number: str, terminal: str, passes: int) -> None:
    for trip in trips_of(town, number):
        stops = [row["stop_id"] for row in stop_times_by_trip(town)[trip]]
        assert stops.count(terminal) == passes
        assert stops[0] == stops[-1] == terminal


def test_one_line_runs_after_midnight() -> None:
    late = {
        row["trip_id"].split("-")[0] for row in tables("marica")["stop_times.txt"] if row["departure_time"] >= "25"
    }
    assert late == {"V22"}


def test_some_lines_leave_the_times_between_blank() -> None:
    blank = {
        row["trip_id"].split("-")[0] for row in tables("marica")["stop_times.txt"] if not row["departure_time"]
    }
    assert blank == {"V08", "V20"}


def test_the_selective_line_of_canaa_costs_more_than_any_other() -> None:
    prices = {row["fare_id"]: float(row["price"]) for row in tables("canaa-dos-carajas")["fare_attributes.txt"]}
    fares = {row["route_id"]: row["fare_id"] for row in tables("canaa-dos-carajas")["fare_rules.txt"]}
    assert fares["S01"] == "seletivo"
    assert all(prices["seletivo"] > prices[fare] for route, fare in fares.items() if route != "S01")


@pytest.mark.parametrize(
    ("town", "number", "weekdays"),
    [
        ("conceicao-de-macabu", "M4", {1, 3, 5}),
        ("conceicao-de-macabu", "M5", {2, 4}),
        ("canaa-dos-carajas", "R03", {1, 3, 5}),
    ],
)
def test_some_rural_lines_run_only_on_some_weekdays(town: str, number: str, weekdays: set[int]) -> None:
    services = {row["service_id"] for row in tables(town)["trips.txt"] if row["route_id"] == number}
    monday = date(2026, 6, 1)
    week = [monday + timedelta(days=n) for n in range(7)]
    assert {day.isoweekday() for day in week if services & services_on(town, day)} == weekdays
