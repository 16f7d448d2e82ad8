"""What the GTFS standard says of each file: columns and their types, keys, references."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

SERVICE = "service"
"""The reference of a service_id: to calendar.txt or calendar_dates.txt, both count."""

NEEDED_FILES = ("agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt")
CALENDAR_FILES = ("calendar.txt", "calendar_dates.txt")
FLEX_FILES = ("locations.geojson", "location_groups.txt")
"""Zones on demand (GTFS-Flex) may stand in for stops.txt."""


@dataclass(frozen=True, slots=True)
class FileSpecification:
    """One file; `types` maps every column of the standard to its type (blank: text)."""

    name: str
    used: bool
    key: tuple[str, ...]
    required: tuple[str, ...]
    filled: tuple[str, ...]
    types: Mapping[str, str]
    references: Mapping[str, str]

    def columns_of(self, *types: str) -> tuple[str, ...]:
        """The columns of one of the given types."""
        return tuple(name for name, type_ in self.types.items() if type_ in types)


@cache
def load_specification() -> Mapping[str, FileSpecification]:
    """All files of the standard by name, read from `specification.toml` once."""
    text = files("gtfs").joinpath("specification.toml").read_text(encoding="utf-8")
    return {name: _read_file(name, entry) for name, entry in tomllib.loads(text).items()}


def key_of(reference: str) -> str:
    """The column that a reference to `reference` (a file, or SERVICE) names."""
    return "service_id" if reference == SERVICE else load_specification()[reference].key[0]


def _read_file(name: str, entry: Mapping[str, Any]) -> FileSpecification:
    required = tuple(entry["required"])
    types = (column.partition(":") for column in entry["columns"].split())
    return FileSpecification(
        name=name,
        used=bool(entry.get("used", False)),
        key=tuple(entry.get("key", ())),
        required=required,
        filled=tuple(entry.get("filled", required)),
        types={column: type_ for column, _, type_ in types},
        references=entry.get("references", {}),
    )
