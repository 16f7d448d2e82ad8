"""A published feed carried into a sketch: what it holds comes back the same, what it cannot hold is told."""

from dataclasses import replace

import pytest

from gtfs.authoring.calendar_carrying import name_days
from gtfs.authoring.carrying import TooBig, carry_feed
from gtfs.authoring.day_times import DayTimes
from gtfs.authoring.feed_making import make_feed
from gtfs.authoring.network import Headway
from gtfs.authoring.sketch import Sketch, SketchLine
from gtfs.checks.notices import Notices
from gtfs.zip_reading import read_feed
from tests.gtfs.authoring.sketches import AGENCY, DAYS, make_line, make_sketch
from tests.gtfs.small_feed import FREQUENCIES, STOPS, TRIPS, small_feed
from web.demo.network_feed import build_feed
from web.demo.network_reading import list_networks, read_network

EMPTY = Sketch(AGENCY, DAYS)


def carry(raw: bytes) -> tuple[Sketch, tuple[str, ...]]:
    return carry_feed(read_feed(raw, "x.zip", Notices()), AGENCY, EMPTY)


def lines(sketch: Sketch) -> dict[str, SketchLine]:
    return {line.code: line for line in sketch.lines}


def test_a_feed_made_here_comes_back_as_it_was() -> None:
    sketch = make_sketch(make_line(), make_line("V02", "Só nome", ()))
    carried, losses = carry(make_feed(sketch))
    assert losses == ()
    assert (carried.lines, carried.agency) == (sketch.lines, sketch.agency)
    assert set(carried.stops) == set(sketch.stops)


@pytest.mark.parametrize("town", list_networks())
def test_the_demonstration_comes_without_its_paths_and_fares_only(town: str) -> None:
    carried, losses = carry(build_feed(read_network(town)))
    assert {words.split("(")[0] for words in losses} == {
        "Os traçados do mapa ",
        "As tarifas de fare_attributes.txt: elas saem dos atos de tarifa.",
        "As tarifas de fare_rules.txt: elas saem dos atos de tarifa.",
    }
    again, more = carry(make_feed(carried))
    assert more == ()
    assert again == replace(carried, days=again.days)
    assert [kind.name for kind in again.days.kinds] == [kind.name for kind in carried.days.kinds]


def test_the_usual_way_of_each_direction_comes_and_the_others_are_told() -> None:
    carried, losses = carry(small_feed())
    line = lines(carried)["1"]
    assert [way.key for way in line.ways] == ["ida", "volta"]
    assert line.ways[0].times["U"] == DayTimes((360, 420))
    assert (
        "Da linha 1, 2 partidas (08:00, 25:10) com outro caminho, outros tempos ou sem paradas conhecidas."
        in losses
    )
    assert lines(carried)["2"].ways[0].key == "circular"
    assert lines(carried)["2"].ways[0].times["U"] == DayTimes(headways=(Headway(300, 540, 20),))
    assert lines(carried)["3"].ways == ()


def test_exact_intervals_become_departures() -> None:
    carried, _ = carry(small_feed(frequencies_txt=FREQUENCIES.replace("1200,0", "3600,1")))
    assert lines(carried)["2"].ways[0].times["U"].departures == (300, 360, 420, 480)


def test_a_holiday_that_is_not_like_the_others_is_told() -> None:
    dates = "service_id,date,exception_type\nU,20261225,2\nD,20261225,1\nD,20261130,1\nU,20270101,2\n"
    carried, losses = carry(small_feed(calendar_dates_txt=dates))
    assert [day.isoformat() for day in carried.days.holidays] == ["2026-12-25"]
    assert "Datas que não são como os outros feriados do arquivo: 30/11/2026, 01/01/2027." in losses


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"stops_txt": STOPS.replace("Mercado", "Escola")}, "Paradas com o mesmo nome ganharam um número"),
        (
            {"trips_txt": TRIPS.replace("L1,U,ida-0600", "L1,X,ida-0600")},
            "Dias que só existem como datas soltas: X.",
        ),
        ({"levels_txt": "level_id,level_index\n1,0\n"}, "O arquivo levels.txt."),
    ],
)
def test_what_the_sketch_cannot_hold_is_told(changes: dict[str, str], words: str) -> None:
    assert any(words in loss for loss in carry(small_feed(**changes))[1])


def test_columns_without_a_place_are_named() -> None:
    assert "De stops.txt, as colunas stop_code, location_type." in carry(small_feed())[1]


def test_a_feed_too_big_for_handwork_is_refused() -> None:
    rows = "".join(f"S{number},,P{number},-22.9,-42.8,0,\n" for number in range(2_001))
    with pytest.raises(TooBig, match="2000 paradas"):
        carry(small_feed(stops_txt=STOPS + rows))


@pytest.mark.parametrize(
    ("weekdays", "holidays", "name"),
    [
        ((1, 2, 3, 4, 5), False, "Dias úteis"),
        ((6,), False, "Sábado"),
        ((7,), True, "Domingos e feriados"),
        ((1, 3, 5), False, "Segunda, Quarta e Sexta"),
        ((1, 2, 3, 4, 5, 6, 7), True, "Todos os dias"),
        ((), True, "Só feriados"),
    ],
)
def test_kinds_of_day_are_named_as_people_do(weekdays: tuple[int, ...], holidays: bool, name: str) -> None:
    assert name_days(weekdays, holidays) == name
