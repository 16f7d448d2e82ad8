"""Differences kept with the versions, on both databases."""

from datetime import date, datetime, timedelta

from gtfs.changes import (
    Succession,
    compare_versions,
    find_line_change,
    find_stop_change,
    is_compared,
    keep_changes,
    list_comparisons,
    list_line_changes,
    list_stop_changes,
    list_successions,
    list_uncompared,
    prepare_changes,
    prepare_plan,
    prepare_publication,
)
from gtfs.planning import Planning, cancel_plan, plan
from gtfs.publishing import Publishing, RollingBack, publish, rollback
from gtfs.versions import get_version
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import prepare_small
from tests.gtfs.conftest import Town
from tests.gtfs.test_differences import PLANTED
from tests.gtfs.test_publishing import put, renamed
from web.db import Database

TODAY = date(2026, 11, 30)
DAY = date(2026, 12, 15)


def catch_up(database: Database) -> int:
    """Compares what is left, as the worker does; returns how often."""
    count = 0
    while True:
        with database.read() as session:
            waiting = list_uncompared(session)
            prepared = [prepare_changes(session, one) for one in waiting[:1]]
        if not prepared:
            return count
        with database.write() as session:
            assert keep_changes(session, prepared[0])
        count += 1


def successions(database: Database, town: Town) -> list[tuple[int, int, date, bool]]:
    """(version, base, day, planned), versions by number."""
    with database.read() as session:
        numbers = {get_version(session, town.id, number).id: number for number in range(1, 4)}
        return [
            (numbers[one.version_id], numbers[one.base_id], one.from_day, one.planned)
            for one in list_successions(session, town.id)
        ]


def only(database: Database, town: Town) -> Succession:
    with database.read() as session:
        (found,) = list_successions(session, town.id)
        return found


def test_publication_is_kept_with_what_it_changes(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    put(database, town, now, renamed("Feira"))
    with database.read() as session:
        prepared = prepare_publication(session, town.id, 2, TODAY)
    with database.write() as session:
        assert not keep_changes(session, prepared)
        publish(session, Publishing(town.id, 2, "bia"), now)
        assert keep_changes(session, prepared)
    found = only(database, town)
    with database.read() as session:
        assert is_compared(session, found)
        assert list_line_changes(session, found) == ()
        (change,) = list_stop_changes(session, found)
        assert change == find_stop_change(session, found, "mercado")
        assert change.renamed == ("Mercado", "Feira")
        assert find_stop_change(session, found, "escola") is None
        assert list_uncompared(session) == ()


def test_publication_just_after_midnight_counts_for_its_own_day(
    database: Database, town: Town, now: datetime
) -> None:
    put(database, town, now, publish=True)
    put(database, town, now, renamed("Feira"))
    with database.read() as session:
        prepared = prepare_publication(session, town.id, 2, TODAY)
    with database.write() as session:
        publish(session, Publishing(town.id, 2, "bia"), now + timedelta(days=1))
        assert keep_changes(session, prepared)
    assert only(database, town).from_day == date(2026, 12, 1)
    assert catch_up(database) == 0


def test_plan_that_was_moved_is_compared_again(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    put(database, town, now, renamed("Feira"))
    with database.read() as session:
        prepared = prepare_plan(session, town.id, 2, DAY)
    with database.write() as session:
        plan(session, Planning(town.id, 2, date(2027, 1, 4), "bia", TODAY), now)
        assert not keep_changes(session, prepared)
    assert catch_up(database) == 1


def test_nothing_published_before_changes_nothing(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now)
    with database.read() as session:
        assert prepare_publication(session, town.id, 1, TODAY) is None
        assert prepare_plan(session, town.id, 1, DAY) is None
    with database.write() as session:
        assert not keep_changes(session, None)
        publish(session, Publishing(town.id, 1, "bia"), now)
    with database.read() as session:
        assert prepare_publication(session, town.id, 1, TODAY) is None
    assert catch_up(database) == 0


def test_every_change_comes_back_as_it_was_found(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    for planted in PLANTED.values():
        put(database, town, now, prepare_small(**planted.files), publish=True)
    assert catch_up(database) == len(PLANTED)
    with database.read() as session:
        for found in list_successions(session, town.id):
            differences = compare_versions(session, town.id, found.base_id, found.version_id, found.from_day)
            assert list_line_changes(session, found) == differences.lines
            assert list_stop_changes(session, found) == differences.stops
        assert not compare_versions(session, town.id, found.base_id, found.base_id, found.from_day)


def test_line_is_found_by_its_old_address_too(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    planted = PLANTED["a line with another id and number on the same way"]
    put(database, town, now, prepare_small(**planted.files), publish=True)
    assert catch_up(database) == 1
    found = only(database, town)
    with database.read() as session:
        change = find_line_change(session, found, "2")
        assert change is not None
        assert (change.slug, change.old_slug) == ("20", "2")
        assert find_line_change(session, found, "20") == change
        assert list_line_changes(session, found) == (change,)


def test_planned_version_is_compared_with_what_it_follows(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    put(database, town, now, renamed("Feira"))
    put(database, town, now, renamed("Verão"))
    for number, on in ((3, DAY), (2, date(2027, 1, 4))):
        with database.read() as session:
            prepared = prepare_plan(session, town.id, number, on)
        with database.write() as session:
            plan(session, Planning(town.id, number, on, "bia", TODAY), now)
            assert keep_changes(session, prepared)
    assert successions(database, town) == [(3, 1, DAY, True), (2, 3, date(2027, 1, 4), True)]
    assert catch_up(database) == 0


def test_another_publication_or_a_cancelled_plan_make_it_compared_again(
    database: Database, town: Town, now: datetime
) -> None:
    put(database, town, now, publish=True)
    put(database, town, now, renamed("Feira"))
    with database.write() as session:
        plan(session, Planning(town.id, 2, DAY, "bia", TODAY), now)
    assert catch_up(database) == 1
    before = comparisons(database, town)
    put(database, town, now, renamed("Correção"), publish=True)
    assert catch_up(database) == 2
    assert successions(database, town) == [(2, 3, DAY, True), (3, 1, TODAY, False)]
    assert comparisons(database, town) != before
    with database.read() as session:
        planned, _ = list_successions(session, town.id)
        prepared = prepare_changes(session, planned)
        (change,) = list_stop_changes(session, planned)
    assert change.renamed == ("Correção", "Feira")
    with database.write() as session:
        cancel_plan(session, town.id, 2)
        assert not keep_changes(session, prepared)
    assert successions(database, town) == [(3, 1, TODAY, False)]


def test_plan_that_comes_true_needs_no_second_comparison(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    put(database, town, now, renamed("Feira"))
    with database.write() as session:
        plan(session, Planning(town.id, 2, DAY, "bia", TODAY), now)
    assert catch_up(database) == 1
    with database.write() as session:
        publish(session, Publishing(town.id, 2, "bia"), now + timedelta(days=15))
    assert catch_up(database) == 0
    assert only(database, town).planned is False


def test_rolling_back_is_a_change_in_the_other_direction(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    put(database, town, now, prepare_small(routes_txt=small.ROUTES + "L4,VILA,4,Ponta Negra,3,,\n"), publish=True)
    with database.write() as session:
        rollback(session, RollingBack(town.id, "bia"), now)
    assert catch_up(database) == 2
    with database.read() as session:
        back, there = list_successions(session, town.id)
        assert [change.state for change in list_line_changes(session, there)] == ["begins"]
        assert [change.state for change in list_line_changes(session, back)] == ["ends"]


def comparisons(database: Database, town: Town) -> tuple[str, ...]:
    with database.read() as session:
        return list_comparisons(session, town.id)
