"""Raw bytes of a zip -> tables of text, without anything heavy: pages may read small feeds with it."""

from collections.abc import Callable

from gtfs.archive import Limits, open_archive
from gtfs.checks.notices import Notices
from gtfs.raw import RawFeed, RawTable
from gtfs.table_reading import read_table


def read_feed(
    raw: bytes,
    name: str,
    notices: Notices,
    limits: Limits | None = None,
    on_opened: Callable[[], None] | None = None,
) -> RawFeed:
    """The files of a zip as tables of text. Never raises: every fault goes to `notices`.

    Files that cannot be read are missing from the result; `name` is the zip's own name in the notices. `on_opened`
    is called once the zip is known to keep the limits, before its files are read.
    """
    chosen = limits or Limits()
    archive = open_archive(raw, name, chosen, notices)
    if archive is None:
        return RawFeed()
    if on_opened is not None:
        on_opened()
    tables: dict[str, RawTable] = {}
    with archive:
        for file, content in archive.read_files():
            table = read_table(file, content, chosen, notices)
            if table is not None:
                tables[file] = table
        return RawFeed(tables, archive.members, archive.read_areas())
