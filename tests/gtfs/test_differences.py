"""The difference between two versions: every planted change is found, and nothing else."""

from dataclasses import dataclass, fields
from datetime import date
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.compiled_feed import CompiledFeed
from gtfs.difference_values import Differences, LineChange, Named, OtherLine, StopChange
from gtfs.differences import find_differences
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import compile_real, compile_small
from tests.gtfs.feed_views import see
from tests.gtfs.real_feeds import FEEDS

FROM = date(2026, 12, 15)

NEW_STOP = small.STOPS + "N,107,Posto,-22.9375,-42.8205,0,\n"
LONG_WAY = small.STOP_TIMES
for _trip, _clock in (("ida-0600", ""), ("ida-0700", ""), ("noite", "25:27:00"), ("domingo", "08:17:00")):
    _last = {"ida-0600": "06:20", "ida-0700": "07:20", "noite": "25:30", "domingo": "08:20"}[_trip]
    LONG_WAY = LONG_WAY.replace(
        f"{_trip},4,P,{_last}:00,{_last}:00", f"{_trip},4,N,{_clock},{_clock}\n{_trip},5,P,{_last}:00,{_last}:00"
    )
EXTRA_TRIP = "L1,U,ida-0800,Praia,0,S1\n"
EXTRA_TIMES = "ida-0800,1,C,08:00:00,08:00:00\nida-0800,2,M,,\nida-0800,3,E,,\nida-0800,4,P,08:20:00,08:20:00\n"


def without(text: str, *starts: str) -> str:
    """The lines of a file that do not start so."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(starts))


@dataclass(frozen=True)
class Planted:
    """A change of the small feed and what is found, as short words."""

    files: dict[str, str]
    found: tuple[str, ...]


def words(differences: Differences) -> tuple[str, ...]:
    """Every fact of a difference, one text each: `kind slug field value`."""
    return tuple(
        [text for line in differences.lines for text in _line_words(line)]
        + [text for stop in differences.stops for text in _facts("stop", stop)]
    )


def _line_words(line: LineChange) -> list[str]:
    found = _facts("line", line)
    found += [text for way in line.ways for text in _facts(f"line {line.slug} way {way.label}:", way)]
    for times in line.times:
        found += _facts(f"line {line.slug} times {times.label}, {times.days}:", times)
    return found


def _facts(start: str, item: object) -> list[str]:
    """The fields that are not as when nothing changes; a state alone when it begins or ends."""
    slug = f" {item.slug}" if isinstance(item, LineChange | StopChange) else ""
    found = []
    for entry in fields(item):  # type: ignore[arg-type]
        value = getattr(item, entry.name)
        skipped = entry.name in ("slug", "name", "label", "days", "ways", "times", "instead", "before", "after")
        if not skipped and value not in ("", (), None, False, 0, "changes", (False, False)):
            found.append(f"{start}{slug} {entry.name} {_write(value)}")
    return found


def _write(value: object) -> str:
    if isinstance(value, Named):
        return value.slug
    return ", ".join(map(_write, value)) if isinstance(value, tuple) else str(value)


PLANTED = {
    "a line that has gone": Planted(
        {"routes_txt": without(small.ROUTES, "L3")},
        ("line 3 state ends",),
    ),
    "a line that is new": Planted(
        {"routes_txt": small.ROUTES + "L4,VILA,4,Ponta Negra,3,,\n"},
        ("line 4 state begins",),
    ),
    "a line under another name": Planted(
        {"routes_txt": small.ROUTES.replace("Itaipuaçu", "Itaipuaçu Velho")},
        ("line 3 renamed 3 · Itaipuaçu, 3 · Itaipuaçu Velho",),
    ),
    "a line with another id and number on the same way": Planted(
        {
            "routes_txt": small.ROUTES.replace("L2,VILA,2,Circular Bairro Novo", "X9,VILA,20,Volta do Bairro"),
            "trips_txt": small.TRIPS.replace("L2,", "X9,"),
        },
        ("line 20 old_slug 2", "line 20 renamed 2 · Circular Bairro Novo, 20 · Volta do Bairro"),
    ),
    "a boat instead of a bus": Planted(
        {"routes_txt": small.ROUTES.replace("Itaipuaçu,3", "Itaipuaçu,4")},
        ("line 3 kind 3, 4",),
    ),
    "a stop that nobody calls at": Planted(
        {"stops_txt": NEW_STOP},
        ("stop posto state begins",),
    ),
    "a line through a new stop": Planted(
        {"stops_txt": NEW_STOP, "stop_times_txt": LONG_WAY},
        ("line 1 way Praia: added posto", "stop posto state begins", "stop posto gained 1"),
    ),
    "a stop that is passed by": Planted(
        {"stop_times_txt": without(small.STOP_TIMES, "volta-0630,2,E")},
        ("line 1 way Centro: removed escola",),
    ),
    "a way that ends earlier": Planted(
        {"stop_times_txt": without(small.STOP_TIMES, "volta-0630,4,C")},
        ("line 1 way Centro: removed rodoviaria-centro", "line 1 way Centro: end Rodoviária Centro, Mercado"),
    ),
    "a direction that has gone": Planted(
        {"trips_txt": without(small.TRIPS, "L1,U,volta"), "stop_times_txt": without(small.STOP_TIMES, "volta")},
        (
            "line 1 way Centro: state ends",
            "line 1 way Centro: removed praia, escola, mercado, rodoviaria-centro",
        ),
    ),
    "stops in another order": Planted(
        {
            "stop_times_txt": small.STOP_TIMES.replace("volta-0630,2,E", "volta-0630,2,X")
            .replace("volta-0630,3,M", "volta-0630,3,E")
            .replace("volta-0630,2,X", "volta-0630,2,M")
        },
        ("line 1 way Centro: reordered True",),
    ),
    "another sign in front": Planted(
        {"trips_txt": small.TRIPS.replace("Centro,1", "Rodoviária,1")},
        ("line 1 way Rodoviária: renamed Centro, Rodoviária",),
    ),
    "one more departure": Planted(
        {"trips_txt": small.TRIPS + EXTRA_TRIP, "stop_times_txt": small.STOP_TIMES + EXTRA_TIMES},
        ("line 1 times Praia, Dias úteis: new 28800",),
    ),
    "one departure less": Planted(
        {
            "trips_txt": without(small.TRIPS, "L1,U,ida-0700"),
            "stop_times_txt": without(small.STOP_TIMES, "ida-0700"),
        },
        ("line 1 times Praia, Dias úteis: dropped 25200",),
    ),
    "an earlier departure on Sundays": Planted(
        {
            "stop_times_txt": small.STOP_TIMES.replace(
                "domingo,1,C,08:00:00,08:00:00", "domingo,1,C,07:50:00,07:50:00"
            )
        },
        (
            "line 1 times Praia, Domingos e feriados: new 28200",
            "line 1 times Praia, Domingos e feriados: dropped 28800",
        ),
    ),
    "a later arrival on the way": Planted(
        {"stop_times_txt": small.STOP_TIMES.replace("06:45:00,06:46:00", "06:45:00,06:48:00")},
        ("line 1 times Centro, Dias úteis: retimed 23400",),
    ),
    "another interval": Planted(
        {"frequencies_txt": small.FREQUENCIES.replace("1200", "900")},
        (
            "line 2 times Rodoviária Centro, Dias úteis: intervals_before 18000, 32400, 1200",
            "line 2 times Rodoviária Centro, Dias úteis: intervals_after 18000, 32400, 900",
        ),
    ),
    "no service on Fridays": Planted(
        {"calendar_txt": small.CALENDAR.replace("U,1,1,1,1,1", "U,1,1,1,1,0")},
        (
            "line 1 times Praia, Sextas: dropped 21600, 25200, 90600",
            "line 1 times Centro, Sextas: dropped 23400",
            "line 2 times Rodoviária Centro, Sextas: intervals_before 18000, 32400, 1200",
        ),
    ),
    "a holiday less": Planted(
        {"calendar_dates_txt": "service_id,date,exception_type\n"},
        (
            "line 1 times Praia, 25/12/2026 (sexta-feira): new 21600, 25200, 90600",
            "line 1 times Praia, 25/12/2026 (sexta-feira): dropped 28800",
            "line 1 times Centro, 25/12/2026 (sexta-feira): new 23400",
            "line 2 times Rodoviária Centro, 25/12/2026 (sexta-feira): intervals_after 18000, 32400, 1200",
        ),
    ),
    "a stop under another name": Planted(
        {"stops_txt": small.STOPS.replace("Mercado", "Feira")},
        ("stop mercado renamed Mercado, Feira",),
    ),
    "the last stop of a circle under another name": Planted(
        {"stops_txt": small.STOPS.replace("Rodoviária Centro", "Terminal")},
        ("stop rodoviaria-centro renamed Rodoviária Centro, Terminal",),
    ),
    "a stop with another code": Planted(
        {"stops_txt": small.STOPS.replace("103,Escola", "903,Escola")},
        ("stop escola code 103, 903",),
    ),
    "a stop 111 metres further": Planted(
        {"stops_txt": small.STOPS.replace("-22.9350", "-22.9360")},
        ("stop escola moved 111",),
    ),
    "a stop with another id and name at the same place": Planted(
        {
            "stops_txt": small.STOPS.replace("Q,105,Praça,-22.9100", "Q2,105,Largo,-22.91005"),
            "stop_times_txt": small.STOP_TIMES.replace(",Q,", ",Q2,"),
        },
        ("stop largo old_slug praca", "stop largo renamed Praça, Largo"),
    ),
    "a stop that has gone": Planted(
        {"stops_txt": without(small.STOPS, "M,"), "stop_times_txt": "".join(
            line for line in small.STOP_TIMES.splitlines(keepends=True) if ",M," not in line
        )},
        (
            "line 1 way Praia: removed mercado",
            "line 1 way Centro: removed mercado",
            "stop mercado state ends",
            "stop mercado lost 1",
        ),
    ),
}  # fmt: skip
UNSEEN = {
    "a stop 11 metres further": {"stops_txt": small.STOPS.replace("-22.9350", "-22.9351")},
    "seconds": {"stop_times_txt": small.STOP_TIMES.replace("05:25:00", "05:25:20")},
    "a new id for every trip": {
        "trips_txt": small.TRIPS.replace(",ida-", ",outra-"),
        "stop_times_txt": small.STOP_TIMES.replace("ida-", "outra-"),
    },
    "a new id for the same service": {
        name: text.replace("U,", "UTEIS,").replace("QUTEIS,", "QU,")
        for name, text in (
            ("calendar_txt", small.CALENDAR),
            ("calendar_dates_txt", small.CALENDAR_DATES),
            ("trips_txt", small.TRIPS),
        )
    },
    "a new id for the same line": {
        "routes_txt": small.ROUTES.replace("L1,", "LINHA1,"),
        "trips_txt": small.TRIPS.replace("L1,", "LINHA1,"),
    },
    "the next year": {
        "calendar_txt": small.CALENDAR.replace("20260101,20271231", "20270101,20281231"),
        "calendar_dates_txt": small.CALENDAR_DATES.replace("2026", "2027"),
    },
    "the year after the earlier one ends": {
        "calendar_txt": small.CALENDAR.replace("20260101,20271231", "20280101,20281231"),
        "calendar_dates_txt": "service_id,date,exception_type\n",
    },
    "a longer year": {"calendar_txt": small.CALENDAR.replace("20271231", "20280630")},
    "an earlier end": {"calendar_txt": small.CALENDAR.replace("20271231", "20270320")},
    "lines in another order": {
        "routes_txt": small.ROUTES.splitlines(keepends=True)[0]
        + "".join(reversed(small.ROUTES.splitlines(keepends=True)[1:]))
    },
    "a colour": {"routes_txt": small.ROUTES.replace("1351B4", "B41313")},
}


def compare(**changes: str) -> Differences:
    return difference(compile_small()[1], compile_small(**changes)[1])


def difference(earlier: CompiledFeed, later: CompiledFeed) -> Differences:
    before, after = see(earlier, later)
    return find_differences(before, after, FROM)


def slugs(found: Differences, state: str) -> set[str]:
    """The lines and stops that begin, end or change."""
    items: tuple[LineChange | StopChange, ...] = (*found.lines, *found.stops)
    return {item.slug for item in items if item.state == state}


@pytest.mark.parametrize("change", PLANTED)
def test_planted_change_is_found_and_nothing_else(change: str) -> None:
    planted = PLANTED[change]
    assert words(compare(**planted.files)) == planted.found


@pytest.mark.parametrize("change", UNSEEN)
def test_what_riders_do_not_notice_is_no_change(change: str) -> None:
    assert words(compare(**UNSEEN[change])) == ()


@pytest.mark.parametrize("change", PLANTED)
def test_changed_feed_does_not_differ_from_itself(change: str) -> None:
    once, again = see(*[compile_small(**PLANTED[change].files)[1]] * 2)
    assert not find_differences(once, again, FROM)


@given(st.sampled_from(sorted(PLANTED)), st.sampled_from(sorted(PLANTED)), st.dates(date(2024, 1, 1)))
def test_a_change_and_its_opposite_are_seen_on_the_same_lines_and_stops(one: str, other: str, day: date) -> None:
    first, second = see(compile_small(**PLANTED[one].files)[1], compile_small(**PLANTED[other].files)[1])
    there, back = find_differences(first, second, day), find_differences(second, first, day)
    assert slugs(there, "begins") == slugs(back, "ends")
    assert slugs(there, "ends") == slugs(back, "begins")
    assert bool(there) == bool(back) == (one != other)


@pytest.mark.parametrize("name", FEEDS)
def test_real_feed_does_not_differ_from_itself(name: str) -> None:
    once, again = see(*[compile_real(name)] * 2)
    started = perf_counter()
    assert not find_differences(once, again, FROM)
    assert perf_counter() - started < 5


def test_times_tell_how_many_departures_and_the_first_and_last() -> None:
    (line,) = compare(**PLANTED["one more departure"].files).lines
    (times,) = line.times
    assert (times.before.departures, times.before.first, times.before.last) == (3, 21600, 90600)
    assert (times.after.departures, times.after.first, times.after.last) == (4, 21600, 90600)
    (circle,) = compare(**PLANTED["another interval"].files).lines
    assert [span.departures for span in (circle.times[0].before, circle.times[0].after)] == [12, 16]


def test_stop_that_ends_names_the_nearest_with_its_lines() -> None:
    near = small.STOPS.replace("-22.9350", "-22.9280")
    files = {"stops_txt": near, "stop_times_txt": small.STOP_TIMES}
    before = compile_small(**files)[1]
    files = {name: "".join(
        line for line in text.splitlines(keepends=True) if ",M," not in line and not line.startswith("M,")
    ) for name, text in files.items()}  # fmt: skip
    (stop,) = difference(before, compile_small(**files)[1]).stops
    assert (stop.slug, stop.state) == ("mercado", "ends")
    (instead,) = stop.instead
    assert (instead.stop.slug, instead.metres, [line.slug for line in instead.lines]) == ("escola", 334, ["1"])


def test_line_that_ends_names_the_line_that_serves_its_stops() -> None:
    routes = small.ROUTES + "L9,VILA,9,Circular da Noite,3,,\n"
    trips = small.TRIPS + "L9,U,nove,,,\n"
    times = small.STOP_TIMES + "nove,1,C,20:00:00,20:00:00\nnove,2,M,,\nnove,3,Q,20:20:00,20:20:00\n"
    before = compile_small(routes_txt=routes, trips_txt=trips, stop_times_txt=times)[1]
    found = difference(before, compile_small()[1])
    (line,) = found.lines
    assert (line.slug, line.state) == ("9", "ends")
    assert line.instead == (
        OtherLine(Named("1", "1 · Centro x Praia"), 2, 3),
        OtherLine(Named("2", "2 · Circular Bairro Novo"), 2, 3),
    )


def test_line_that_stops_running_names_others_too() -> None:
    trips, times = without(small.TRIPS, "L2,"), without(small.STOP_TIMES, "circular")
    found = compare(trips_txt=trips, stop_times_txt=times, frequencies_txt=without(small.FREQUENCIES, "circular"))
    (line,) = found.lines
    assert [way.state for way in line.ways] == ["ends"]
    assert line.instead == (OtherLine(Named("1", "1 · Centro x Praia"), 1, 3),)
    assert {stop.slug: stop.abandoned for stop in found.stops} == {
        "rodoviaria-centro": False,
        "praca": True,
        "bairro-novo": True,
    }
