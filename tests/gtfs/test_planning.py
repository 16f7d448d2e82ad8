"""Versions planned for a day, on both databases."""

from datetime import date, datetime, timedelta

import pytest

from gtfs.history import list_history
from gtfs.planning import (
    AlreadyPublished,
    DayTaken,
    NotPlanned,
    Plan,
    Planning,
    PlanTooEarly,
    PlanTooLate,
    cancel_plan,
    find_plan,
    has_due,
    list_plans,
    plan,
    publish_due,
)
from gtfs.publishing import (
    UNCHECKED,
    Publishing,
    RollingBack,
    StalePublication,
    Unchecked,
    list_publications,
    publish,
    rollback,
)
from gtfs.versions import UnknownVersion, get_version
from tests.gtfs.conftest import Town
from tests.gtfs.test_publishing import put, renamed, states
from web.db import Database

TODAY = date(2026, 11, 30)
DAY = date(2026, 12, 15)
NEXT_YEAR = date(2027, 1, 4)


def make(
    database: Database,
    town: Town,
    now: datetime,
    number: int,
    on: date = DAY,
    expected: int | Unchecked | None = UNCHECKED,
) -> Plan:
    with database.write() as session:
        return plan(session, Planning(town.id, number, on, "bia", TODAY, expected), now)


def due(database: Database, town: Town, now: datetime, day: date) -> list[int]:
    with database.read() as session:
        expected = has_due(session, {town.id: day})
    with database.write() as session:
        shown = publish_due(session, {town.id: day}, now)
    assert expected == bool(shown)
    return [version.number for version in shown]


@pytest.fixture
def two(database: Database, town: Town, now: datetime) -> None:
    """A published version, and a draft."""
    put(database, town, now, publish=True)
    put(database, town, now, renamed("Feira"))


@pytest.mark.usefixtures("two")
class TestPlan:
    def test_draft_is_published_at_the_start_of_its_day_and_not_before(
        self, database: Database, town: Town, now: datetime
    ) -> None:
        made = make(database, town, now, 2, expected=1)
        assert made == Plan(town.id, 2, DAY, "bia", now, 1)
        assert due(database, town, now, date(2026, 12, 14)) == []
        assert states(database, town) == {1: "published", 2: "draft"}
        later = now + timedelta(days=15)
        assert due(database, town, later, DAY) == [2]
        assert states(database, town) == {1: "retired", 2: "published"}
        with database.read() as session:
            act = list_publications(session, town.id)[-1]
            version = get_version(session, town.id, 2)
            assert find_plan(session, version) == made
        assert (act.action, act.done_at, act.done_by) == ("publish", later, "bia")
        assert (version.published_by, version.publish_on, version.planned_by) == ("bia", None, None)

    def test_publishing_what_is_due_again_changes_nothing(
        self, database: Database, town: Town, now: datetime
    ) -> None:
        make(database, town, now, 2)
        assert [due(database, town, now, DAY) for _ in range(3)] == [[2], [], []]
        with database.write() as session:
            rollback(session, RollingBack(town.id, "ana"), now)
        assert due(database, town, now, NEXT_YEAR) == []
        assert states(database, town) == {1: "published", 2: "retired"}

    def test_plan_stands_when_another_version_is_published_and_the_history_tells(
        self, database: Database, town: Town, now: datetime
    ) -> None:
        make(database, town, now, 2, expected=1)
        put(database, town, now, renamed("Correção"), publish=True)
        assert due(database, town, now + timedelta(days=15), DAY) == [2]
        with database.read() as session:
            act = list_publications(session, town.id)[-1]
            made = find_plan(session, get_version(session, town.id, 2))
            replaced = get_version(session, town.id, 3)
            history = list_history(session, town.id)
        assert made is not None
        assert (made.expected, act.replaced_id) == (1, replaced.id)
        assert [(entry.number, entry.replaced, entry.plan, entry.overtaken) for entry in history] == [
            (1, None, None, False),
            (3, 1, None, False),
            (2, 3, made, True),
        ]

    def test_plan_made_on_an_old_view_is_refused(self, database: Database, town: Town, now: datetime) -> None:
        put(database, town, now, renamed("Correção"), publish=True)
        with pytest.raises(StalePublication) as problem:
            make(database, town, now, 2, expected=1)
        assert (problem.value.expected, problem.value.found) == (1, 3)
        assert plans(database, town) == []

    def test_plan_is_moved_and_cancelled(self, database: Database, town: Town, now: datetime) -> None:
        make(database, town, now, 2)
        make(database, town, now, 2, NEXT_YEAR)
        assert plans(database, town) == [(2, NEXT_YEAR)]
        assert due(database, town, now, DAY) == []
        with database.write() as session:
            assert cancel_plan(session, town.id, 2).publish_on is None
        assert plans(database, town) == []
        assert due(database, town, now, NEXT_YEAR) == []
        with database.write() as session, pytest.raises(NotPlanned):
            cancel_plan(session, town.id, 2)

    def test_version_published_by_hand_before_its_day_is_planned_no_more(
        self, database: Database, town: Town, now: datetime
    ) -> None:
        make(database, town, now, 2)
        with database.write() as session:
            publish(session, Publishing(town.id, 2, "ana"), now)
        assert plans(database, town) == []
        assert due(database, town, now, DAY) == []
        with database.read() as session:
            assert [entry.plan for entry in list_history(session, town.id)] == [None, None]

    def test_plan_carried_out_over_what_was_seen_is_not_overtaken(
        self, database: Database, town: Town, now: datetime
    ) -> None:
        made = make(database, town, now, 2)
        later = now + timedelta(days=15)
        assert due(database, town, later, DAY) == [2]
        with database.write() as session:
            rollback(session, RollingBack(town.id, "ana"), later)
            publish(session, Publishing(town.id, 2, "bia"), later)
        with database.read() as session:
            history = list_history(session, town.id)
        assert [entry.action for entry in history] == ["publish", "publish", "rollback", "publish"]
        assert [entry.plan for entry in history] == [None, made, None, None]
        assert not any(entry.overtaken for entry in history)

    def test_earlier_version_can_be_planned_too(self, database: Database, town: Town, now: datetime) -> None:
        with database.write() as session:
            publish(session, Publishing(town.id, 2, "ana"), now)
        make(database, town, now, 1)
        assert due(database, town, now, DAY) == [1]

    def test_plans_that_come_due_together_are_published_in_their_order(
        self, database: Database, town: Town, now: datetime
    ) -> None:
        put(database, town, now, renamed("Verão"))
        make(database, town, now, 3, DAY)
        make(database, town, now, 2, NEXT_YEAR)
        assert plans(database, town) == [(3, DAY), (2, NEXT_YEAR)]
        assert due(database, town, now, NEXT_YEAR) == [3, 2]
        assert states(database, town) == {1: "retired", 2: "published", 3: "retired"}

    @pytest.mark.parametrize(
        ("number", "on", "problem"),
        [
            (1, DAY, AlreadyPublished),
            (2, TODAY, PlanTooEarly),
            (2, date(2026, 11, 1), PlanTooEarly),
            (2, date(2028, 1, 1), PlanTooLate),
            (3, NEXT_YEAR, DayTaken),
            (9, DAY, UnknownVersion),
        ],
    )
    def test_plan_that_makes_no_sense_is_refused(
        self, database: Database, town: Town, now: datetime, number: int, on: date, problem: type[Exception]
    ) -> None:
        put(database, town, now, renamed("Verão"))
        make(database, town, now, 2, NEXT_YEAR)
        with pytest.raises(problem):
            make(database, town, now, number, on)
        assert plans(database, town) == [(2, NEXT_YEAR)]

    def test_another_authority_has_a_day_of_its_own(
        self, database: Database, town: Town, other_town: Town, now: datetime
    ) -> None:
        put(database, other_town, now)
        make(database, town, now, 2)
        make(database, other_town, now, 1)
        with database.write() as session:
            shown = publish_due(session, {town.id: DAY, other_town.id: date(2026, 12, 14)}, now)
            assert [version.authority_id for version in shown] == [town.id]
        with database.read() as session:
            assert not has_due(session, {})
            assert has_due(session, {other_town.id: DAY})


def test_first_version_can_be_planned(database: Database, town: Town, now: datetime) -> None:
    put(database, town, now)
    assert make(database, town, now, 1, expected=None).expected is None
    assert due(database, town, now, DAY) == [1]


def plans(database: Database, town: Town) -> list[tuple[int, date]]:
    with database.read() as session:
        return [(made.number, made.on) for made in list_plans(session, town.id)]
