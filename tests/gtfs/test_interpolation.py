"""Times filled in between the timed stops."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.interpolation import distance_km, fill_times, measure_stops

X = None


def test_blank_stops_are_spread_by_distance_and_marked() -> None:
    times, marks = fill_times([0, X, X, 100], [0, X, X, 100], [[0.0, 1.0, 9.0, 10.0]])
    assert times == [0, 10, 90, 100]
    assert marks == [False, True, True, False]


@pytest.mark.parametrize(
    "measures",
    [[], [[0.0, 2.0, 1.0, 4.0]], [[0.0, X, 2.0, 3.0]], [[5.0, 5.0, 5.0, 5.0]], [[3.0, 2.0, 1.0, 0.0]]],
)
def test_blank_stops_are_spread_evenly_when_no_distance_is_usable(measures: list[list[float | None]]) -> None:
    assert fill_times([0, X, X, 90], [0, X, X, 90], measures)[0] == [0, 30, 60, 90]


def test_second_measure_serves_where_the_first_is_broken() -> None:
    broken: list[float | None] = [0.0, X, X, 3.0]
    assert fill_times([0, X, X, 90], [0, X, X, 90], [broken, [0.0, 8.0, 9.0, 9.0]])[0] == [0, 80, 90, 90]


def test_time_at_a_stop_is_its_departure_and_waiting_is_not_driving() -> None:
    times, _ = fill_times([0, 100, X, 300], [0, 200, X, 300], [])
    assert times == [0, 200, 250, 300]


def test_arrival_alone_serves_as_the_time() -> None:
    assert fill_times([0, X, 60], [X, X, X], [])[0] == [0, 30, 60]


def test_nothing_is_invented_before_the_first_and_after_the_last_timed_stop() -> None:
    assert fill_times([X, 10, X, 30, X], [X, 10, X, 30, X], [])[0] == [X, 10, 20, 30, X]


def test_nothing_is_invented_where_time_goes_back() -> None:
    times, marks = fill_times([86_000, X, 0], [86_000, X, 0], [])
    assert times == [86_000, X, 0]
    assert marks == [False, False, False]


def test_trip_without_times_stays_without() -> None:
    assert fill_times([X, X], [X, X], []) == ([X, X], [False, False])


TIMES = st.lists(st.one_of(st.none(), st.integers(0, 100_000)), min_size=1, max_size=12)


@given(TIMES, st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), min_size=12, max_size=12))
def test_given_times_are_kept_and_estimates_lie_between_their_neighbours(
    given_times: list[int | None], measure: list[float | None]
) -> None:
    times, marks = fill_times(given_times, given_times, [measure[: len(given_times)]])
    for before, time, mark in zip(given_times, times, marks, strict=True):
        assert mark == (before is None and time is not None)
        assert before is None or time == before
    timed = [index for index, time in enumerate(given_times) if time is not None]
    for first, last in pairwise(timed):
        between = [time for time in times[first : last + 1] if time is not None]
        if (given_times[first] or 0) <= (given_times[last] or 0):
            assert between == sorted(between)
            assert len(between) == last - first + 1


def test_distances_add_up_and_end_at_the_first_unknown_place() -> None:
    measured = measure_stops([(0.0, 0.0), (0.0, 1.0), (0.0, 2.0), None, (0.0, 3.0)])
    assert measured[1] == pytest.approx(111.19, abs=0.01)
    assert measured[2] == pytest.approx(222.39, abs=0.01)
    assert measured[3:] == [None, None]
    assert measure_stops([]) == []


@given(st.tuples(st.floats(-90, 90), st.floats(-180, 180)), st.tuples(st.floats(-90, 90), st.floats(-180, 180)))
def test_distance_is_symmetric_and_at_most_half_the_globe(
    one: tuple[float, float], other: tuple[float, float]
) -> None:
    assert 0 <= distance_km(one, other) <= 20_016
    assert distance_km(one, other) == pytest.approx(distance_km(other, one))
