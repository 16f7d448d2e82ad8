"""A sketch in the database: part by part, two clerks at once, all changes or none."""

from datetime import UTC, datetime

import pytest

from complaints.authorities.tables import Authority
from gtfs.authoring.keeping import PartChange, SketchChange, StaleSketch, change_sketch, read_sketch
from gtfs.authoring.sketch import AGENCY as AGENCY_PART
from gtfs.authoring.sketch import DAYS as DAYS_PART
from gtfs.authoring.sketch import STOPS as STOPS_PART
from gtfs.authoring.sketch import Sketch
from gtfs.authoring.sketch_json import agency_to_json, days_to_json, line_to_json, stops_to_json
from gtfs.versions import UnknownAuthority
from tests.desk_seeds import CANAA, add_town
from tests.gtfs.authoring.sketches import AGENCY, DAYS, STOPS, make_line
from web.db import Database

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def town(database: Database) -> Authority:
    return add_town(database)


def change(database: Database, town: Authority, *changes: PartChange, by: str = "ana") -> None:
    with database.write() as session:
        change_sketch(session, SketchChange(town.id, changes, by), NOW)


def read(database: Database, town: Authority) -> Sketch:
    with database.read() as session:
        return read_sketch(session, town.id, AGENCY, DAYS)


def test_a_sketch_nobody_has_saved_has_what_it_was_given(database: Database, town: Authority) -> None:
    sketch = read(database, town)
    assert (sketch.agency, sketch.days, sketch.empty, sketch.revision("stops")) == (AGENCY, DAYS, True, 0)


def test_every_part_is_read_back_as_it_was_kept(database: Database, town: Authority) -> None:
    lines = [make_line(code) for code in ("V10", "V9", "V01")]
    change(
        database,
        town,
        PartChange(AGENCY_PART, agency_to_json(AGENCY), 0),
        PartChange(DAYS_PART, days_to_json(DAYS), 0),
        PartChange(STOPS_PART, stops_to_json(STOPS), 0),
        *(PartChange(line.part, line_to_json(line), 0) for line in lines),
    )
    sketch = read(database, town)
    assert [line.code for line in sketch.lines] == ["V01", "V9", "V10"]
    assert sorted(sketch.lines, key=str) == sorted(lines, key=str)
    assert (sketch.agency, sketch.days, sketch.stops) == (AGENCY, DAYS, STOPS)


def test_a_part_changed_since_it_was_seen_is_not_written_over(database: Database, town: Authority) -> None:
    change(database, town, PartChange("stops", stops_to_json(STOPS), 0))
    change(database, town, PartChange("stops", [], 1), by="bia")
    with pytest.raises(StaleSketch) as caught:
        change(database, town, PartChange("stops", stops_to_json(STOPS), 1))
    stale = caught.value
    assert (stale.part, stale.revision, stale.content, stale.by, stale.at) == ("stops", 2, [], "bia", NOW)


def test_of_several_changes_with_one_stale_none_is_kept(database: Database, town: Authority) -> None:
    line = make_line()
    with pytest.raises(StaleSketch) as caught:
        change(database, town, PartChange("stops", [], 0), PartChange(line.part, line_to_json(line), 3))
    assert (caught.value.revision, caught.value.content) == (0, None)
    assert read(database, town).revisions == {}


def test_a_part_that_is_dropped_is_gone(database: Database, town: Authority) -> None:
    line = make_line()
    change(database, town, PartChange(line.part, line_to_json(line), 0))
    change(database, town, PartChange(line.part, None, 1))
    assert read(database, town).lines == ()


def test_a_new_part_of_a_name_that_is_there_is_stale(database: Database, town: Authority) -> None:
    line = make_line()
    change(database, town, PartChange(line.part, line_to_json(line), 0))
    with pytest.raises(StaleSketch):
        change(database, town, PartChange(line.part, line_to_json(line), 0))


def test_sketches_of_two_authorities_are_apart(database: Database, town: Authority) -> None:
    other = add_town(database, "canaa", CANAA)
    change(database, town, PartChange("stops", stops_to_json(STOPS), 0))
    assert read(database, other).empty


def test_an_unknown_authority_has_no_sketch(database: Database) -> None:
    with pytest.raises(UnknownAuthority), database.write() as session:
        change_sketch(session, SketchChange(99, (PartChange("stops", [], 0),), "ana"), NOW)
