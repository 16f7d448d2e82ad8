"""The sheets behind the pages of lines and stops, without a database."""

from datetime import UTC, date, datetime, time
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest

from gtfs.compiled import Direction, Pattern, Profile, StopBoard, StopTimes, Window
from gtfs.published import LineEntry, PublishedFeed, StopEntry
from gtfs.service_days import ServiceDays
from web.rider.line_sheet import judge_validity, list_days, list_positions, show_day, show_way
from web.rider.stop_sheet import Asked, BoardSheet, choose_moment, list_lines_of, show_board

MARICA = ZoneInfo("America/Sao_Paulo")
FIRST, LAST = date(2026, 1, 1), date(2026, 12, 31)
HOUR = 3600
WORKDAYS = ServiceDays("U", 0b0011111, FIRST.toordinal(), LAST.toordinal())
SUNDAYS = ServiceDays("D", 0b1000000, FIRST.toordinal(), LAST.toordinal())
SERVICES = (WORKDAYS, SUNDAYS)
MONDAY = date(2026, 11, 30)


def feed(first: date | None = FIRST, last: date | None = LAST) -> PublishedFeed:
    return PublishedFeed(1, uuid4(), 1, "0" * 64, MARICA, first, last, datetime(2026, 1, 1, tzinfo=UTC))


def line(position: int, short: str = "1", long: str = "Centro x Praia") -> LineEntry:
    return LineEntry(position, f"l{position}", f"L{position}", short, long, "", 3, "", "", True)


def stop(position: int, name: str) -> StopEntry:
    return StopEntry(position, f"s{position}", f"S{position}", "", name, None, None)


STOPS = {position: stop(position, name) for position, name in enumerate(("Centro", "Mercado", "Praia", "Morro"))}


def way(*patterns: Pattern, circular: bool = False, label: str = "Praia", km: float | None = 2.25) -> Direction:
    return Direction(label, circular, km, patterns)


USUAL = Pattern((0, 1, 2), "Praia", profiles=(Profile((0, 300, 720)),), trips={0: ((6 * HOUR, 0), (25 * HOUR, 0))})


@pytest.mark.parametrize(
    ("today", "state"),
    [(FIRST, "good"), (LAST, "good"), (date(2025, 12, 31), "future"), (date(2027, 1, 1), "expired")],
)
def test_validity_includes_both_ends(today: date, state: str) -> None:
    assert judge_validity(feed(), today).state == state


def test_feed_without_days_is_good_for_nothing_known() -> None:
    assert judge_validity(feed(None, None), MONDAY).state == "unknown"
    assert list_days((way(USUAL),), SERVICES, feed(None, None), MONDAY) == ((), ())


def test_days_split_clocks_at_midnight_and_name_idle_days() -> None:
    (sheet,), idle = list_days((way(USUAL),), SERVICES, feed(), MONDAY)
    (leaving,) = sheet.leaving
    assert (sheet.label, sheet.is_today, sheet.is_open) == ("Dias úteis", True, True)
    assert [clock.text for clock in leaving.clocks] == ["06:00"]
    assert [clock.text for clock in leaving.after_midnight] == ["01:00"]
    assert idle == ("Sábados e domingos",)


def test_first_kind_is_open_on_a_day_without_service() -> None:
    (sheet,), _ = list_days((way(USUAL),), SERVICES, feed(), date(2026, 11, 29))
    assert (sheet.is_today, sheet.is_open) == (False, True)


@pytest.mark.parametrize(
    ("start", "end", "note"),
    [
        (date(2026, 1, 5), date(2026, 3, 31), "Até 31/03/2026"),
        (date(2027, 9, 1), date(2027, 12, 31), "A partir de 01/09/2027"),
    ],
)
def test_line_that_ended_long_ago_or_begins_much_later_shows_its_times(start: date, end: date, note: str) -> None:
    services = (ServiceDays("U", 0b0011111, start.toordinal(), end.toordinal()),)
    (sheet,), idle = list_days((way(USUAL),), services, feed(last=date(2028, 12, 31)), MONDAY)
    assert (sheet.label, sheet.note, sheet.is_open, sheet.is_today) == ("Dias úteis", note, True, False)
    assert [clock.text for clock in sheet.leaving[0].clocks] == ["06:00"]
    assert idle == ()


def test_line_that_never_runs_has_no_days() -> None:
    services = (ServiceDays("U", 0, FIRST.toordinal(), LAST.toordinal()),)
    assert list_days((way(USUAL),), services, feed(), MONDAY) == ((), ())


def test_line_without_patterns_has_no_days() -> None:
    assert list_days((), SERVICES, feed(), MONDAY) == ((), ())


def test_chosen_day_has_what_runs_on_it() -> None:
    assert len(show_day((way(USUAL),), SERVICES, MONDAY)) == 1
    assert show_day((way(USUAL),), SERVICES, date(2026, 11, 29)) == ()


@pytest.mark.parametrize(
    ("direction", "words"),
    [
        (way(USUAL), "Sentido Praia"),
        (way(USUAL, circular=True, label="Centro"), "Circular Centro"),
        (way(USUAL, circular=True, label="Circular Centro"), "Circular Centro"),
    ],
)
def test_ways_have_words(direction: Direction, words: str) -> None:
    assert show_way(direction, STOPS).words == words


def test_way_tells_km_minutes_and_what_variants_do() -> None:
    profile = Profile((0, 400))
    short = Pattern((1, 2), "Praia", profiles=(profile,))
    hill = Pattern((0, 1, 3, 2), "Praia via Morro", profiles=(Profile((0, 60, 120, 180)),))
    back = Pattern((1, 0, 2), "Praia", profiles=(Profile((0, 60, 120)),))
    sheet = show_way(way(USUAL, short, hill, back), STOPS)
    assert sheet.km == "2,2 km"
    assert [step.minutes for step in sheet.stops] == ["+0\u00a0min", "+5\u00a0min", "+12\u00a0min"]
    assert not sheet.has_estimates
    assert [(variant.mark, variant.text) for variant in sheet.variants] == [
        ("a", "sai de Mercado"),
        ("b", "Praia via Morro; passa também em Morro"),
        ("c", "sai de Mercado"),
    ]
    assert list_positions((way(USUAL, hill),)) == {0, 1, 2, 3}


def test_many_stops_left_out_are_counted() -> None:
    long = Pattern(tuple(range(10)), "", profiles=(Profile(tuple(range(10))),))
    direct = Pattern((0, 9), "", profiles=(Profile((0, 9)),))
    names = {position: stop(position, f"P{position}") for position in range(10)}
    (variant,) = show_way(way(long, direct), names).variants
    assert variant.text == "não passa em P1, P2, P3, P4 e mais 4 paradas"


BOARD = StopBoard(
    (
        StopTimes(0, "Praia", {0: ((6 * HOUR, False), (7 * HOUR, True), (25 * HOUR, False))}),
        StopTimes(
            1, "Bairro", {}, {0: (Window(5 * HOUR, 9 * HOUR, 1200, 0), Window(9 * HOUR, 10 * HOUR, 1200, 0))}
        ),
    ),
    untimed=(2,),
)
LINES = {position: line(position) for position in range(3)}


NOW = datetime(2026, 11, 30, 9, 0, 40, tzinfo=UTC)


def ask(day: date | None, hour: time | None) -> tuple[Asked, BoardSheet]:
    asked = choose_moment(feed(), NOW, day, hour)
    return asked, show_board(BOARD, SERVICES, feed(), LINES, asked)


def test_now_is_the_present_minute() -> None:
    asked, sheet = ask(None, None)
    assert asked.moment == datetime(2026, 11, 30, 6, 0, tzinfo=MARICA)
    assert [departure.at.hour for _, found in sheet.days for departure in found] == [6, 7, 1]
    assert [day.day for day, _ in sheet.days] == [30, 1]
    assert sheet.has_estimates


def test_whole_day_has_all_of_the_local_day_and_no_more() -> None:
    asked, sheet = ask(date(2026, 12, 1), None)
    assert asked.whole_day
    assert [(day, len(found)) for day, found in sheet.days] == [(date(2026, 12, 1), 3)]


def test_intervals_at_one_pace_are_joined_and_later_ones_left_for_later() -> None:
    _, early = ask(MONDAY, time(6))
    assert [span.words for span in early.intervals] == [("a cada 20 min, das 05:00 às 10:00",)]
    _, late = ask(MONDAY, time(12))
    assert late.intervals == ()


def test_untimed_lines_and_all_lines_are_named() -> None:
    _, sheet = ask(MONDAY, time(6))
    assert [one.position for one in sheet.untimed] == [2]
    assert [one.position for one in sheet.lines] == [0, 1, 2]
    assert list_lines_of(BOARD) == {0, 1, 2}


@pytest.mark.parametrize(
    ("short", "long", "name"),
    [
        ("1", "Centro x Praia", "1 · Centro x Praia"),
        ("", "Praia", "Praia"),
        ("1", "", "1"),
        ("A", "A", "A"),
        ("", "", "L0"),
    ],
)
def test_lines_have_a_name_whatever_the_feed_gives(short: str, long: str, name: str) -> None:
    assert line(0, short, long).name == name
