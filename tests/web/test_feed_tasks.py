"""The worker's tasks for feeds, on both databases."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlmodel import Session

from complaints.authorities.tables import Authority
from gtfs.changes import (
    PreparedChanges,
    Succession,
    list_stop_changes,
    list_successions,
    list_uncompared,
    prepare_changes,
)
from gtfs.planning import Planning, plan
from gtfs.publishing import find_published_version, list_publications
from tests.conftest import StandingClock
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import prepare_small
from tests.gtfs.conftest import Town, add_town
from tests.gtfs.test_publishing import put, renamed
from web import feed_tasks
from web.db import Database
from web.feed_tasks import compare_successions, list_local_days, publish_planned
from web.services import Services
from web.worker import TASKS

DAY = date(2026, 12, 15)
MIDNIGHT = datetime(2026, 12, 15, 3, 0, tzinfo=UTC)
"""The start of DAY in São Paulo."""


@pytest.fixture
def town(services: Services, clock: StandingClock) -> Town:
    """A town with a published version and a draft that is planned for DAY."""
    town = add_town(services.database, "vila", clock())
    put(services.database, town, clock(), publish=True)
    put(services.database, town, clock(), renamed("Feira"))
    with services.database.write() as session:
        plan(session, Planning(town.id, 2, DAY, "bia", date(2026, 11, 30)), clock())
    return town


def shown(services: Services, town: Town) -> int:
    with services.database.read() as session:
        version = find_published_version(session, town.id)
    assert version is not None
    return version.number


def forbid_writes(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on nobody may ask for the write lock."""

    def write(_: Database) -> AbstractContextManager[Session]:
        raise AssertionError("an idle worker took the write lock")

    monkeypatch.setattr(Database, "write", write)


def test_plan_is_carried_out_at_local_midnight(services: Services, town: Town, clock: StandingClock) -> None:
    clock.now = MIDNIGHT - timedelta(seconds=1)
    assert publish_planned(services, clock()) == 0
    assert shown(services, town) == 1
    assert publish_planned(services, MIDNIGHT) == 1
    assert shown(services, town) == 2
    assert publish_planned(services, MIDNIGHT) == 0


def test_worker_that_was_away_catches_up(services: Services, town: Town) -> None:
    assert publish_planned(services, MIDNIGHT + timedelta(days=9)) == 1
    assert shown(services, town) == 2


def test_death_before_the_commit_leaves_the_plan(
    services: Services, town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(_: str) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr("web.db.pause", die)
        with pytest.raises(SystemExit):
            publish_planned(services, MIDNIGHT)
    assert shown(services, town) == 1
    assert publish_planned(services, MIDNIGHT) == 1
    with services.database.read() as session:
        assert len(list_publications(session, town.id)) == 2


def test_days_begin_when_they_begin_there(services: Services, town: Town, clock: StandingClock) -> None:
    with services.database.write() as session:
        session.get_one(Authority, town.id).time_zone = "America/Rio_Branco"
    assert publish_planned(services, MIDNIGHT) == 0
    assert publish_planned(services, MIDNIGHT + timedelta(hours=2)) == 1
    with services.database.read() as session:
        assert list_local_days(session, MIDNIGHT) == {town.id: date(2026, 12, 14)}


def test_successions_are_compared_one_a_round(services: Services, town: Town, clock: StandingClock) -> None:
    assert compare_successions(services, clock()) == 1
    assert compare_successions(services, clock()) == 0
    blue = prepare_small(routes_txt=small.ROUTES.replace("1351B4", "1313B4"))
    put(services.database, town, clock(), blue, publish=True)
    assert [compare_successions(services, clock()) for _ in range(3)] == [1, 1, 0]
    with services.database.read() as session:
        assert list_uncompared(session) == ()
        planned, past = list_successions(session, town.id)
        assert [change.name for change in list_stop_changes(session, planned)] == ["Feira"]
        assert list_stop_changes(session, past) == ()


def test_a_pair_that_cannot_be_compared_does_not_hold_up_the_next(
    services: Services, town: Town, clock: StandingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(services.database, town, clock(), renamed("Porto"), publish=True)
    with services.database.read() as session:
        first, *others = list_uncompared(session)
    assert others
    real = prepare_changes

    def prepare(session: Session, succession: Succession) -> PreparedChanges | None:
        if succession == first:
            raise ValueError("damaged")
        return real(session, succession)

    monkeypatch.setattr(feed_tasks, "prepare_changes", prepare)
    assert [compare_successions(services, clock()) for _ in range(len(others) + 1)] == [*([1] * len(others)), 0]


@pytest.mark.parametrize("task", [publish_planned, compare_successions])
def test_idle_worker_takes_no_write_lock(
    services: Services,
    town: Town,
    clock: StandingClock,
    monkeypatch: pytest.MonkeyPatch,
    task: Callable[[Services, datetime], int],
) -> None:
    compare_successions(services, clock())
    forbid_writes(services, monkeypatch)
    assert task(services, clock()) == 0


def test_worker_runs_them() -> None:
    assert {publish_planned, compare_successions} <= set(TASKS)
