"""A line's map as SVG: its paths, its stops, the names of its ends and a scale; no tiles, no scripts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, radians
from xml.sax.saxutils import escape

from gtfs.interpolation import EARTH_RADIUS_KM

Point = tuple[float, float]
"""Latitude and longitude in degrees."""

SIDE = 760
MARGIN = 40
"""Units of the drawing: the longer side of what is drawn, and the room around it."""
SHORTEST = 200
FINEST = 4
"""Units of a step that is still seen."""
LABEL_LETTERS = 30
DEFAULT_COLOUR = "1351B4"
SCALES_KM = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class Drawing:
    """What is drawn: paths, the places of stops, ends with their names, six digits of colour or blank.

    `straight`: the paths only join the stops, and are dashed.
    """

    title: str
    paths: tuple[tuple[Point, ...], ...]
    stops: tuple[Point, ...]
    ends: tuple[tuple[Point, str], ...]
    colour: str = ""
    straight: bool = False


class _Sheet:
    """Turns degrees into units; north is up and a degree of longitude is as long as it is there."""

    def __init__(self, points: Iterable[Point]) -> None:
        latitudes, longitudes = zip(*points, strict=True)
        self.north, self.west = max(latitudes), min(longitudes)
        self.narrowing = cos(radians((self.north + min(latitudes)) / 2))
        height = self.north - min(latitudes)
        width = (max(longitudes) - self.west) * self.narrowing
        self.scale = SIDE / max(height, width, 1e-4)
        self.width = round(max(width * self.scale, SHORTEST)) + 2 * MARGIN
        self.height = round(max(height * self.scale, SHORTEST)) + 2 * MARGIN
        self.left = (self.width - width * self.scale) / 2
        self.top = (self.height - height * self.scale) / 2

    def place(self, point: Point) -> tuple[int, int]:
        latitude, longitude = point
        return (
            round(self.left + (longitude - self.west) * self.narrowing * self.scale),
            round(self.top + (self.north - latitude) * self.scale),
        )

    @property
    def units_per_km(self) -> float:
        return float(self.scale / radians(1) / EARTH_RADIUS_KM)


def draw(drawing: Drawing) -> str:
    """The drawing as SVG; raises ValueError when no place is known."""
    points = [*drawing.stops, *(point for path in drawing.paths for point in path)]
    if not points:
        raise ValueError("nothing to draw")
    sheet = _Sheet(points)
    lines = "".join(_trace(sheet, path) for path in drawing.paths)
    dots = "".join(f"M{x} {y}h0" for x, y in dict.fromkeys(map(sheet.place, drawing.stops)))
    dashes = ' stroke-dasharray="9 7"' if drawing.straight else ""
    round_ends = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width} {sheet.height}" '
        f'width="{sheet.width}" height="{sheet.height}" role="img">',
        f"<title>{escape(drawing.title)}</title>",
        f'<rect width="{sheet.width}" height="{sheet.height}" fill="#f8f6f2"/>',
        f'<path d="{lines}" {round_ends} stroke="#1f1e1c" stroke-width="7"{dashes}/>',
        f'<path d="{lines}" {round_ends} stroke="#{_visible(drawing.colour)}" stroke-width="4"{dashes}/>',
        f'<path d="{dots}" {round_ends} stroke="#1f1e1c" stroke-width="10"/>',
        f'<path d="{dots}" {round_ends} stroke="#fff" stroke-width="6"/>',
        *(_label(sheet, point, name) for point, name in drawing.ends),
        _scale(sheet),
        "</svg>",
    ]
    return "".join(parts)


def _trace(sheet: _Sheet, path: Sequence[Point]) -> str:
    """A path in steps from one point to the next, those too short to see left out but for the last."""
    (x, y), *others = map(sheet.place, path)
    steps = [f"M{x} {y}"]
    for index, (to_x, to_y) in enumerate(others, 1):
        if abs(to_x - x) + abs(to_y - y) >= FINEST or index == len(others):
            steps.append(f"l{to_x - x} {to_y - y}")
            x, y = to_x, to_y
    return "".join(steps)


def _label(sheet: _Sheet, point: Point, name: str) -> str:
    """The name of an end on the side where there is room, with a halo so that it can be read over the path."""
    x, y = sheet.place(point)
    before = x > sheet.width / 2
    text = name if len(name) <= LABEL_LETTERS else f"{name[: LABEL_LETTERS - 1].rstrip()}…"
    return (
        f'<circle cx="{x}" cy="{y}" r="9" fill="#1f1e1c" stroke="#fff" stroke-width="3"/>'
        f'<text x="{x - 16 if before else x + 16}" y="{y + 7}" text-anchor="{"end" if before else "start"}" '
        'font-family="system-ui,sans-serif" font-size="20" font-weight="600" fill="#1f1e1c" '
        f'stroke="#f8f6f2" stroke-width="5" stroke-linejoin="round" paint-order="stroke">{escape(text)}</text>'
    )


def _scale(sheet: _Sheet) -> str:
    """A bar of a round length, at most a quarter of the width."""
    fitting = [km for km in SCALES_KM if km * sheet.units_per_km <= sheet.width / 4]
    km = fitting[-1] if fitting else SCALES_KM[0]
    length, y = round(km * sheet.units_per_km), sheet.height - 14
    words = f"{km:g} km" if km >= 1 else f"{km * 1000:g} m"
    return (
        f'<path d="M12 {y - 6}v6h{length}v-6" fill="none" stroke="#57534e" stroke-width="2"/>'
        f'<text x="{length + 20}" y="{y + 4}" font-family="system-ui,sans-serif" font-size="16" '
        f'fill="#57534e">{words}</text>'
    )


def _visible(colour: str) -> str:
    """The line's colour unless it would be lost on paper."""
    if len(colour) != 6:
        return DEFAULT_COLOUR
    red, green, blue = (int(colour[place : place + 2], 16) for place in (0, 2, 4))
    return colour if 0.299 * red + 0.587 * green + 0.114 * blue < 200 else DEFAULT_COLOUR
