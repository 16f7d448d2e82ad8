"""A small sketch to start from: two lines of a town with five stops."""

from datetime import date

from gtfs.authoring.calendar_carrying import ordinary_days
from gtfs.authoring.line_reading import LineText, WayText, read_line
from gtfs.authoring.network import Agency, Stop
from gtfs.authoring.sketch import Sketch, SketchLine

AGENCY = Agency("ept", "EPT", "https://ept.rj.gov.br/", "America/Sao_Paulo")
TODAY = date(2026, 12, 1)
DAYS = ordinary_days(TODAY)
STOPS = tuple(
    Stop(id_, name, round(-22.9 - number / 100, 6), -42.8)
    for number, (id_, name) in enumerate(
        [
            ("centro", "Centro"),
            ("mercado", "Mercado"),
            ("escola", "Escola"),
            ("praia", "Praia"),
            ("rua-128", "Rua 128"),
        ]
    )
)
OUT = WayText("ida", "Praia", "Centro\nMercado\nEscola; 12\nPraia 20", {"dias-uteis": "6:00 7:00", "sabado": "8h"})
BACK = WayText("volta", "", "", {"dias-uteis": "a cada 30 min das 6:30 às 20:00"})


def make_line(
    code: str = "V01", name: str = "Centro x Praia", ways: tuple[WayText, ...] = (OUT, BACK)
) -> SketchLine:
    line, faults = read_line(LineText(code, name, "", ways), STOPS, DAYS.kinds)
    assert faults == ()
    return line


def make_sketch(*lines: SketchLine) -> Sketch:
    return Sketch(AGENCY, DAYS, STOPS, lines or (make_line(),))
