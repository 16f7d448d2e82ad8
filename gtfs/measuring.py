"""The paths of a big feed are measured in a process beside, while this one reads, checks and compiles the rest.

Loading gtfs_kit alone takes as long as all checks of a city's feed.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context

from gtfs.paths import SHAPES, Path
from gtfs.raw import RawFeed
from gtfs.reading import load_gtfs_kit
from gtfs.shapes import measure_shapes

WORTH_IT = 300_000
"""Bytes of a zip from which on a second process saves more than it costs."""

Paths = Callable[[], Mapping[str, Path]]
"""Gives the paths of a feed by shape_id; waits for them when they are not ready."""


@contextmanager
def measuring(size: int) -> Iterator[Executor | None]:
    """A process that makes itself ready while a zip of `size` bytes is read; None where it is not worth it."""
    if size < WORTH_IT or "gtfs_kit" in sys.modules:
        yield None
        return
    pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    try:
        pool.submit(load_gtfs_kit)
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def begin_paths(beside: Executor | None, feed: RawFeed) -> Paths:
    """Begin to measure the paths that trips use: in the process beside, else when they are asked for."""
    shapes = feed.table(SHAPES)
    wanted = frozenset(feed.table("trips.txt").column("shape_id")) - {""}
    if beside is None or not len(shapes):
        return lambda: measure_shapes(shapes, wanted)
    begun = beside.submit(measure_shapes, shapes, wanted)

    def wait() -> Mapping[str, Path]:
        try:
            return begun.result()
        except BrokenProcessPool:
            return measure_shapes(shapes, wanted)

    return wait
