"""A sketch made into a feed: valid for the reference validator, the same bytes for the same sketch."""

import csv
import io
import zipfile
from dataclasses import replace
from datetime import date

import pytest

from gtfs.authoring.agency_reading import is_mailbox, is_site
from gtfs.authoring.feed_making import make_feed, name_version
from gtfs.authoring.gaps import has_serious_gaps, list_gaps, list_line_gaps
from gtfs.authoring.line_reading import WayText
from gtfs.authoring.projects import list_items, show_items
from gtfs.authoring.sketch import DayKind, Sketch
from gtfs.checking import check_feed
from tests.gtfs.authoring.sketches import BACK, DAYS, OUT, STOPS, TODAY, make_line, make_sketch
from tests.gtfs.validator_oracle import judge

MARICA = "marica-2627-2015"
CIRCLE = WayText("circular", "", "Centro\nPraia 9\nCentro 20", {"sabado": "8h 24:30"})
UNTIMED = (WayText("ida", "", "Centro\nMercado\nPraia"), WayText("volta"))


def rows(feed: bytes, name: str) -> list[dict[str, str]]:
    with zipfile.ZipFile(io.BytesIO(feed)) as archive:
        return list(csv.DictReader(io.StringIO(archive.read(name).decode())))


def descriptions(sketch: Sketch) -> list[str]:
    return [row.get("route_desc", "") for row in rows(make_feed(sketch), "routes.txt")]


def test_a_sketch_of_every_kind_of_line_is_valid() -> None:
    sketch = make_sketch(
        make_line(),
        make_line("V02", "Circular", (CIRCLE,)),
        make_line("V03", "Só nome", ()),
        make_line("V04", "Sem", UNTIMED),
    )
    feed = make_feed(sketch)
    report = check_feed(feed, "x.zip", TODAY)
    assert report.accepted
    assert judge(feed).of("ERROR") == ()


def test_the_same_sketch_gives_the_same_bytes_and_another_one_another_version() -> None:
    sketch = make_sketch()
    assert make_feed(sketch) == make_feed(make_sketch())
    other = make_sketch(make_line(name="Outro nome"))
    assert name_version(sketch) != name_version(other)


def test_a_line_keeps_its_id_when_its_code_changes() -> None:
    line = replace(make_line(), code="V99")
    (row,) = rows(make_feed(make_sketch(line)), "routes.txt")
    assert (row["route_id"], row["route_short_name"]) == ("V01", "V99")


def test_intervals_become_frequencies_and_departures_trips() -> None:
    feed = make_feed(make_sketch())
    assert [row["headway_secs"] for row in rows(feed, "frequencies.txt")] == ["1800"]
    assert {row["trip_id"] for row in rows(feed, "trips.txt")} == {
        "V01-ida-dias-uteis-0600",
        "V01-ida-dias-uteis-0700",
        "V01-ida-sabado-0800",
        "V01-volta-dias-uteis-intervalo",
    }


def test_what_has_no_times_is_said_in_words() -> None:
    unpublished = WayText("ida", "", OUT.stops, {**OUT.times, "domingos-e-feriados": "a publicar"})
    lines = (make_line("V01", "A", UNTIMED), make_line("V02", "B", ()), make_line("V03", "C", (unpublished, BACK)))
    assert descriptions(make_sketch(*lines)) == [
        "Horários a publicar. Passa por: Centro, Mercado, Praia.",
        "Horários a publicar.",
        "Domingos e feriados (ida): horários a publicar.",
    ]


def test_a_line_with_one_way_untimed_says_which() -> None:
    lines = make_line(ways=(OUT, WayText("volta", "", "Praia\nEscola\nCentro")))
    assert descriptions(make_sketch(lines)) == ["Horários da volta a publicar. Passa por: Praia, Escola, Centro."]


@pytest.mark.parametrize(
    ("sketch", "words"),
    [
        (replace(make_sketch(), lines=()), "nenhuma linha"),
        (replace(make_sketch(), stops=()), "nenhuma parada: cadastre as paradas primeiro"),
        (make_sketch(make_line(ways=())), "nenhuma linha tem horários"),
        (replace(make_sketch(), days=replace(DAYS, kinds=())), "nenhum tipo de dia"),
        (
            replace(make_sketch(), days=replace(DAYS, last_day=date(2026, 11, 1))),
            "só até 01/11/2026, que já passou",
        ),
        (make_sketch(make_line(), replace(make_line("V02"), id="V01")), "a mesma identificação"),
        (
            replace(make_sketch(), agency=replace(make_sketch().agency, url="http://localhost/")),
            "o site do órgão, http://localhost/, não existe fora daqui",
        ),
    ],
)
def test_what_keeps_a_feed_from_being_made_is_told(sketch: Sketch, words: str) -> None:
    assert any(words in gap.words and gap.serious for gap in list_gaps(sketch, TODAY))
    assert has_serious_gaps(sketch, TODAY)


def test_a_whole_sketch_lacks_nothing() -> None:
    assert list_gaps(make_sketch(), TODAY) == ()
    assert list_line_gaps(make_line(), make_sketch()) == ()


@pytest.mark.parametrize(
    ("line", "words", "serious"),
    [
        (make_line(ways=()), "sem paradas nem horários", False),
        (
            make_line(ways=(WayText("ida", "", "Centro\nPraia", {"sabado": "8h"}),)),
            "em quantos minutos chega",
            True,
        ),
        (make_line(ways=UNTIMED), "ida: sem horários", False),
        (
            make_line(ways=(WayText("ida", "", OUT.stops, {"sabado": "8h", "dias-uteis": "a definir"}),)),
            "a publicar",
            False,
        ),
    ],
)
def test_what_a_line_lacks_is_told(line: object, words: str, serious: bool) -> None:
    gaps = list_line_gaps(line, make_sketch())  # type: ignore[arg-type]
    assert any(words in gap.words and gap.serious == serious for gap in gaps)


def test_a_stop_or_kind_of_day_that_is_gone_is_told_and_kept_out_of_the_feed() -> None:
    sketch = replace(make_sketch(), stops=STOPS[:2] + STOPS[3:], days=replace(DAYS, kinds=DAYS.kinds[:1]))
    words = [gap.words for gap in list_line_gaps(make_line(), sketch) if gap.serious]
    assert "ida: a parada «escola» não existe mais" in words
    assert "ida: o tipo de dia «sabado» não existe mais" in words
    assert "escola" not in {row["stop_id"] for row in rows(make_feed(sketch), "stop_times.txt")}


def test_two_kinds_of_day_on_one_weekday_are_said_to_add_up() -> None:
    friday = DayKind("sexta", "Sextas", (5,), holidays=False)
    days = replace(DAYS, kinds=(*DAYS.kinds, friday))
    line = make_line()
    way = replace(line.ways[0], times={**line.ways[0].times, "sexta": line.ways[0].times["sabado"]})
    gaps = list_line_gaps(replace(line, ways=(way,)), replace(make_sketch(), days=days))
    assert [gap.words for gap in gaps] == ["ida: às sextas somam-se Dias úteis e Sextas"]


def test_holidays_run_as_the_kind_of_day_that_has_them() -> None:
    sketch = replace(make_sketch(), days=replace(DAYS, holidays=(date(2026, 12, 25), date(2027, 5, 1))))
    changes = {
        (row["service_id"], row["date"], row["exception_type"])
        for row in rows(make_feed(sketch), "calendar_dates.txt")
    }
    assert changes == {
        ("dias-uteis", "20261225", "2"),
        ("domingos-e-feriados", "20261225", "1"),
        ("sabado", "20270501", "2"),
        ("domingos-e-feriados", "20270501", "1"),
    }


def test_the_items_of_the_project_come_from_the_law_and_the_line_answers_what_it_can() -> None:
    shown = {item.key: texts for item, texts in show_items(MARICA, make_line(), make_sketch())}
    assert list(shown) == [item.key for item in list_items(MARICA)]
    assert shown["identification"] == ("V01",)
    assert shown["travel_time"] == ("Ida: 20 min.", "Volta: 20 min.")
    assert shown["terminals"] == ("Centro e Praia",)
    assert shown["timetable"] == (
        "Dias úteis: ida, 2 partidas marcadas; volta, a cada 30 min.",
        "Sábado: ida, 1 partidas marcadas.",
    )
    assert shown["fleet"] == ("Pelo menos 2 veículos, pelo menor intervalo, sem pausas.",)
    assert shown["aim"] == ()


def test_every_item_cites_the_article_it_is_in() -> None:
    assert {item.citation.split(",")[0] for item in list_items(MARICA)} == {"art. 18"}
    assert list_items("canaa-dos-carajas-46-2003") == ()


def test_every_item_of_a_line_without_anything_can_be_shown() -> None:
    assert all(item.key for item, _ in show_items(MARICA, make_line(ways=()), make_sketch()))


@pytest.mark.parametrize(
    ("url", "good"),
    [
        ("https://www.marica.rj.gov.br", True),
        ("http://127.0.0.1:8000/marica/", True),
        ("http://localhost/", False),
        ("https://ept.example/", False),
        ("marica.rj.gov.br", False),
        ("https://a b.com", False),
        ("http://[", False),
        ("", False),
    ],
)
def test_a_site_must_lead_somewhere(url: str, good: bool) -> None:
    assert is_site(url) is good


@pytest.mark.parametrize(
    ("text", "good"), [("ept@marica.rj.gov.br", True), ("a@b", False), ("@b.com", False), ("a..b@c.com", False)]
)
def test_a_mailbox_must_lead_somewhere(text: str, good: bool) -> None:
    assert is_mailbox(text) is good
