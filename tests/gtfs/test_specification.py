"""The data file on GTFS agrees with itself and knows what the rules rely on."""

import re

import pytest

from gtfs.specification import (
    CALENDAR_FILES,
    NEEDED_FILES,
    SERVICE,
    FileSpecification,
    key_of,
    load_specification,
)

FILES = load_specification()
TYPES = {"", "date", "time", "timezone", "latitude", "longitude", "integer", "float", "url", "color"}


@pytest.mark.parametrize("file", FILES.values(), ids=lambda file: file.name)
def test_columns_that_a_file_names_are_its_own(file: FileSpecification) -> None:
    named = {*file.key, *file.required, *file.filled, *file.references}
    assert named <= set(file.types)
    assert set(file.filled) <= set(file.required)
    assert file.name.endswith(".txt")


@pytest.mark.parametrize("file", FILES.values(), ids=lambda file: file.name)
def test_types_are_known_and_ranges_go_up(file: FileSpecification) -> None:
    for type_ in set(file.types.values()) - TYPES:
        assert re.fullmatch(r"[0-9]-[0-9]", type_)
        assert type_[0] < type_[2]


@pytest.mark.parametrize("file", FILES.values(), ids=lambda file: file.name)
def test_references_lead_to_the_key_of_another_file(file: FileSpecification) -> None:
    for target in file.references.values():
        assert target == SERVICE or key_of(target) in FILES[target].types


def test_files_pages_are_built_from_are_marked() -> None:
    used = {name for name, file in FILES.items() if file.used}
    assert used == {*NEEDED_FILES, *CALENDAR_FILES, "frequencies.txt", "shapes.txt"}


def test_services_are_known_by_their_id() -> None:
    assert key_of(SERVICE) == "service_id"


def test_columns_are_found_by_type() -> None:
    assert FILES["stops.txt"].columns_of("latitude", "longitude") == ("stop_lat", "stop_lon")
