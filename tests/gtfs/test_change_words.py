"""What differs, in the words that riders read."""

import pytest

from gtfs.change_words import (
    MOST_CLOCKS,
    name_line_state,
    name_stop_state,
    tell_instead,
    tell_line,
    tell_stop,
)
from gtfs.difference_values import DaySpan, LineChange, Named, NearStop, OtherLine, StopChange, TimesChange
from tests.gtfs.test_differences import PLANTED, compare

TOLD = {
    "a line that has gone": ("termina", ["A linha termina."]),
    "a line that is new": ("começa", ["A linha começa, com horários a publicar."]),
    "a line under another name": (
        "muda: nome",
        ["O nome passa de 3 · Itaipuaçu para 3 · Itaipuaçu Velho."],
    ),
    "a boat instead of a bus": ("muda: veículo", ["O veículo passa de ônibus para barca."]),
    "a line through a new stop": ("muda: caminho", ["Sentido Praia: passa também em Posto."]),
    "a way that ends earlier": (
        "muda: caminho",
        [
            "Sentido Centro: vai até Mercado, e não mais até Rodoviária Centro.",
            "Sentido Centro: deixa de passar em Rodoviária Centro.",
        ],
    ),
    "a direction that has gone": ("muda: caminho", ["Sentido Centro: termina."]),
    "another sign in front": ("muda: caminho", ["O sentido Centro passa a se chamar Rodoviária."]),
    "one more departure": (
        "muda: horários",
        ["Sentido Praia, dias úteis: 4 partidas (eram 3); horários novos: 08:00."],
    ),
    "one departure less": (
        "muda: horários",
        ["Sentido Praia, dias úteis: 2 partidas (eram 3); deixam de sair: 07:00."],
    ),
    "an earlier departure on Sundays": (
        "muda: horários",
        [
            "Sentido Praia, domingos e feriados: a primeira às 07:50 (era às 08:00); a última às 07:50 (era às "
            "08:00); horários novos: 07:50; deixam de sair: 08:00."
        ],
    ),
    "a later arrival on the way": (
        "muda: horários",
        ["Sentido Centro, dias úteis: passam nas paradas em outros horários: 06:30."],
    ),
    "another interval": (
        "muda: horários",
        [
            "Sentido Rodoviária Centro, dias úteis: 16 partidas (eram 12); a última às 08:45 (era às 08:40); "
            "a cada 15 min das 05:00 às 09:00 (era a cada 20 min das 05:00 às 09:00)."
        ],
    ),
}
TOLD_OF_STOPS = {
    "a stop that nobody calls at": ("começa", ["A parada começa."]),
    "a line through a new stop": ("começa", ["A parada começa.", "Passa a parar aqui: 1 · Centro x Praia."]),
    "a stop under another name": ("muda: nome", ["O nome passa de Mercado para Feira."]),
    "a stop with another code": ("muda: número", ["O número da parada passa de 103 para 903."]),
    "a stop 111 metres further": ("muda: lugar", ["A parada muda de lugar: 111 m."]),
    "a stop that has gone": ("termina", ["A parada termina.", "Deixa de parar aqui: 1 · Centro x Praia."]),
}


@pytest.mark.parametrize("change", TOLD)
def test_change_of_a_line_is_told_in_plain_words(change: str) -> None:
    (line,) = compare(**PLANTED[change].files).lines
    assert (name_line_state(line), list(tell_line(line))) == TOLD[change]


@pytest.mark.parametrize("change", TOLD_OF_STOPS)
def test_change_of_a_stop_is_told_in_plain_words(change: str) -> None:
    (stop,) = compare(**PLANTED[change].files).stops
    assert (name_stop_state(stop), list(tell_stop(stop))) == TOLD_OF_STOPS[change]


@pytest.mark.parametrize("change", PLANTED)
def test_every_change_has_a_state_and_a_sentence(change: str) -> None:
    found = compare(**PLANTED[change].files)
    for line in found.lines:
        assert all(sentence.endswith(".") for sentence in tell_line(line))
        assert tell_line(line)
        assert name_line_state(line)
    for stop in found.stops:
        assert tell_stop(stop)
        assert name_stop_state(stop)


def test_many_clocks_are_cut_and_counted() -> None:
    clocks = tuple(range(0, 60 * 60 * (MOST_CLOCKS + 3), 3600))
    span = DaySpan(len(clocks), clocks[0], clocks[-1])
    times = TimesChange("Praia", "Sábados", span, span, new=clocks, dropped=(90600,))
    (sentence,) = tell_line(LineChange("1", "1", times=(times,)))
    assert sentence.startswith("Sentido Praia, sábados: horários novos: 00:00, 01:00,")
    assert "15:00 e mais 3; deixam de sair: 01:10 (depois da meia-noite)." in sentence


def test_what_serves_instead_is_named_with_distance_and_lines() -> None:
    lines = (Named("1", "1 · Centro"), Named("2", "2"))
    stop = StopChange("a", "A", "ends", instead=(NearStop(Named("b", "B"), 120, lines),))
    assert tell_instead(stop) == ("No lugar: B, a 120 m (linhas: 1 · Centro e 2).",)
    line = LineChange("9", "9", "ends", instead=(OtherLine(lines[0], 5, 6),))
    assert tell_instead(line) == ("No lugar: linha 1 · Centro, em 5 das 6 paradas.",)
