"""Alerts: made, changed, ended, and which of them a line or a stop shows; on both databases."""

from datetime import UTC, datetime, timedelta

import pytest
from google.transit import gtfs_realtime_pb2 as realtime

from gtfs.alert_words import load_alert_words
from gtfs.alerts import (
    Alert,
    AlertEnded,
    AlertValues,
    Informed,
    StaleAlert,
    UnknownAlert,
    add_alert,
    change_alert,
    choose_for_line,
    choose_for_stop,
    end_alert,
    get_alert,
    list_active,
    list_current,
    list_ended,
)
from gtfs.realtime import PublishedIds, write_alerts
from gtfs.versions import UnknownAuthority
from tests.gtfs.conftest import Town, add_town
from web.db import Database

LINE = Informed("line", "V01", "v01-centro", "V01 Centro")
STOP = Informed("stop", "S1", "mercado", "Mercado")
HOUR = timedelta(hours=1)
IDS = PublishedIds(("ept",), frozenset({"V01", "V02"}), frozenset({"S1"}))


def values(
    start: datetime, end: datetime | None = None, *informed: Informed, effect: str = "NO_SERVICE"
) -> AlertValues:
    return AlertValues(informed or (Informed("town"),), "STRIKE", effect, "Greve", "Sem vans.", start, end)


def make(database: Database, town: Town, what: AlertValues, now: datetime) -> Alert:
    with database.write() as session:
        return add_alert(session, town.id, what, "Ana", now)


def active(database: Database, town: Town, now: datetime) -> list[int]:
    with database.read() as session:
        return [alert.number for alert in list_active(session, town.id, now)]


@pytest.mark.parametrize(
    ("after", "holds"),
    [(-HOUR, False), (timedelta(0), True), (HOUR - timedelta(seconds=1), True), (HOUR, False)],
)
def test_the_start_belongs_to_an_alert_and_the_end_does_not(
    database: Database, town: Town, now: datetime, after: timedelta, holds: bool
) -> None:
    make(database, town, values(now, now + HOUR), now)
    assert active(database, town, now + after) == ([1] if holds else [])


def test_an_alert_without_end_holds_until_somebody_ends_it(database: Database, town: Town, now: datetime) -> None:
    make(database, town, values(now), now)
    later = now + timedelta(days=400)
    assert active(database, town, later) == [1]
    with database.write() as session:
        end_alert(session, town.id, 1, "Bia", later)
        end_alert(session, town.id, 1, "Cid", later + HOUR)
    assert active(database, town, later) == []
    with database.read() as session:
        (ended,) = list_ended(session, town.id, later)
        assert (ended.changed_by, ended.values.ends_at) == ("Bia", later)
        assert list_current(session, town.id, later) == ()


def test_an_alert_to_come_that_is_ended_never_holds(database: Database, town: Town, now: datetime) -> None:
    make(database, town, values(now + HOUR), now)
    with database.write() as session:
        end_alert(session, town.id, 1, "Bia", now)
    assert active(database, town, now + 2 * HOUR) == []


def test_a_change_on_what_somebody_else_changed_is_refused_with_how_it_is_now(
    database: Database, town: Town, now: datetime
) -> None:
    first = make(database, town, values(now), now)
    with database.write() as session:
        change_alert(session, town.id, 1, first.revision, values(now, now + HOUR), "Bia", now)
    with database.write() as session, pytest.raises(StaleAlert) as stale:
        change_alert(session, town.id, 1, first.revision, values(now), "Cid", now)
    assert stale.value.alert.changed_by == "Bia"
    with database.write() as session, pytest.raises(AlertEnded):
        change_alert(session, town.id, 1, 2, values(now), "Cid", now + HOUR)


def test_what_does_not_exist_is_said(database: Database, town: Town, now: datetime) -> None:
    with database.read() as session, pytest.raises(UnknownAlert):
        get_alert(session, town.id, 1)
    with database.write() as session, pytest.raises(UnknownAlert):
        end_alert(session, town.id, 1, "Ana", now)
    with database.write() as session, pytest.raises(UnknownAuthority):
        add_alert(session, 99, values(now), "Ana", now)


SHOWN = {
    "town": (Informed("town"), True, True),
    "line": (LINE, True, True),
    "stop": (STOP, True, True),
    "other line": (Informed("line", "V02", "v02", "V02"), False, False),
    "other stop": (Informed("stop", "S9", "s9", "S9"), False, False),
}


@pytest.mark.parametrize("case", SHOWN)
def test_a_line_shows_the_alerts_of_its_stops_and_a_stop_those_of_its_lines(case: str, now: datetime) -> None:
    informed, on_line, on_stop = SHOWN[case]
    alert = Alert(1, 1, values(now, None, informed), "Ana", "Ana", now)
    assert bool(choose_for_line([alert], "V01", {"S1", "S2"})) == on_line
    assert bool(choose_for_stop([alert], "S1", {"V01"})) == on_stop


def test_alerts_of_another_authority_are_not_ours(database: Database, town: Town, now: datetime) -> None:
    other = add_town(database, "outra", now)
    make(database, other, values(now), now)
    assert active(database, town, now) == []


def test_every_word_is_one_of_gtfs_realtime() -> None:
    words = load_alert_words()
    assert set(words.causes) <= set(realtime.Alert.Cause.keys())
    assert set(words.effects) <= set(realtime.Alert.Effect.keys())
    for template in words.templates.values():
        assert template.effect in words.effects
        assert template.cause in words.causes


def test_the_realtime_feed_is_read_back_by_the_bindings() -> None:
    now = datetime(2026, 12, 1, 12, tzinfo=UTC)
    alerts = [
        Alert(1, 1, values(now, now + HOUR, LINE, STOP), "Ana", "Ana", now),
        Alert(2, 1, values(now, None), "Ana", "Ana", now),
    ]
    written = write_alerts(alerts, IDS, lambda alert: f"https://a.br/#{alert.number}", now)
    read = realtime.FeedMessage()
    read.ParseFromString(written.SerializeToString())
    assert read.header.timestamp == int(now.timestamp())
    first, second = (entity.alert for entity in read.entity)
    assert [(one.route_id, one.stop_id) for one in first.informed_entity] == [("V01", ""), ("", "S1")]
    assert (first.active_period[0].end, second.active_period[0].HasField("end")) == (
        int((now + HOUR).timestamp()),
        False,
    )
    assert second.informed_entity[0].agency_id == "ept"
    assert (first.cause, first.effect) == (realtime.Alert.STRIKE, realtime.Alert.NO_SERVICE)
    assert first.header_text.translation[0].text == "Greve"
    assert first.url.translation[0].text == "https://a.br/#1"


@pytest.mark.parametrize(
    ("informed", "ids", "selected"),
    [
        (Informed("line", "V9", "v9", "V9"), IDS, []),
        (Informed("stop", "S9", "s9", "S9"), IDS, []),
        (Informed("town"), PublishedIds((), frozenset({"V01"}), frozenset()), [("", "V01")]),
        (Informed("town"), PublishedIds(("a", "b"), frozenset(), frozenset()), [("a", ""), ("b", "")]),
    ],
)
def test_the_realtime_feed_names_only_what_is_published(
    informed: Informed, ids: PublishedIds, selected: list[tuple[str, str]], now: datetime
) -> None:
    alert = Alert(1, 1, values(now, None, informed), "Ana", "Ana", now)
    message = write_alerts([alert], ids, lambda _: "https://a.br/", now)
    found = [(one.agency_id, one.route_id) for entity in message.entity for one in entity.alert.informed_entity]
    assert found == selected
