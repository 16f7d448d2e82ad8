"""The printable label of a seal: an SVG with sizes in millimetres, the same bytes for the same seal."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from urllib.parse import urlsplit
from xml.sax.saxutils import escape, quoteattr

import segno

from complaints.registry.plates import plate_in_words
from complaints.registry.seal_code import format_code

WIDTH, HEIGHT = 110, 66
"""Millimetres; a QR module is at least one wide, so it can be read from a seat away."""

_QR_BOX = 44
_QUIET_ZONE = 4
_FONT = "Arial, Helvetica, 'Liberation Sans', sans-serif"
_MEAN_LETTER = 0.6
"""Width of a letter of this font over its size, on the wide side."""


@dataclass(frozen=True)
class Label:
    """What is printed: canonical code and plate, the last day of validity, telephones as people write them."""

    title: str
    authority_name: str
    code: str
    plate: str
    valid_until: dt.date
    public_url: str
    phone: str
    sms_number: str | None = None
    demo: bool = False


@dataclass(frozen=True)
class _Line:
    """One line of text: place and size in millimetres; it shrinks to `room`."""

    x: float
    y: float
    size: float
    words: str
    room: float
    bold: bool = False
    fill: str = "#000"

    def __str__(self) -> str:
        size = min(self.size, self.room / (len(self.words) * _MEAN_LETTER))
        weight = ' font-weight="700"' if self.bold else ""
        place = f'x="{self.x:g}" y="{self.y:g}" font-size="{size:.2f}"'
        return f'<text {place}{weight} fill="{self.fill}">{escape(self.words)}</text>'


def draw_label(label: Label) -> str:
    """Draw the label as one SVG document."""
    name = f"{label.title} {format_code(label.code)}, placa {plate_in_words(label.plate)}"
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{HEIGHT}mm"'
            f' viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label={quoteattr(name)} lang="pt-BR"'
            f" font-family={quoteattr(_FONT)}>",
            f"<title>{escape(name)}</title>",
            f'<rect x=".25" y=".25" width="{WIDTH - 0.5}" height="{HEIGHT - 0.5}" rx="2" fill="#fff"'
            ' stroke="#000" stroke-width=".5"/>',
            *_qr(seal_address(label.public_url, label.code)),
            *map(str, _lines(label)),
            "</svg>\n",
        ]
    )


def seal_address(public_url: str, code: str) -> str:
    """The address in the QR code, in capitals: that takes the alphanumeric mode, hence fewer, larger modules."""
    return f"{public_url.rstrip('/')}/S/{code}".upper()


def _lines(label: Label) -> Iterator[_Line]:
    left, room = 49, WIDTH - 52
    name = wrap(label.authority_name, 52, max_lines=2, placeholder="…")
    for place, words in enumerate(name):
        yield _Line(4, 6 + 4 * place, 3.6, words, WIDTH - 8)
    if label.demo:
        yield _Line(left, 13.8, 3.2, "DEMONSTRAÇÃO: sem valor", room, bold=True, fill="#b3211a")
    yield _Line(left, 19.5, 5, label.title.upper(), room, bold=True)
    yield _Line(left, 27, 7.5, format_code(label.code), room, bold=True)
    yield _Line(left, 33.5, 3.6, "Placa", room)
    yield _Line(left, 39.5, 6, plate_in_words(label.plate), room, bold=True)
    yield _Line(left, 46.5, 4.2, f"Válido até {label.valid_until:%d/%m/%Y}", room, bold=True)
    yield _Line(left, 52.5, 3.4, _contact(label), room)
    yield _Line(4, 60.5, 6, urlsplit(label.public_url).netloc, 66, bold=True)
    yield _Line(72, 58.5, 2.8, "Confira se o endereço é este", WIDTH - 75)
    yield _Line(72, 62, 2.8, "e se a placa é a do veículo.", WIDTH - 75)


def _contact(label: Label) -> str:
    if label.sms_number:
        return f"Reclame: SMS {label.sms_number} · tel. {label.phone}"
    return f"Reclame: tel. {label.phone}"


def _qr(address: str) -> Iterator[str]:
    """The code as one path, with its quiet zone, in a square at the left."""
    code = segno.make_qr(address, error="q", boost_error=False)
    modules = code.symbol_size(border=_QUIET_ZONE)[0]
    dark = (
        f"M{column} {row}h1v1h-1z"
        for row, bits in enumerate(code.matrix_iter(border=_QUIET_ZONE))
        for column, bit in enumerate(bits)
        if bit
    )
    scale = _QR_BOX / modules
    yield f'<g transform="translate(3 11) scale({scale:.5f})" shape-rendering="crispEdges">'
    yield f'<rect width="{modules}" height="{modules}" fill="#fff"/><path fill="#000" d="{"".join(dark)}"/></g>'
