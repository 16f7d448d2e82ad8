"""What a line's page reads from compiled directions, without a feed."""

import pytest

from gtfs.compiled import Direction, Pattern, Profile, Window
from gtfs.line_times import Every, Start, find_departures, list_variants, list_way, name_patterns

FLAT = Profile((0, 300, 600))
SLOW = Profile((0, 360, 900), frozenset({1}))
BLANK = Profile((None, None, None))


def direction(*patterns: Pattern) -> Direction:
    return Direction("Praia", False, None, patterns)


def test_same_start_in_two_services_is_told_once() -> None:
    way = direction(Pattern((1, 2, 3), "", profiles=(FLAT,), trips={0: ((600, 0),), 1: ((600, 0), (900, 0))}))
    assert find_departures(way, frozenset({0, 1})).starts == (Start(600, ""), Start(900, ""))
    assert find_departures(way, frozenset({0})).starts == (Start(600, ""),)
    assert not find_departures(way, frozenset({7}))


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        (Window(0, 3600, 600, 0), Window(3600, 7200, 600, 0), 1),
        (Window(0, 3540, 600, 0), Window(3600, 7200, 600, 0), 1),
        (Window(0, 3600, 600, 0), Window(3600, 7200, 900, 0), 2),
        (Window(0, 3600, 600, 0), Window(3661, 7200, 600, 0), 2),
        (Window(0, 3600, 600, 0), Window(1800, 7200, 600, 0), 2),
        (Window(0, 3600, 600, 0), Window(0, 3600, 600, 0), 1),
    ],
)
def test_intervals_that_go_on_at_one_pace_are_one(first: Window, second: Window, count: int) -> None:
    way = direction(Pattern((1, 2, 3), "", profiles=(FLAT,), windows={0: (first, second)}))
    every = find_departures(way, frozenset({0})).every
    assert len(every) == count
    assert every[0].start == 0
    assert every[-1].end == second.end


def test_intervals_of_different_ways_stay_apart() -> None:
    usual = Pattern((1, 2, 3), "", profiles=(FLAT,), windows={0: (Window(0, 3600, 600, 0),)})
    short = Pattern((1, 2), "", profiles=(Profile((0, 300)),), windows={0: (Window(3600, 7200, 600, 0),)})
    assert find_departures(direction(usual, short), frozenset({0})).every == (
        Every(0, 3600, 600, ""),
        Every(3600, 7200, 600, "a"),
    )


def test_minutes_span_all_trips_of_the_usual_way() -> None:
    way = list_way(direction(Pattern((1, 2, 3), "", closed=frozenset({1}), profiles=(FLAT, SLOW, BLANK))))
    assert [(step.least, step.most) for step in way] == [(0, 0), (5, 6), (10, 15)]
    assert [step.estimated for step in way] == [False, True, False]
    assert [step.closed for step in way] == [False, True, False]


def test_marks_go_on_after_z() -> None:
    patterns = [Pattern((0, number + 1), "", profiles=(Profile((0, 60)),)) for number in range(29)]
    marks = [mark for mark, _ in name_patterns(direction(*patterns))]
    assert [marks[number] for number in (0, 1, 26, 27, 28)] == ["", "a", "z", "aa", "ab"]


def test_pattern_of_the_same_way_shares_its_mark() -> None:
    same = Pattern((1, 2, 3), "", closed=frozenset({2}), profiles=(SLOW,))
    other = Pattern((1, 3), "", profiles=(Profile((0, 500)),))
    marks = [mark for mark, _ in name_patterns(direction(Pattern((1, 2, 3), "", profiles=(FLAT,)), other, same))]
    assert marks == ["", "a", ""]


def test_variant_tells_what_it_adds_and_leaves_out_loops_included() -> None:
    usual = Pattern((1, 2, 3, 2, 1), "Praia", profiles=(Profile((0, 1, 2, 3, 4)),))
    other = Pattern((1, 2, 9, 1), "Praia via 9", profiles=(Profile((0, 1, 2, 3)),))
    (variant,) = list_variants(direction(usual, other))
    assert (variant.headsign, variant.added, variant.skipped) == ("Praia via 9", (9,), (3, 2))
    assert variant.timed_from is None
