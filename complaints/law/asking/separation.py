"""Whether two departures are far enough apart at a shared stop: `selo law ask` with `separation`."""

import re
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, StrictStr

from complaints.law.asking.answer import Answer
from complaints.law.asking.dates import Day
from complaints.law.asking.matter import Matter
from complaints.law.asking.words import Flag, GivenFacts
from complaints.law.fleet_rules import SeparationRule

Weekday = Literal["mo", "tu", "we", "th", "fr", "sa", "su"]
_WEEK: tuple[Weekday, ...] = ("mo", "tu", "we", "th", "fr", "sa", "su")
_CLOCK = re.compile(r"(\d{2,3}):([0-5]\d):([0-5]\d)")


def _read_clock(value: Any) -> int:
    found = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError("not a time written as HH:MM:SS")
    hours, minutes, seconds = (int(part) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds


Clock = Annotated[int, BeforeValidator(_read_clock)]
"""Seconds from the start of the service day, as GTFS writes times; may pass 24 hours."""


class Departure(GivenFacts):
    """A departure at a stop, on a service day or on some weekdays."""

    stop: StrictStr
    direction: StrictStr
    time: Clock
    service_day: Day | None = None
    weekdays: list[Weekday] | None = None
    at_origin: Flag | None = None


class SeparationGiven(GivenFacts):
    """The two departures."""

    complementary: Departure
    conventional: Departure


def answer_separation(matter: Matter[SeparationGiven]) -> Answer:
    """Answer the gap in seconds, or why the two are not compared."""
    rule = matter.rulebook.separation
    if rule is None:
        return Answer("not_applicable")
    answer = Answer(rule=rule.key)
    answer.cite(*rule.citations)
    answer.fields |= {"compared": False, "gap_seconds": None, "required_seconds": rule.minutes * 60, "ok": None}
    reason = _not_compared(matter, answer, rule)
    if reason is not None:
        answer.fields["not_compared_because"] = reason
    elif not answer.missing:
        gap = _gap(matter.given.complementary, matter.given.conventional)
        answer.fields |= {"compared": True, "gap_seconds": gap, "ok": gap >= rule.minutes * 60}
    else:
        answer.fields["compared"] = None
    return answer


def _not_compared(matter: Matter[SeparationGiven], answer: Answer, rule: SeparationRule) -> str | None:
    ours, theirs = matter.given.complementary, matter.given.conventional
    if ours.direction != theirs.direction:
        return "direction"
    if ours.stop != theirs.stop:
        return "stop"
    for name, departure in (("complementary", ours), ("conventional", theirs)):
        if departure.service_day is None and departure.weekdays is None:
            answer.lack(f"given.{name}.service_day")
    if answer.missing:
        return None
    both_dated = ours.service_day is not None and theirs.service_day is not None
    if not both_dated and not set(_days(ours)) & set(_days(theirs)):
        return "no_common_date"
    return _not_at_origin(matter, answer, rule)


def _not_at_origin(matter: Matter[SeparationGiven], answer: Answer, rule: SeparationRule) -> str | None:
    ours, theirs = matter.given.complementary, matter.given.conventional
    if rule.points_setting is None or (ours.at_origin and theirs.at_origin):
        return None
    if matter.setting(rule.points_setting) != "origin_only":
        return None
    if ours.at_origin is False or theirs.at_origin is False:
        return "not_origin"
    for name, departure in (("complementary", ours), ("conventional", theirs)):
        if departure.at_origin is None:
            answer.lack(f"given.{name}.at_origin")
    return None


def _days(departure: Departure) -> list[Weekday]:
    if departure.service_day is not None:
        return [_WEEK[departure.service_day.weekday()]]
    return departure.weekdays or []


def _gap(ours: Departure, theirs: Departure) -> int:
    """Return the seconds between two departures; on service days the instants are compared."""
    apart = ours.time - theirs.time
    if ours.service_day is not None and theirs.service_day is not None:
        apart += _days_between(theirs.service_day, ours.service_day) * 86400
    return abs(apart)


def _days_between(first: date, second: date) -> int:
    return (second - first).days
