"""A path of shapes.txt as it is kept: how long it is and its course. Measured in gtfs.shapes."""

from dataclasses import dataclass

SHAPES = "shapes.txt"


@dataclass(frozen=True, slots=True)
class Path:
    """A path of shapes.txt: its length in km with one decimal, and (latitude, longitude) points of its course."""

    km: float
    points: tuple[tuple[float, float], ...]
