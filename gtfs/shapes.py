"""The paths in shapes.txt as gtfs_kit builds them: how long they are, and simplified for a map."""

from array import array
from collections import Counter
from collections.abc import Set as AbstractSet
from math import isfinite

from gtfs.paths import Path
from gtfs.raw import RawFeed, RawTable
from gtfs.reading import open_feed

_NEEDED = ("shape_pt_lat", "shape_pt_lon", "shape_pt_sequence")
_TOLERANCE = 0.00015
"""Degrees a simplified path may stray: some 15 m, less than a pen's width on a map of a town."""


def measure_shapes(shapes: RawTable, wanted: AbstractSet[str]) -> dict[str, Path]:
    """The paths of shapes.txt by shape_id; those not `wanted` or that cannot be measured are left out."""
    chosen = _choose(shapes, wanted)
    if not len(chosen):
        return {}
    lines = open_feed(RawFeed({chosen.name: chosen}, (chosen.name,)), "shapes").get_shapes(as_gdf=True)
    try:
        lengths = lines.to_crs(lines.estimate_utm_crs()).length / 1000
    except RuntimeError:
        return {}  # pyproj knows no metric projection for that part of the world
    drawn = lines.geometry.simplify(_TOLERANCE)
    return {
        str(shape): Path(round(km, 1), tuple((round(y, 5), round(x, 5)) for x, y in line.coords))
        for shape, km, line in zip(lines["shape_id"], lengths, drawn, strict=True)
        if isfinite(km)
    }


def _choose(table: RawTable, wanted: AbstractSet[str]) -> RawTable:
    """The points of wanted paths: all of them known, and at least two."""
    ids = table.column("shape_id")
    points = Counter(ids)
    broken = {id_ for id_, *cells in zip(ids, *map(table.column, _NEEDED), strict=True) if not all(cells)}
    good = {id_ for id_, count in points.items() if id_ in wanted and count > 1 and id_ not in broken}
    kept = [index for index, id_ in enumerate(ids) if id_ in good]
    columns = {name: [table.column(name)[index] for index in kept] for name in ("shape_id", *_NEEDED)}
    return RawTable(table.name, tuple(columns), columns, array("L", (table.rows[index] for index in kept)))
