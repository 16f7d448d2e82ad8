"""Network files: what is read, and how a wrong one is told."""

from dataclasses import FrozenInstanceError

import pytest

from gtfs.authoring.network import Headway
from web.demo.network_reading import parse_network, read_network
from web.demo.network_table import BadNetwork
from web.demo.network_times import BadTimes, read_departures, read_headways

GOOD = """
publisher = "Demonstração"
version = "1"
first_day = 2026-01-01
last_day = 2026-12-31
holidays = [2026-05-01]

[agency]
id = "a"
name = "Autoridade"
url = "https://example.org/a"
time_zone = "America/Sao_Paulo"

[services]
uteis = { weekdays = [1, 2, 3, 4, 5] }
domingo = { weekdays = [7], holidays = true }

[fares]
comum = { cents = 450 }

[stops]
um = ["Um", -22.9, -42.8]
dois = ["Dois", -22.91, -42.81]
tres = ["Três", -22.92, -42.82]

[[lines]]
number = "1"
name = "Um x Três"
source = "invented"
towards = ["Três", "Um"]
stops = ["um 0", "dois", "tres 9"]
[lines.departures]
uteis = ["06:00 07:00", "06:30"]
[lines.headways]
domingo = ["06:00-20:00/30", "06:15-20:15/30"]

[[lines]]
number = "2"
name = "Sem horário"
source = "press"
note = "Nota."
"""


def test_a_line_is_read_there_and_back() -> None:
    line, untimed = parse_network("vila", GOOD).lines
    out, back = line.patterns
    assert (out.key, out.direction, out.headsign) == ("ida", 0, "Três")
    assert (back.key, back.direction, back.headsign) == ("volta", 1, "Um")
    assert [(call.stop.id, call.minute) for call in out.calls] == [("um", 0), ("dois", None), ("tres", 9)]
    assert [(call.stop.id, call.minute) for call in back.calls] == [("tres", 0), ("dois", None), ("um", 9)]
    assert (out.departures, back.departures) == ({"uteis": (360, 420)}, {"uteis": (390,)})
    assert back.headways == {"domingo": (Headway(375, 1215, 30),)}
    assert line.fare.cents == 450
    assert (untimed.patterns, untimed.note) == ((), "Nota.")


def test_the_way_back_mirrors_the_minutes() -> None:
    text = GOOD.replace('"dois"', '"dois 2"')
    _, back = parse_network("vila", text).lines[0].patterns
    assert [call.minute for call in back.calls] == [0, 7, 9]


def test_a_line_towards_one_place_is_circular() -> None:
    text = (
        GOOD.replace('["Três", "Um"]', '["Volta"]')
        .replace('"tres 9"]', '"tres 9", "um 12"]')
        .replace('["06:00 07:00", "06:30"]', '["06:00"]')
        .replace('["06:00-20:00/30", "06:15-20:15/30"]', '["06:00-20:00/30"]')
    )
    [pattern] = parse_network("vila", text).lines[0].patterns
    assert (pattern.key, pattern.direction, pattern.headsign) == ("circular", None, "Volta")


def test_a_network_cannot_be_changed() -> None:
    network = parse_network("vila", GOOD)
    with pytest.raises(FrozenInstanceError):
        network.slug = "outra"  # type: ignore[misc]  # the point of the test
    with pytest.raises(TypeError):
        network.lines[0].patterns[0].departures["x"] = ()  # type: ignore[index]  # the point of the test


@pytest.mark.parametrize(
    ("old", "new", "place", "fault"),
    [
        ('version = "1"', "version = ", "vila.toml", "not TOML"),
        ('version = "1"\n', "", "vila.toml: version", "is missing"),
        ('version = "1"', "version = 1", "vila.toml: version", "must be a str, not 1"),
        ('version = "1"', 'version = "1 "', "vila.toml: version", "blanks"),
        ('version = "1"', 'version = "1"\ncolour = "red"', "vila.toml: colour", "is not known here"),
        ("last_day = 2026", "last_day = 2025", "vila.toml: last_day", "earlier than first_day"),
        ("2026-05-01", "2028-05-01", "vila.toml: holidays", "2028-05-01 outside"),
        ("[2026-05-01]", '["May"]', "vila.toml: holidays", "must be a list of date"),
        ("[2026-05-01]", "2026-05-01", "vila.toml: holidays", "must be a list"),
        ('name = "Autoridade"\n', "", "vila.toml: agency: name", "is missing"),
        ("{ cents = 450 }", "450", "vila.toml: fares: comum", "must be a dict"),
        ("{ cents = 450 }", "{ cents = 4.5 }", "vila.toml: fares: comum: cents", "must be a int, not 4.5"),
        ("{ cents = 450 }", "{ cents = -1 }", "vila.toml: fares: comum: cents", "negative"),
        ("cents = 450 }", "cents = 450 }\nx = { cents = 1 }", "vila.toml: fares", "x never used"),
        ("[1, 2, 3, 4, 5]", "[0]", "vila.toml: services: uteis: weekdays", "1 (Monday) to 7"),
        ("[1, 2, 3, 4, 5]", "[]", "vila.toml: services: uteis: weekdays", "1 (Monday) to 7"),
        ("[fares]", "x = { weekdays = [6] }\n[fares]", "vila.toml: services", "x never used"),
        ('"Um", -22.9', '"Um", -122.9', "vila.toml: stops: um", "out of range"),
        ('"Um", -22.9', '"Um", "-22,9"', "vila.toml: stops: um", "[name, latitude, longitude]"),
        ('"Um", -22.9', '" Um", -22.9', "vila.toml: stops: um", "[name, latitude, longitude]"),
        ("[[lines]]", 'x = ["X", 1.0, 1.0]\n[[lines]]', "vila.toml: stops", "x never used"),
        ('number = "2"', 'number = "1"', "vila.toml: lines", "1 named twice"),
        ('number = "2"\n', "", "vila.toml: lines 2: number", "is missing"),
        ('"invented"', '"rumour"', "vila.toml: lines 1: source", "press, invented"),
        ('"invented"', '"invented"\nfare = "x"', "vila.toml: lines 1: fare", "'x' is not a fare"),
        ('"invented"', '"invented"\ncolor = "x"', "vila.toml: lines 1: color", "is not known here"),
        ('["Três", "Um"]', "[]", "vila.toml: lines 1: towards", "one place (circular) or two"),
        ('["Três", "Um"]', '["Três", ""]', "vila.toml: lines 1: towards", "blanks"),
        ('["Três", "Um"]', '["Volta"]', "vila.toml: lines 1: stops", "end where they start"),
        ('"dois"', '"quatro"', "vila.toml: lines 1: stops", "'quatro' is not a stop"),
        ('"dois"', '"dois x"', "vila.toml: lines 1: stops", "'dois x' must be"),
        ('"dois"', '"um"', "vila.toml: lines 1: stops", "twice in a row"),
        ('"dois"', '"dois 9"', "vila.toml: lines 1: stops", "ascending minutes"),
        ('"um 0"', '"um 1"', "vila.toml: lines 1: stops", "the first at minute 0"),
        ('"tres 9"', '"tres"', "vila.toml: lines 1: stops", "the last with a minute"),
        ("06:00 07:00", "06:00 7", "vila.toml: lines 1: departures: uteis", "«7» não é uma hora"),
        (', "06:30"]', "]", "vila.toml: lines 1: departures: uteis", "must be 2 texts"),
        ('uteis = ["06', 'sabado = ["06', "vila.toml: lines 1: departures: sabado", "not a service"),
        ("20:00/30", "20:00/0", "vila.toml: lines 1: headways: domingo", "pelo menos 1 minuto"),
    ],
)
def test_a_wrong_file_is_told_with_the_place_and_the_fault(old: str, new: str, place: str, fault: str) -> None:
    assert old in GOOD
    with pytest.raises(BadNetwork) as caught:
        parse_network("vila", GOOD.replace(old, new, 1))
    assert caught.value.place == place
    assert fault in caught.value.fault
    assert str(caught.value) == f"{place}: {caught.value.fault}"


def test_stops_without_any_times_are_refused() -> None:
    start, end = GOOD.index("[lines.departures]"), GOOD.index('[[lines]]\nnumber = "2"')
    with pytest.raises(BadNetwork, match="lines 1: stops: are given, but neither departures nor headways"):
        parse_network("vila", GOOD[:start] + GOOD[end:])


def test_a_town_without_lines_has_no_network() -> None:
    with pytest.raises(BadNetwork, match="no such network; there are canaa"):
        read_network("rio-das-ostras")


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("05:30", (330,)),
        ("05:30 25:05", (330, 1505)),
        ("06:00-07:00/20", (360, 380, 400, 420)),
        ("05:00 06:00-06:30/30 23:59", (300, 360, 390, 1439)),
    ],
)
def test_departures_are_single_times_and_spans(text: str, times: tuple[int, ...]) -> None:
    assert read_departures(text) == times


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "one or more"),
        ("5", "«5» não é uma hora"),
        ("05:60", "«05:60» não é uma hora"),
        ("٠٥:30", "não é uma hora"),
        ("07:00 06:00", "ponha em ordem"),
        ("06:00 06:00", "está repetida"),
        ("06:00-07:00", "de quanto em quanto tempo"),
        ("06:00-06:50/20", "não acaba numa partida"),
        ("07:00-06:00/20", "terminar depois de começar"),
        ("a cada 20 min das 06:00 às 07:00", "one or more"),
    ],
)
def test_departures_that_cannot_be_read_are_refused(text: str, words: str) -> None:
    with pytest.raises(BadTimes, match=words):
        read_departures(text)


def test_headways_are_spans_that_may_touch() -> None:
    assert read_headways("05:00-09:00/15 09:00-24:30/30") == (
        Headway(300, 540, 15),
        Headway(540, 1470, 30),
    )


@pytest.mark.parametrize("text", ["", "05:00-09:00/15 08:00-10:00/30", "05:00", "09:00-05:00/10"])
def test_headways_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(BadTimes):
        read_headways(text)
