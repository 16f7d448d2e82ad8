"""The reference feed: kept, found, listed, removed, and a version compared with it."""

from datetime import date, datetime, timedelta

import pytest

from gtfs.importing import Importing, import_feed
from gtfs.reference_preparing import prepare_reference
from gtfs.references import (
    NewReference,
    PreparedReference,
    UnknownReference,
    compare_with_reference,
    find_reference,
    keep_reference,
    list_references,
    read_comparison,
    remove_reference,
)
from gtfs.separation import Asked
from gtfs.versions import get_version
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import compile_small, prepare_small
from tests.gtfs.conftest import Town
from tests.gtfs.small_feed import small_feed
from web.db import Database

TODAY = date(2026, 11, 30)
LAW = Asked(15)


def prepare(**changes: str | None) -> PreparedReference:
    return prepare_reference(small_feed(**changes), "ônibus.zip", TODAY)


def keep(database: Database, town: Town, now: datetime, **changes: str | None) -> int:
    with database.write() as session:
        return keep_reference(session, NewReference(town.id, prepare(**changes), "ana"), now).number


def later_by(minutes: int) -> dict[str, str]:
    """The small feed with its first trip moved."""
    moved = small.STOP_TIMES.replace("06:00:00,06:00:00", f"06:{minutes:02}:00,06:{minutes:02}:00")
    return {"stop_times_txt": moved.replace("06:20:00,06:20:00", f"06:{20 + minutes}:00,06:{20 + minutes}:00")}


def test_newest_reference_is_in_use(database: Database, town: Town, now: datetime) -> None:
    assert keep(database, town, now) == 1
    assert keep(database, town, now, **later_by(7)) == 2
    with database.read() as session:
        found = find_reference(session, town.id)
        assert found is not None
        assert (found.number, found.source_name, found.created_by) == (2, "ônibus.zip", "ana")
        assert [one.number for one in list_references(session, town.id)] == [2, 1]


def test_reference_in_use_kept_again_stays_what_it_is(database: Database, town: Town, now: datetime) -> None:
    assert [keep(database, town, now), keep(database, town, now)] == [1, 1]


def test_removing_goes_back_to_the_one_before(database: Database, town: Town, now: datetime) -> None:
    keep(database, town, now)
    keep(database, town, now, **later_by(7))
    for number, left in ((2, 1), (1, None), (1, None)):
        with database.write() as session:
            remove_reference(session, town.id, number, "bia", now)
        with database.read() as session:
            found = find_reference(session, town.id)
            assert (found.number if found else None) == left
    with database.read() as session:
        assert {one.removed_by for one in list_references(session, town.id)} == {"bia"}


def test_other_towns_have_their_own(database: Database, town: Town, other_town: Town, now: datetime) -> None:
    keep(database, town, now)
    with database.read() as session:
        assert find_reference(session, other_town.id) is None
    with pytest.raises(UnknownReference), database.write() as session:
        remove_reference(session, other_town.id, 1, "bia", now)


def test_refused_feed_is_no_reference(database: Database, town: Town, now: datetime) -> None:
    prepared = prepare(stops_txt=None)
    assert not prepared.report.accepted
    assert prepared.departures is None
    with pytest.raises(ValueError, match="refused"), database.write() as session:
        keep_reference(session, NewReference(town.id, prepared, "ana"), now)


def test_compiled_feed_is_compared_with_the_reference() -> None:
    departures = prepare(**later_by(7)).departures
    assert departures is not None
    report = compare_with_reference(compile_small()[1], departures, [TODAY], LAW)
    (centre,) = (
        one for one in report.warnings if (one.line, one.other_line, one.stop) == ("1", "1", "Rodoviária Centro")
    )
    assert [one.words for one in centre.examples] == ["06:00 e 06:07", "07:00 e 07:00", "25:10 e 25:10"]


def test_kept_version_and_its_compiled_feed_compare_alike(database: Database, town: Town, now: datetime) -> None:
    keep(database, town, now, **later_by(7))
    with database.write() as session:
        import_feed(session, Importing(town.id, prepare_small(), "ana"), now)
    with database.read() as session:
        comparison = read_comparison(session, get_version(session, town.id, 1), TODAY)
    departures = prepare(**later_by(7)).departures
    assert departures is not None
    report = comparison.run(LAW)
    assert report == compare_with_reference(compile_small()[1], departures, comparison.days, LAW)
    assert report.warnings
    assert (comparison.reference_name, comparison.days[0], len(comparison.days)) == ("ônibus.zip", TODAY, 42)


def test_version_without_a_reference_cannot_be_compared(database: Database, town: Town, now: datetime) -> None:
    with database.write() as session:
        import_feed(session, Importing(town.id, prepare_small(), "ana"), now)
    with database.read() as session, pytest.raises(UnknownReference):
        read_comparison(session, get_version(session, town.id, 1), TODAY)


def test_holiday_of_the_next_weeks_is_a_day_of_its_own() -> None:
    """On Christmas the Sunday service runs in both feeds; its trip at eight meets none of the weekday's."""
    departures = prepare().departures
    assert departures is not None
    days = [TODAY + timedelta(days=number) for number in range(42)]
    report = compare_with_reference(compile_small()[1], departures, days, LAW)
    at_eight = [one for one in report.warnings if one.nearest.ours == 8 * 3600 and one.line == "1"]
    assert at_eight
    assert {date(2026, 12, 25) in one.dates for one in at_eight} == {True}
    assert all("25/12/2026" in one.days for one in at_eight)
