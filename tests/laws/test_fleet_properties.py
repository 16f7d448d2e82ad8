"""What holds of every vehicle, fleet, inspection and timetable, whatever the numbers."""

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from complaints.law.asking.engine import ask

MARICA, MACABU, OSTRAS = "marica-2627-2015", "conceicao-de-macabu-1588-2019", "rio-das-ostras-2358-2020"
DAYS = st.dates(date(2021, 1, 1), date(2039, 12, 31))


def put(law: str, kind: str, on: date, facts: dict[str, Any]) -> dict[str, Any]:
    return ask({"rulebook": law, "ask": kind, "on": on.isoformat(), "given": facts})


@settings(max_examples=60)
@given(made=st.integers(2010, 2030), later=st.integers(-200, 300))
def test_the_window_to_replace_is_90_days_after_the_life_of_a_vehicle(made: int, later: int) -> None:
    limit = date(made + 10, 12, 31)
    answer = put(MARICA, "vehicle", limit + timedelta(days=later), {"purpose": "life", "made": made})
    state = "dentro" if later <= 0 else "em-janela-de-substituicao" if later <= 90 else "janela-vencida"
    assert (answer["state"], answer["limit_date"]) == (state, limit.isoformat())
    assert answer["window_end"] == (limit + timedelta(days=90)).isoformat()
    assert answer["human"] is (later > 0)
    assert bool(answer["infractions"]) is (later > 90)


@settings(max_examples=60)
@given(made=DAYS, later=st.integers(0, 20 * 366))
def test_a_vehicle_is_over_age_exactly_when_its_age_exceeds_the_limit(made: date, later: int) -> None:
    answer = put(OSTRAS, "vehicle", made + timedelta(days=later), {"purpose": "stay", "made_on": made.isoformat()})
    assert answer["over_age"] is (answer["age"] > answer["age_limit"])
    assert answer["decision"] == ("refuse" if answer["over_age"] else "accept")


@given(needed=st.integers(0, 500))
def test_a_reserve_fleet_lies_within_its_shares_or_is_not_possible(needed: int) -> None:
    reserve = put(MACABU, "fleet", date(2027, 4, 5), {"needed": needed})["reserve"]
    within = [count for count in range(needed + 1) if Fraction(needed, 10) <= count <= Fraction(needed, 5)]
    ends = (within[0], within[-1]) if within else (None, None)
    assert (reserve["min"], reserve["max"], reserve["possible"]) == (*ends, bool(within))


@settings(max_examples=60)
@given(last=DAYS, later=st.integers(0, 800))
def test_an_inspection_expires_the_day_after_its_last_valid_day(last: date, later: int) -> None:
    on = last + timedelta(days=later)
    answer = put(MARICA, "inspection", on, {"last_on": last.isoformat()})
    through, expired = (date.fromisoformat(answer[name]) for name in ("valid_through", "expired_from"))
    assert expired == through + timedelta(days=1)
    assert answer["public_state"] == ("expired" if on >= expired else "valid")
    assert answer["measures"] == answer["infractions"] == []


@given(ours=st.integers(0, 30 * 3600), theirs=st.integers(0, 30 * 3600), apart=st.integers(-1, 1))
def test_two_departures_are_as_far_apart_whichever_comes_first(ours: int, theirs: int, apart: int) -> None:
    day = date(2027, 4, 6)
    first = _departure(ours, day)
    second = _departure(theirs, day + timedelta(days=apart))
    answer = put(MARICA, "separation", day, {"complementary": first, "conventional": second})
    swapped = put(MARICA, "separation", day, {"complementary": second, "conventional": first})
    assert answer["gap_seconds"] == swapped["gap_seconds"] == abs(theirs + apart * 86400 - ours)
    assert answer["ok"] is (answer["gap_seconds"] >= 900)


def _departure(seconds: int, day: date) -> dict[str, Any]:
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return {"stop": "P1", "direction": "ida", "time": clock, "service_day": day.isoformat(), "at_origin": True}
