"""Where a stop lies, as people write it: decimals, degrees and minutes, or a link to a map."""

import re
from collections.abc import Sequence
from statistics import median
from urllib.parse import unquote_plus

from gtfs.authoring.distances import Place, measure_km

SOUTH, NORTH, WEST, EAST = -34.0, 6.0, -74.0, -28.0
"""Brazil with its islands, in degrees; whoever writes a stop outside has mixed something up."""

FAR_KM = 40.0
"""A stop further than this from the middle of the others is pointed out."""

_NUMBER = r"[-−–+]?\s?\d{1,3}(?:[.,]\d+)?"
_SIDE = r"[NSLEWOnslewo]"
_ANGLE = (
    rf"(?:(?P<{{0}}a>{_SIDE})\s*)?(?P<{{0}}d>[-−–+]?\s?\d{{{{1,3}}}}(?:[.,]\d+)?)\s*[°º]\s*"
    r"(?:(?P<{0}m>\d{{1,2}}(?:[.,]\d+)?)\s*['’′]\s*)?(?:(?P<{0}s>\d{{1,2}}(?:[.,]\d+)?)\s*(?:\"|”|″|''|’’)\s*)?"
    rf"(?P<{{0}}b>{_SIDE})?"
)
_DEGREES = re.compile(_ANGLE.format("x"))
_PLAIN = re.compile(rf"(?P<a>{_SIDE})?\s*(?P<n>{_NUMBER})\s*(?P<b>{_SIDE})?")
_PAIRS = (
    re.compile(rf"({_NUMBER})\s*[,;\s]\s*({_NUMBER})"),
    re.compile(r"([-−–+]?\d{1,3}\.\d+)\s*,\s*([-−–+]?\d{1,3}\.\d+)"),
)
_IN_LINK = (
    re.compile(r"!3d(-?\d{1,3}\.\d+)!4d(-?\d{1,3}\.\d+)"),
    re.compile(r"[?&#]m?lat=(-?\d{1,3}\.\d+).*?[?&]m?lon=(-?\d{1,3}\.\d+)"),
    re.compile(r"#map=\d+/(-?\d{1,3}\.\d+)/(-?\d{1,3}\.\d+)"),
    re.compile(r"(?:[@=/:]|loc:)\s*(-?\d{1,3}\.\d+),\+?\s*(-?\d{1,3}\.\d+)"),
)


class BadPlace(ValueError):
    """The text is no place; `column` is `latitude`, `longitude` or `coordenadas`, `message` what to do."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(column, message)
        self.column = column
        self.message = message


def read_pair(text: str) -> Place:
    """Both coordinates in one text, or in the address of a map; raises BadPlace."""
    plain = unquote_plus(text).strip().strip("()[]")
    if "://" in plain or plain.startswith("geo:") or "maps" in plain:
        return _check(*_read_link(plain))
    if len(angles := list(_DEGREES.finditer(plain))) == 2:
        return _check(*(_sign(_sum_angle(angle), angle["xa"] or angle["xb"] or "") for angle in angles))
    for pattern in reversed(_PAIRS):
        if match := pattern.fullmatch(plain):
            return _check(_read_number(match[1]), _read_number(match[2]))
    words = "não são coordenadas: escreva latitude e longitude, como -22.9168, -42.8205"
    raise BadPlace("coordenadas", f"{_quote(text)} {words}")


def read_place(latitude: str, longitude: str) -> Place:
    """Two coordinates in two texts; raises BadPlace."""
    return _check(_read_angle(latitude, "latitude"), _read_angle(longitude, "longitude"))


def find_far(place: Place, others: Sequence[Place]) -> float | None:
    """The distance in km from the middle of `others` when it is more than FAR_KM; two others are too few."""
    if len(others) < 3:
        return None
    middle = median(other[0] for other in others), median(other[1] for other in others)
    distance = measure_km(middle, place)
    return distance if distance > FAR_KM else None


def write_place(place: Place) -> str:
    """`-22.916800, -42.820500`."""
    return f"{place[0]:.6f}, {place[1]:.6f}"


def _read_link(text: str) -> Place:
    for pattern in _IN_LINK:
        if match := pattern.search(text):
            return float(match[1]), float(match[2])
    advice = "abra-o, clique com o botão direito no ponto do mapa e copie os dois números que aparecem"
    raise BadPlace("coordenadas", f"o endereço {_quote(text)} não traz as coordenadas: {advice}")


def _read_angle(text: str, name: str) -> float:
    plain = text.strip()
    if match := _DEGREES.fullmatch(plain):
        return _sign(_sum_angle(match), match["xa"] or match["xb"] or "")
    if match := _PLAIN.fullmatch(plain):
        return _sign(_read_number(match["n"]), match["a"] or match["b"] or "")
    example = "-22.9168" if name == "latitude" else "-42.8205"
    if not plain:
        raise BadPlace(name, f"falta a {name}: escreva como {example}")
    raise BadPlace(name, f"{_quote(text)} não é uma {name}: escreva como {example}")


def _read_number(text: str) -> float:
    return float(re.sub(r"\s", "", text).replace(",", ".").replace("−", "-").replace("–", "-"))


def _sum_angle(match: re.Match[str]) -> float:
    degrees = _read_number(match["xd"])
    parts = _read_number(match["xm"] or "0") / 60 + _read_number(match["xs"] or "0") / 3600
    return degrees - parts if degrees < 0 else degrees + parts


def _sign(angle: float, side: str) -> float:
    """South, west and oeste are below zero."""
    return -abs(angle) if side.upper() in ("S", "W", "O") and side else angle


def _check(latitude: float, longitude: float) -> Place:
    """Round to 11 cm; what lies outside Brazil is told by what it would be if two things were mixed up."""
    if _is_inside(latitude, longitude):
        return round(latitude, 6), round(longitude, 6)
    found = f"{latitude:.6g}, {longitude:.6g}"
    for swap, text in ((False, "falta o sinal de menos"), (True, "latitude e longitude estão trocadas")):
        a, b = (longitude, latitude) if swap else (latitude, longitude)
        for place in ((a, b), (-abs(a), -abs(b)), (abs(a), -abs(b))):
            if _is_inside(*place):
                raise BadPlace("coordenadas", f"{found}: parece que {text}; seria {place[0]:.6g}, {place[1]:.6g}?")
    if abs(latitude) > 90:
        raise BadPlace("latitude", f"{latitude:.6g} não existe: vai de -90 a 90; confira a vírgula")
    if abs(longitude) > 180:
        raise BadPlace("longitude", f"{longitude:.6g} não existe: vai de -180 a 180; confira a vírgula")
    raise BadPlace("coordenadas", f"{found} fica fora do Brasil: confira os números")


def _is_inside(latitude: float, longitude: float) -> bool:
    return SOUTH <= latitude <= NORTH and WEST <= longitude <= EAST


def _quote(text: str) -> str:
    return f"«{text if len(text) <= 60 else text[:59] + '…'}»"
