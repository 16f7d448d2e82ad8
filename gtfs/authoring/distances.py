"""How far places lie apart."""

from math import asin, cos, radians, sin, sqrt

EARTH_RADIUS_KM = 6371.0088

Place = tuple[float, float]
"""(latitude, longitude) in degrees, WGS 84."""


def measure_km(first: Place, second: Place) -> float:
    """Great-circle distance in km (haversine)."""
    south, north = radians(first[0]), radians(second[0])
    width = radians(second[1] - first[1])
    half = sin((north - south) / 2) ** 2 + cos(south) * cos(north) * sin(width / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(sqrt(half))
