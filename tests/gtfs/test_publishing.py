"""Versions kept, published and rolled back, on both databases."""

import json
from datetime import date, datetime, timedelta
from threading import Barrier, Thread
from uuid import UUID, uuid4

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, func, select

from gtfs.checks.notices import report_from_json
from gtfs.importing import FeedRefused, Importing, PreparedFeed, import_feed
from gtfs.published import find_line, find_published, find_stop, get_archive, list_lines, was_address
from gtfs.publishing import (
    NeverPublished,
    NothingToRollBack,
    Publishing,
    RollingBack,
    StalePublication,
    find_trail,
    list_publications,
    publish,
    rollback,
)
from gtfs.tables import FeedArchive, FeedLine, FeedStop, FeedVersion
from gtfs.versions import UnknownAuthority, UnknownVersion, list_versions
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import prepare_small
from tests.gtfs.conftest import Town
from web.db import Database


def put(
    database: Database, town: Town, now: datetime, prepared: PreparedFeed | None = None, *, publish: bool = False
) -> int:
    """Import a feed; returns its version's number."""
    with database.write() as session:
        values = Importing(town.id, prepared or prepare_small(), "ana", publish)
        return import_feed(session, values, now).number


def renamed(name: str) -> PreparedFeed:
    return prepare_small(stops_txt=small.STOPS.replace("Mercado", name))


def states(database: Database, town: Town) -> dict[int, str]:
    with database.read() as session:
        return {version.number: version.state for version in list_versions(session, town.id)}


def show(database: Database, town: Town, number: int, now: datetime, **more: int | None) -> None:
    with database.write() as session:
        publish(session, Publishing(town.id, number, "bia", **more), now)


def go_back(database: Database, town: Town, now: datetime, number: int | None = None) -> int:
    with database.write() as session:
        return rollback(session, RollingBack(town.id, "bia", number), now).number


def test_import_keeps_a_draft_that_nobody_sees(database: Database, town: Town, now: datetime) -> None:
    assert put(database, town, now) == 1
    assert states(database, town) == {1: "draft"}
    with database.read() as session:
        assert find_published(session, town.id) is None
        (version,) = list_versions(session, town.id)
    assert (version.created_at, version.created_by, version.source_name) == (now, "ana", "vila.zip")
    assert (version.first_day, version.last_day) == (date(2026, 1, 1), date(2027, 12, 31))
    assert report_from_json(json.loads(version.report)).accepted
    assert json.loads(version.summary)["lines_without_times"] == 1


def test_refused_feed_stores_nothing(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    refused = prepare_small(stops_txt=None)
    with pytest.raises(FeedRefused) as problem:
        put(database, town, now, refused, publish=True)
    assert not problem.value.report.accepted
    assert states(database, town) == {1: "published"}


def test_same_content_is_kept_once_and_published_later(database: Database, town: Town, now: datetime) -> None:
    assert put(database, town, now) == put(database, town, now, publish=True) == 1
    assert states(database, town) == {1: "published"}
    with database.read() as session:
        assert session.exec(select(func.count(col(FeedArchive.id)))).one() == 1


def test_publishing_retires_the_version_before(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    later = now + timedelta(days=1)
    put(database, town, later, renamed("Feira"), publish=True)
    assert states(database, town) == {1: "retired", 2: "published"}
    with database.read() as session:
        second, first = list_versions(session, town.id)
        history = list_publications(session, town.id)
    assert (first.retired_at, second.published_at, second.published_by) == (later, later, "ana")
    assert [(act.number, act.action, act.version_id, act.replaced_id) for act in history] == [
        (1, "publish", first.id, None),
        (2, "publish", second.id, first.id),
    ]


def test_publishing_the_published_version_changes_nothing(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    show(database, town, 1, now + timedelta(days=1))
    with database.read() as session:
        assert len(list_publications(session, town.id)) == 1


def test_database_itself_allows_one_published_version(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    put(database, town, now, renamed("Feira"))

    def publish_both() -> None:
        with database.write() as session:
            second = session.exec(select(FeedVersion).where(FeedVersion.number == 2)).one()
            second.state = "published"
            session.add(second)

    with pytest.raises(IntegrityError):
        publish_both()


def test_rolling_back_goes_further_each_time(database: Database, town: Town, now: datetime) -> None:
    for name in ("Um", "Dois", "Três"):
        put(database, town, now, renamed(name), publish=True)
    assert go_back(database, town, now) == 2
    assert go_back(database, town, now) == 1
    with pytest.raises(NothingToRollBack):
        go_back(database, town, now)
    assert states(database, town) == {1: "published", 2: "retired", 3: "retired"}


def test_rolling_back_follows_what_was_shown(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, renamed("Um"))
    put(database, town, now, renamed("Dois"), publish=True)
    show(database, town, 1, now)
    assert go_back(database, town, now) == 2


def test_rolling_back_to_a_chosen_version(database: Database, town: Town, now: datetime) -> None:
    for name in ("Um", "Dois", "Três"):
        put(database, town, now, renamed(name), publish=True)
    put(database, town, now, renamed("Rascunho"))
    assert go_back(database, town, now, 1) == 1
    with pytest.raises(NeverPublished):
        go_back(database, town, now, 4)
    with pytest.raises(UnknownVersion):
        go_back(database, town, now, 9)
    with pytest.raises(NothingToRollBack):
        go_back(database, town, now)


def test_nothing_published_cannot_be_rolled_back(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now)
    with pytest.raises(NothingToRollBack):
        go_back(database, town, now)


def test_unknown_version_and_authority_are_named(database: Database, town: Town, now: datetime) -> None:
    with pytest.raises(UnknownVersion) as version:
        show(database, town, 7, now)
    assert version.value.number == 7
    with pytest.raises(UnknownAuthority):
        put(database, Town(999), now)


def test_clerk_does_not_publish_over_another_unseen(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, renamed("Um"))
    put(database, town, now, renamed("Dois"))
    show(database, town, 1, now, expected=None)
    with pytest.raises(StalePublication) as stale:
        show(database, town, 2, now, expected=None)
    assert (stale.value.expected, stale.value.found) == (None, 1)
    show(database, town, 2, now, expected=1)
    assert states(database, town) == {1: "retired", 2: "published"}


def test_two_clerks_at_once_publish_one_after_the_other(database: Database, town: Town, now: datetime) -> None:
    for name in ("Um", "Dois"):
        put(database, town, now, renamed(name))
    start = Barrier(2)
    faults: list[Exception] = []

    def act(number: int) -> None:
        start.wait()
        try:
            show(database, town, number, now)
        except Exception as fault:
            faults.append(fault)

    threads = [Thread(target=act, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert sorted(states(database, town).values()) == ["published", "retired"]
    with database.read() as session:
        first, second = list_publications(session, town.id)
    assert second.replaced_id == first.version_id


def test_two_first_imports_at_once_get_two_numbers(database: Database, town: Town, now: datetime) -> None:
    start = Barrier(2)
    numbers: list[int] = []
    feeds = {name: renamed(name) for name in ("Um", "Dois")}

    def act(name: str) -> None:
        start.wait()
        numbers.append(put(database, town, now, feeds[name]))

    threads = [Thread(target=act, args=(name,)) for name in feeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == [1, 2]


def test_authorities_do_not_touch_each_other(
    database: Database, town: Town, other_town: Town, now: datetime
) -> None:
    put(database, town, now, publish=True)
    assert put(database, other_town, now, renamed("Feira"), publish=True) == 1
    put(database, other_town, now, publish=True)
    assert states(database, town) == {1: "published"}
    assert states(database, other_town) == {1: "retired", 2: "published"}


def test_archive_is_given_back_byte_for_byte(database: Database, town: Town, now: datetime) -> None:
    prepared = prepare_small()
    put(database, town, now, prepared, publish=True)
    with database.read() as session:
        feed = find_published(session, town.id)
        assert feed is not None
        assert get_archive(session, feed) == prepared.raw
        assert feed.sha256 == prepared.sha256


def test_addresses_stay_when_names_and_ids_change(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now, publish=True)
    changed = prepare_small(
        routes_txt=small.ROUTES.replace("L3,", "N3,").replace("Centro x Praia", "Centro x Praia Nova"),
        stops_txt=small.STOPS.replace("M,102,Mercado", "M,102,Feira"),
    )
    put(database, town, now, changed, publish=True)
    with database.read() as session:
        feed = find_published(session, town.id)
        assert feed is not None
        assert {line.gtfs_id: line.slug for line in list_lines(session, feed)} == {"L1": "1", "L2": "2", "N3": "3"}
        found = find_stop(session, feed, "mercado")
        assert found is not None
        assert found[0].name == "Feira"
        assert was_address(session, town.id, "line", "3")
        assert not was_address(session, town.id, "line", "99")


def test_names_without_latin_letters_have_addresses(database: Database, town: Town, now: datetime) -> None:
    feed = prepare_small(
        routes_txt=small.ROUTES.replace("L3,VILA,3,Itaipuaçu", "線,VILA,,室蘭港").replace("L2,VILA,2", "★,VILA,★"),
        trips_txt=small.TRIPS.replace("L2", "★"),
    )
    put(database, town, now, feed, publish=True)
    with database.read() as session:
        published = find_published(session, town.id)
        assert published is not None
        slugs = {line.gtfs_id: line.slug for line in list_lines(session, published)}
        assert slugs == {"L1": "1", "★": "circular-bairro-novo", "線": "linha-3"}
        for slug in slugs.values():
            assert find_line(session, published, slug) is not None


def test_every_row_of_a_version_belongs_to_it(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now)
    with database.read() as session:
        assert session.exec(select(func.count(col(FeedLine.id)))).one() == 3
        assert session.exec(select(func.count(col(FeedStop.id)))).one() == 6


ONE, TWO, THREE = uuid4(), uuid4(), uuid4()


@pytest.mark.parametrize(
    ("acts", "trail"),
    [
        ([], []),
        ([("publish", ONE)], [ONE]),
        ([("publish", ONE), ("publish", TWO), ("rollback", ONE)], [ONE]),
        ([("publish", ONE), ("publish", TWO), ("publish", ONE)], [TWO, ONE]),
        ([("publish", ONE), ("publish", TWO), ("publish", THREE), ("rollback", ONE)], [ONE]),
        ([("publish", ONE), ("publish", TWO), ("rollback", ONE), ("publish", THREE)], [ONE, THREE]),
        ([("publish", ONE), ("rollback", TWO)], [ONE, TWO]),
    ],
)
def test_trail_is_what_one_can_go_back_through(acts: list[tuple[str, UUID]], trail: list[UUID]) -> None:
    assert find_trail(acts) == trail
