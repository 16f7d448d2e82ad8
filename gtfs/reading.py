"""Accepted tables -> gtfs_kit; the only module that knows gtfs_kit."""

from typing import TYPE_CHECKING

from gtfs.numbers import parse_integer, parse_number
from gtfs.raw import RawFeed, RawTable
from gtfs.zip_reading import read_feed as read_feed

if TYPE_CHECKING:
    import gtfs_kit
    import pandas as pd


def load_gtfs_kit() -> None:
    """Load gtfs_kit and all it needs, which takes seconds the first time."""
    import gtfs_kit  # noqa: F401


def open_feed(feed: RawFeed, *names: str) -> "gtfs_kit.Feed":
    """The accepted tables in gtfs_kit's form, distances in km; only those of `names` (`shapes`) if any is given.

    gtfs_kit's own reader takes a stop called "NA" for none and fails on a headway over 32767 seconds or on a
    short row; built from our text columns, with the types it expects but wider integers, it does neither.
    """
    import gtfs_kit
    from gtfs_kit.constants import DTYPES

    frames = {
        table: _frame(feed.table(f"{table}.txt"), types)
        for table, types in DTYPES.items()
        if f"{table}.txt" in feed and (not names or table in names)
    }
    return gtfs_kit.Feed("km", **frames)


def _frame(table: RawTable, types: dict[str, str]) -> "pd.DataFrame":
    """The columns gtfs_kit knows; blank text is a missing value, and so is a number that cannot be read."""
    import pandas as pd

    columns: dict[str, pd.Series] = {}
    for name in [name for name in types if name in table]:
        texts = table.column(name)
        if types[name] == "string":
            columns[name] = pd.Series([text or None for text in texts], dtype="string")
        elif types[name] == "float":
            columns[name] = pd.Series([parse_number(text) for text in texts], dtype="Float64")
        else:
            columns[name] = pd.Series([parse_integer(text) for text in texts], dtype="Int64")
    return pd.DataFrame(columns)
