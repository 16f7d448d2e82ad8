"""How long the paths in shapes.txt are, measured by gtfs_kit."""

from array import array
from collections import Counter
from collections.abc import Set as AbstractSet
from math import isfinite

from gtfs.raw import RawFeed, RawTable
from gtfs.reading import open_feed

_NEEDED = ("shape_pt_lat", "shape_pt_lon", "shape_pt_sequence")


def measure_shapes(feed: RawFeed, wanted: AbstractSet[str]) -> dict[str, float]:
    """Length in km, one decimal, by shape_id; paths that are not `wanted` or cannot be measured are left out."""
    shapes = _choose(feed.table("shapes.txt"), wanted)
    if not len(shapes):
        return {}
    opened = open_feed(RawFeed({shapes.name: shapes}, (shapes.name,)), "shapes")
    try:
        paths = opened.build_geometry_by_shape(use_utm=True)
    except RuntimeError:
        return {}  # pyproj knows no metric projection for that part of the world
    lengths = {str(shape): path.length / 1000 for shape, path in paths.items()}
    return {shape: round(length, 1) for shape, length in lengths.items() if isfinite(length)}


def _choose(table: RawTable, wanted: AbstractSet[str]) -> RawTable:
    """The points of wanted paths: all of them known, and at least two."""
    ids = table.column("shape_id")
    points = Counter(ids)
    broken = {id_ for id_, *cells in zip(ids, *map(table.column, _NEEDED), strict=True) if not all(cells)}
    good = {id_ for id_, count in points.items() if id_ in wanted and count > 1 and id_ not in broken}
    kept = [index for index, id_ in enumerate(ids) if id_ in good]
    columns = {name: [table.column(name)[index] for index in kept] for name in ("shape_id", *_NEEDED)}
    return RawTable(table.name, tuple(columns), columns, array("L", (table.rows[index] for index in kept)))
