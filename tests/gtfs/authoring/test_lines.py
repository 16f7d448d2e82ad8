"""A line as typed: stops by name with minutes, times by kind of day, the way back as the reverse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.authoring.call_reading import StopNames, is_reverse, read_calls, reverse_calls, write_calls
from gtfs.authoring.day_times import DayTimes
from gtfs.authoring.line_reading import LineText, WayText, read_line
from gtfs.authoring.network import Headway
from gtfs.authoring.sketch import SketchCall
from tests.gtfs.authoring.sketches import BACK, DAYS, OUT, STOPS, make_line

NAMES = StopNames(STOPS)


@pytest.mark.parametrize(
    "row", ["Praia 20", "praia; 20", "PRÁIA\t20", "Praia, 20 min", "Praia +20", "Praia; 0:20"]
)
def test_the_minutes_of_a_stop_are_read_however_they_are_written(row: str) -> None:
    calls, faults = read_calls(["Centro", row], NAMES)
    assert (calls, faults) == ((SketchCall("centro", 0), SketchCall("praia", 20)), ())


def test_a_name_that_ends_in_a_number_is_not_taken_apart() -> None:
    calls, faults = read_calls(["Centro", "Rua 128", "", "Praia 30", "Rua 128 35"], NAMES)
    assert [(call.stop, call.minute) for call in calls] == [
        ("centro", 0),
        ("rua-128", None),
        ("praia", 30),
        ("rua-128", 35),
    ]
    assert faults == ()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["Centro", "Mercadinho 5"], "Linha 2, coluna 1: não há parada «Mercadinho»: você quis dizer «Mercado»?"),
        (["Centro", "Xyz", "Praia"], "Linha 2, coluna 1: não há parada «Xyz»: cadastre-a antes em Paradas"),
        (["Centro", "Centro 5"], "Linha 2, coluna 1: «Centro 5» repete a parada da linha anterior"),
        (["Centro 3", "Praia 5"], "Linha 1, coluna 1: a primeira parada é o minuto 0"),
        (["Centro", "Praia 9", "Escola 5"], "Linha 3, coluna 1: o minuto 5 vem depois do minuto 9"),
        (["Centro", "Praia 700"], "Linha 2, coluna 1: 700 minutos passam de 10 horas"),
        (["Centro"], "Linha 1, coluna 1: o caminho precisa de pelo menos duas paradas"),
    ],
)
def test_a_wrong_stop_is_told_by_its_line(rows: list[str], words: str) -> None:
    (fault,) = read_calls(rows, NAMES)[1]
    assert fault.words.startswith(words)


def test_a_way_back_without_stops_is_the_way_out_in_reverse() -> None:
    out, back = make_line().ways
    assert [(call.stop, call.minute) for call in back.calls] == [
        ("praia", 0),
        ("escola", 8),
        ("mercado", None),
        ("centro", 20),
    ]
    assert (out.headsign, back.headsign) == ("Praia", "Centro")
    assert is_reverse(out.calls, back.calls)


def test_times_are_kept_by_kind_of_day() -> None:
    out, back = make_line().ways
    assert dict(out.times) == {"dias-uteis": DayTimes((360, 420)), "sabado": DayTimes((480,))}
    assert dict(back.times) == {"dias-uteis": DayTimes(headways=(Headway(390, 1200, 30),))}


@pytest.mark.parametrize(
    "text", ["igual a dias úteis", "Igual aos dias uteis", "como dias úteis", "mesmo que dias úteis"]
)
def test_the_times_of_another_kind_of_day_are_copied(text: str) -> None:
    way = WayText("ida", "", OUT.stops, {"dias-uteis": "6:00", "sabado": text})
    assert make_line(ways=(way,)).ways[0].times["sabado"] == DayTimes((360,))


def test_a_copy_of_a_copy_is_told() -> None:
    times = {"dias-uteis": "6:00", "sabado": "igual a dias úteis", "domingos-e-feriados": "igual a sábado"}
    _, (fault,) = read_line(LineText("1", "A", "", (WayText("ida", "", OUT.stops, times),)), STOPS, DAYS.kinds)
    assert fault.field == "ida_dia_domingos-e-feriados"
    assert "também é cópia" in fault.message


def test_a_line_may_have_a_name_and_nothing_else() -> None:
    line, faults = read_line(LineText("V06", "Centro x Estância"), STOPS, DAYS.kinds)
    assert (line.id, line.ways, faults) == ("V06", (), ())


def test_a_circular_line_ends_where_it_starts() -> None:
    good = make_line(ways=(WayText("circular", "", "Centro\nPraia 9\nCentro 20", {"sabado": "8h"}),))
    assert good.ways[0].headsign == "Centro x Praia"
    _, (fault,) = read_line(
        LineText("1", "A", "", (WayText("circular", "", "Centro\nPraia 9"),)), STOPS, DAYS.kinds
    )
    assert (fault.field, fault.row) == ("circular_paradas", 2)
    assert "repita a primeira parada no fim" in fault.message


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        (LineText("", "A"), "codigo", "escreva o código"),
        (LineText("V 01", "A"), "codigo", "sem espaço"),
        (LineText("É1", "A"), "codigo", "sem acento"),
        (LineText("x" * 21, "A"), "codigo", "até 20 letras"),
        (LineText("Paradas", "A"), "codigo", "não pode ser código"),
        (LineText("1", ""), "nome", "escreva o nome da linha"),
        (LineText("1", "x" * 121), "nome", "até 120 letras"),
        (LineText("1", "A", "x" * 1001), "descricao", "até 1000 letras"),
        (LineText("1", "A", "", (WayText("ida", "x" * 121, OUT.stops),)), "ida_destino", "até 120 letras"),
        (LineText("1", "A", "", (WayText("ida", "", "", {"sabado": "8h"}),)), "ida_paradas", "mas nenhuma parada"),
        (
            LineText("1", "A", "", (WayText("ida", "", OUT.stops, {"sabado": "8"}),)),
            "ida_dia_sabado",
            "não é uma hora",
        ),
    ],
)
def test_every_fault_names_its_box(text: LineText, field: str, words: str) -> None:
    (fault,) = read_line(text, STOPS, DAYS.kinds)[1]
    assert fault.field == field
    assert words in fault.message


def test_a_line_that_replaces_another_keeps_its_id() -> None:
    old = make_line("V01")
    assert read_line(LineText("V99", "Outro"), STOPS, DAYS.kinds, old)[0].id == "V01"


def test_the_items_of_the_project_are_kept_when_filled_in() -> None:
    text = LineText("1", "A", "", (OUT, BACK), {"aim": "Ligar a praia", "area": ""})
    assert dict(read_line(text, STOPS, DAYS.kinds)[0].project) == {"aim": "Ligar a praia"}


calls = st.lists(
    st.tuples(st.sampled_from([stop.id for stop in STOPS]), st.integers(0, 9), st.booleans()),
    min_size=2,
    max_size=9,
)


@given(calls)
def test_stops_that_are_written_are_read_back(steps: list[tuple[str, int, bool]]) -> None:
    minute, made = 0, [SketchCall(steps[0][0], 0)]
    for stop, gap, told in steps[1:]:
        minute += gap
        if stop != made[-1].stop:
            made.append(SketchCall(stop, minute if told else None))
    if len(made) > 1:
        text = write_calls(made, {stop.id: stop for stop in STOPS})
        assert read_calls(text.split("\n"), NAMES) == (tuple(made), ())
        if made[-1].minute is not None:
            assert reverse_calls(reverse_calls(made)) == tuple(made)
