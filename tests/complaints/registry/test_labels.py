import re
from dataclasses import replace
from datetime import date
from xml.etree import ElementTree

import pytest
import segno

from complaints.registry.labels import HEIGHT, WIDTH, Label, draw_label, seal_address

SVG = "{http://www.w3.org/2000/svg}"
LABEL = Label(
    title="Selo de vistoria",
    authority_name="Empresa Pública de Transportes de Maricá",
    code="7K2M9PXQV",
    plate="ABC1C34",
    valid_until=date(2027, 11, 30),
    public_url="https://selo.exemplo.rj.gov.br",
    phone="(21) 3731-0000",
    sms_number="27654",
)


def test_a_label_says_everything_a_rider_needs_without_a_camera() -> None:
    words = _texts(draw_label(LABEL))
    assert words == [
        "Empresa Pública de Transportes de Maricá",
        "SELO DE VISTORIA",
        "7K2 M9P XQV",
        "Placa",
        "ABC1C34 (ou ABC-1234)",
        "Válido até 30/11/2027",
        "Reclame: SMS 27654 · tel. (21) 3731-0000",
        "selo.exemplo.rj.gov.br",
        "Confira se o endereço é este",
        "e se a placa é a do veículo.",
    ]


def test_a_town_without_sms_prints_its_telephone_alone() -> None:
    assert "Reclame: tel. (21) 3731-0000" in _texts(draw_label(replace(LABEL, sms_number=None)))


def test_a_demonstration_label_says_that_it_is_worth_nothing() -> None:
    assert "DEMONSTRAÇÃO: sem valor" in _texts(draw_label(replace(LABEL, demo=True)))


def test_the_address_in_the_code_is_in_capitals_and_of_the_smallest_kind() -> None:
    address = seal_address("https://selo.exemplo.rj.gov.br/", "7K2M9PXQV")
    assert address == "HTTPS://SELO.EXEMPLO.RJ.GOV.BR/S/7K2M9PXQV"
    code = segno.make_qr(address, error="q", boost_error=False)
    assert (code.mode, code.version, code.error) == ("alphanumeric", 3, "Q")


@pytest.mark.parametrize(
    "host", ["s.br", "selo.exemplo.rj.gov.br", "transporte.secretaria-municipal.cidade.rj.gov.br"]
)
def test_the_modules_drawn_are_those_of_the_code_and_a_millimetre_wide(host: str) -> None:
    label = replace(LABEL, public_url=f"https://{host}")
    svg = draw_label(label)
    wanted = segno.make_qr(seal_address(label.public_url, label.code), error="q", boost_error=False)
    rows = [list(row) for row in wanted.matrix_iter(border=4)]
    drawn = {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", svg)}
    assert drawn == {(x, y) for y, row in enumerate(rows) for x, bit in enumerate(row) if bit}
    scale = re.search(r"scale\(([\d.]+)\)", svg)
    assert scale is not None
    assert float(scale[1]) >= 0.95


def test_the_label_has_its_size_in_millimetres_and_the_same_bytes_each_time() -> None:
    root = ElementTree.fromstring(draw_label(LABEL))
    assert (root.get("width"), root.get("height")) == (f"{WIDTH}mm", f"{HEIGHT}mm")
    assert draw_label(LABEL) == draw_label(LABEL)


def test_a_name_with_signs_of_markup_stays_text() -> None:
    assert "A & <b>" in _texts(draw_label(replace(LABEL, authority_name="A & <b>", title='"x"')))


def test_long_texts_shrink_and_wrap_to_stay_inside() -> None:
    long = replace(
        LABEL,
        authority_name="Secretaria Municipal de Segurança Pública e Mobilidade Urbana de Conceição de Macabu",
        public_url="https://transporte.secretaria-municipal.conceicao-de-macabu.rj.gov.br",
    )
    root = ElementTree.fromstring(draw_label(long))
    for line in root.iter(f"{SVG}text"):
        size, left = float(line.get("font-size", "0")), float(line.get("x", "0"))
        assert left + 0.6 * size * len(line.text or "") <= WIDTH
    assert " ".join(_texts(draw_label(long))[:2]) == long.authority_name


def _texts(svg: str) -> list[str]:
    return [line.text or "" for line in ElementTree.fromstring(svg).iter(f"{SVG}text")]
