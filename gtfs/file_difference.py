"""One file of a feed against a newer one: columns and records that come, go and change."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from gtfs.archive import Limits, open_archive
from gtfs.checks.notices import Notices
from gtfs.raw import RawTable, empty_table
from gtfs.specification import load_specification
from gtfs.table_reading import read_table

SHOWN = 50
"""How many records of each sort are told one by one."""

Record = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordChange:
    """One record: `key` is its primary key (all its values in a file without one).

    `kind` is `added`, `removed` or `changed`; `values` has (column, before, after) of what differs.
    """

    kind: str
    key: Record
    values: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FileDifference:
    """What replacing the file does; counts are of records, `shown` holds the first SHOWN of each kind."""

    name: str
    columns_added: tuple[str, ...]
    columns_removed: tuple[str, ...]
    added: int
    removed: int
    changed: int
    shown: tuple[RecordChange, ...]

    def __bool__(self) -> bool:
        return bool(self.columns_added or self.columns_removed or self.added or self.removed or self.changed)

    def to_json(self) -> dict[str, Any]:
        """Plain values under the names of the fields."""
        return {
            "name": self.name,
            "columns_added": self.columns_added,
            "columns_removed": self.columns_removed,
            "added": self.added,
            "removed": self.removed,
            "changed": self.changed,
            "shown": [[change.kind, change.key, change.values] for change in self.shown],
        }


def difference_from_json(values: Mapping[str, Any]) -> FileDifference:
    """The difference that `to_json` wrote."""
    shown = tuple(
        RecordChange(kind, tuple(key), tuple((column, old, new) for column, old, new in changed))
        for kind, key, changed in values["shown"]
    )
    columns = tuple(values["columns_added"]), tuple(values["columns_removed"])
    return FileDifference(values["name"], *columns, values["added"], values["removed"], values["changed"], shown)


def compare_files(old: RawTable, new: RawTable) -> FileDifference:
    """Compare by primary key where both files have one that is unique, else record by record as a whole."""
    keys = _common_key(old, new)
    added, removed, changed = _compare_keyed(old, new, keys) if keys else _compare_whole(old, new)
    return FileDifference(
        name=new.name,
        columns_added=tuple(column for column in new.header if column not in old),
        columns_removed=tuple(column for column in old.header if column not in new),
        added=len(added),
        removed=len(removed),
        changed=len(changed),
        shown=tuple(chain(*(islice(found, SHOWN) for found in (removed, added, changed)))),
    )


def compare_archives(old: bytes, new: bytes) -> FileDifference | None:
    """What differs between two zips of which one file was replaced; None when all files are equal.

    A file that is text but no GTFS is not compared, nor is one that cannot be read.
    """
    before, after = _members(old), _members(new)
    for name, content in after.items():
        if before.get(name) != content:
            limits, unheard = Limits(), Notices()
            tables = (read_table(name, raw, limits, unheard) for raw in (before.get(name, b""), content))
            was, is_ = (table or empty_table(name) for table in tables)
            return compare_files(was, is_)
    return None


def _members(raw: bytes) -> dict[str, bytes]:
    archive = open_archive(raw, "", Limits(), Notices())
    if archive is None:
        return {}
    with archive:
        return dict(archive.read_files())


Changes = tuple[list[RecordChange], list[RecordChange], list[RecordChange]]


def _common_key(old: RawTable, new: RawTable) -> tuple[str, ...]:
    """The key columns both files have, blank when records of one key repeat or a file has no key."""
    specification = load_specification().get(new.name)
    keys = specification.key if specification else ()
    if not keys or not all(column in table for column in keys for table in (old, new)):
        return ()
    unique = all(len(set(_records(table, keys))) == len(table) for table in (old, new))
    return keys if unique else ()


def _records(table: RawTable, columns: tuple[str, ...]) -> Iterator[Record]:
    return zip(*map(table.column, columns), strict=True)


def _compare_keyed(old: RawTable, new: RawTable, keys: tuple[str, ...]) -> Changes:
    shared = tuple(column for column in old.header if column in new and column not in keys)
    before = _by_key(old, keys, shared)
    after = _by_key(new, keys, shared)
    added = [RecordChange("added", key) for key in after if key not in before]
    removed = [RecordChange("removed", key) for key in before if key not in after]
    changed = [
        RecordChange("changed", key, _differing(shared, before[key], values))
        for key, values in after.items()
        if key in before and before[key] != values
    ]
    return added, removed, changed


def _by_key(table: RawTable, keys: tuple[str, ...], shared: tuple[str, ...]) -> dict[Record, Record]:
    values = _records(table, shared) if shared else (() for _ in range(len(table)))
    return dict(zip(_records(table, keys), values, strict=True))


def _differing(columns: tuple[str, ...], before: Record, after: Record) -> tuple[tuple[str, str, str], ...]:
    return tuple((column, old, new) for column, old, new in zip(columns, before, after, strict=True) if old != new)


def _compare_whole(old: RawTable, new: RawTable) -> Changes:
    columns = tuple(dict.fromkeys((*old.header, *new.header)))
    if not columns:
        return [], [], []
    before, after = Counter(_records(old, columns)), Counter(_records(new, columns))
    added = [RecordChange("added", record) for record in (after - before).elements()]
    removed = [RecordChange("removed", record) for record in (before - after).elements()]
    return added, removed, []
