"""Times as clerks type them: every way of writing is read, and every fault says where it is and what to do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.authoring.day_times import MOST_DEPARTURES, DayTimes, read_times, write_times
from gtfs.authoring.network import Headway
from gtfs.authoring.time_words import LAST_HOUR

minutes = st.integers(0, (LAST_HOUR + 1) * 60 - 1)
departures = st.sets(minutes, max_size=40).map(lambda found: tuple(sorted(found)))


@st.composite
def spans(draw: st.DrawFn) -> tuple[Headway, ...]:
    edges = sorted(draw(st.sets(minutes, max_size=8)))
    pairs = zip(edges[::2], edges[1::2], strict=False)
    return tuple(Headway(start, end, draw(st.integers(1, 180))) for start, end in pairs)


@pytest.mark.parametrize(
    "text",
    [
        "05:30 06:10",
        "5:30 6:10",
        "05h30 06h10",
        "5h30min 6h10min",
        "05.30 6.10",
        "0530 0610",
        "05:30:00\t06:10:00",
        "5:30, 6:10",
        "5:30; 6:10;",
        "5h30 e 6h10",
        " 5:30\n\n6:10\n",
    ],
)
def test_a_departure_is_read_however_it_is_written(text: str) -> None:
    assert read_times(text) == (DayTimes((330, 370)), ())


def test_a_full_hour_needs_no_minutes() -> None:
    assert read_times("5h 6 h 7horas")[0].departures == (300, 360, 420)


def test_a_span_with_a_slash_is_a_departure_every_so_many_minutes_with_both_ends() -> None:
    assert read_times("05:30 06:10-07:30/40 8h às 10h/1h")[0].departures == (330, 370, 410, 450, 480, 540, 600)


@pytest.mark.parametrize(
    "text",
    [
        "a cada 15 min das 05:30 às 09:00",
        "A CADA 15 MINUTOS DAS 5h30 ÀS 9h",
        "cada 15 de 5:30 a 9:00",
        "de 15 em 15 minutos entre 5:30 e 9:00",
        "das 5:30 às 9:00 a cada 15 min",
        "5:30 até 9:00, a cada 15'",
        "05:30-09:00 a cada 15 min",
    ],
)
def test_an_interval_is_read_however_it_is_written(text: str) -> None:
    assert read_times(text) == (DayTimes(headways=(Headway(330, 540, 15),)), ())


@pytest.mark.parametrize(
    ("text", "every"), [("1h", 60), ("1 hora", 60), ("2 horas", 120), ("1h30", 90), ("90", 90)]
)
def test_an_interval_may_be_said_in_hours(text: str, every: int) -> None:
    assert read_times(f"a cada {text} das 6h às 20h")[0].headways == (Headway(360, 1200, every),)


def test_departures_and_intervals_go_together() -> None:
    times, faults = read_times("05:00 a cada 20 min das 05:30 às 09:00 10:00")
    assert (times.departures, times.headways, faults) == ((300, 600), (Headway(330, 540, 20),), ())


@pytest.mark.parametrize("text", ["horário a publicar", "Horários a publicar.", "A PUBLICAR", "a definir"])
def test_times_may_be_still_to_be_published(text: str) -> None:
    assert read_times(text) == (DayTimes(unpublished=True), ())


@pytest.mark.parametrize("text", ["", "  \n", "-", "Não circula", "não há"])
def test_a_day_may_be_without_trips(text: str) -> None:
    assert read_times(text) == (DayTimes(), ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5:30 7 8:00", "Linha 1, coluna 6: «7» não é uma hora: escreva como 05:30, 5h30 ou 5h"),
        ("5:30\nsete", "Linha 2, coluna 1: «sete» não é uma hora: escreva como 05:30, 5h30 ou 5h"),
        ("5:99", "Linha 1, coluna 1: «5:99» não é uma hora: escreva como 05:30, 5h30 ou 5h"),
        ("05:30:15", "Linha 1, coluna 1: «05:30:15» não é uma hora: escreva como 05:30, 5h30 ou 5h"),
        ("0660", "Linha 1, coluna 1: «0660» não é uma hora: escreva como 05:30, 5h30 ou 5h"),
        ("6:00 6:00", "Linha 1, coluna 6: «6:00» está repetida: apague uma das duas"),
        ("7:00 6:30", "Linha 1, coluna 6: «6:30» vem depois de 07:00: ponha em ordem"),
        (
            "23:40 0:20",
            "Linha 1, coluna 7: «0:20» vem depois de 23:40: ponha em ordem; "
            "se é depois da meia-noite, escreva 24:20",
        ),
        ("36:00", "Linha 1, coluna 1: «36:00» passa das 35:59: escreva a hora do dia em que a viagem começa"),
        (
            "6:00-8:00",
            "Linha 1, coluna 1: «6:00-8:00» não diz de quanto em quanto tempo: escreva 06:00-20:00/40, "
            "ou a cada 40 min das 06:00 às 20:00",
        ),
        (
            "6:00-6:50/20",
            "Linha 1, coluna 1: «6:00-6:50/20» não acaba numa partida: a última de 20 em 20 minutos é 06:40",
        ),
        (
            "a cada 0 min das 6h às 7h",
            "Linha 1, coluna 1: «a cada 0 min das 6h às 7h» precisa repetir depois de pelo menos 1 minuto",
        ),
        (
            "a cada 9 min das 22h às 1h",
            "Linha 1, coluna 1: «a cada 9 min das 22h às 1h» precisa terminar depois de começar; "
            "depois da meia-noite, escreva 24:30 em vez de 0:30",
        ),
        (
            "a cada 9 min das 6h às 9h\na cada 9 min das 8h às 10h",
            "Linha 2, coluna 1: «a cada 9 min das 8h às 10h» começa antes de acabar o intervalo das 06:00",
        ),
    ],
)
def test_a_fault_says_where_it_is_and_what_to_do(text: str, words: str) -> None:
    assert [fault.words for fault in read_times(text)[1]] == [words]


def test_all_faults_are_told_at_once() -> None:
    assert len(read_times("sete 5:61 8:00 7:00")[1]) == 3


def test_more_departures_than_a_day_holds_are_refused() -> None:
    times, (fault,) = read_times("0:00-35:59/1")
    assert times.departures == ()
    assert f"passa de {MOST_DEPARTURES} partidas" in fault.message


@given(departures, spans())
def test_what_is_written_is_read_back(starts: tuple[int, ...], headways: tuple[Headway, ...]) -> None:
    times = DayTimes(starts, headways)
    assert read_times(write_times(times)) == (times, ())


@given(st.text(alphabet="0123456789:h.-/ ,;\naàscdmine", max_size=60) | st.text(max_size=60))
def test_any_text_is_read_or_told_and_never_lost(text: str) -> None:
    times, faults = read_times(text)
    assert list(times.departures) == sorted(set(times.departures))
    if any(letter.isdigit() for letter in text):
        assert times.timed or faults
    if not faults:
        assert read_times(write_times(times))[0] == times
