"""The last day of a step of procedure, under one set of readings."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from complaints.law.asking.dates import add_months, needs_month_end
from complaints.law.asking.found_terms import Term
from complaints.law.asking.matter import Matter
from complaints.law.asking.served import OPTIONAL_DAYS, Served, read_optional_days, told_on
from complaints.law.procedure import Step


@dataclass(frozen=True)
class Defence:
    """A defence filed, and how its rejection was told."""

    filed_on: date
    rejected: Served | None = None


@dataclass(frozen=True)
class StepFacts:
    """What a term may run from."""

    served: Served | None = None
    fixed: date | None = None
    fixed_time: datetime | None = None
    applied_on: date | None = None
    extensions: int = 0
    defence: Defence | None = None


def find_term(matter: Matter[Any], step: Step, facts: StepFacts) -> Term:
    """Find the last day of a step; a fact or a calendar that lacks is named in the term."""
    term = Term(count=_count(matter, step))
    term.cite(*step.citations)
    if term.count is not None and facts.extensions:
        most = step.extensions_max if step.extension_count else 0
        if most is not None and facts.extensions > most:
            term.refused = "too_many_extensions"
            return term
        term.count += step.extension_count * facts.extensions
    if step.unit == "hours":
        return _hours(step, facts, term)
    start = _start(matter, step, facts, term)
    if start is not None and term.count is not None:
        term.due = _last_day(matter, step, start, term)
    return term


def latest_due(matter: Matter[Any], step: Step, facts: StepFacts, reads: set[str]) -> date | None:
    """Return the latest last day under every combination of the readings nobody has chosen."""
    known = set(reads)
    while True:
        found, seen = [], set(known)
        for reading in matter.every_reading(known):
            for one in _undecided_both_ways(reading):
                term = find_term(one, step, facts)
                seen |= one.reads
                if term.due is not None:
                    found.append(term.due)
        if seen == known:
            return max(found, default=None)
        known = seen


def _undecided_both_ways(matter: Matter[Any]) -> list[Matter[Any]]:
    """While days of optional closing are undecided, they also count as days without work."""
    if matter.calendar is None or not matter.calendar.optional:
        return [matter]
    probe = matter.choosing({})
    if probe.setting(OPTIONAL_DAYS) != "undecided":
        return [matter]
    return [matter, matter.choosing({OPTIONAL_DAYS: "non_working"})]


def _count(matter: Matter[Any], step: Step) -> int | None:
    if step.count_setting is None:
        return step.count
    value = matter.setting(step.count_setting)
    return value if isinstance(value, int) else None


def _hours(step: Step, facts: StepFacts, term: Term) -> Term:
    if facts.fixed_time is None:
        term.lack("given.from_time")
    elif term.count is not None:
        term.due_time = facts.fixed_time + timedelta(hours=term.count)
        term.due = term.due_time.date()
    return term


def _start(matter: Matter[Any], step: Step, facts: StepFacts, term: Term) -> date | None:
    if step.starts_on == "application":
        day = facts.applied_on or facts.fixed
        if day is None:
            term.lack("given.applied_on")
        return day
    if step.starts_on == "fixed_day":
        day = facts.fixed or (None if facts.served is None else facts.served.on)
        if day is None:
            term.lack("given.from")
        return day
    if step.held is not None and facts.defence is not None and _is_held(matter, step, facts, term):
        return _told_of_rejection(matter, step, facts, term)
    return _told(matter, step, facts, term)


def _told(matter: Matter[Any], step: Step, facts: StepFacts, term: Term) -> date | None:
    if facts.served is not None:
        term.served_on = told_on(matter, facts.served, "given.served", term)
    elif facts.fixed is not None:
        term.served_on = facts.fixed
    else:
        term.lack("given.served")
    if step.start_setting is not None and matter.setting(step.start_setting) == "application":
        if facts.applied_on is None:
            term.lack("given.applied_on")
        return facts.applied_on
    return term.served_on


def _is_held(matter: Matter[Any], step: Step, facts: StepFacts, term: Term) -> bool:
    """Tell whether a defence in time makes the payment wait."""
    held, defence = step.held, facts.defence
    if held is None or defence is None or facts.served is None:
        return False
    rules = matter.rulebook.find_step(held.defence_step, None)
    last = None if rules is None else latest_due(matter, rules, StepFacts(served=facts.served), set())
    if last is None or defence.filed_on > last:
        return False
    return held.setting is None or bool(matter.setting(held.setting) == "held")


def _told_of_rejection(matter: Matter[Any], step: Step, facts: StepFacts, term: Term) -> date | None:
    if step.held is not None:
        term.citations = list(step.held.citations)
    rejected = None if facts.defence is None else facts.defence.rejected
    if rejected is None:
        term.lack("given.defence.rejected")
        return None
    term.served_on = told_on(matter, rejected, "given.defence.rejected", term)
    return term.served_on


def _last_day(matter: Matter[Any], step: Step, start: date, term: Term) -> date | None:
    count = term.count or 0
    if step.unit == "business":
        return _business(matter, start, count, term)
    if step.unit in ("months", "years"):
        months = count * (12 if step.unit == "years" else 1)
        how = matter.setting("month_end") if needs_month_end(start, months) else "next_day"
        last = add_months(start, months, how)
    else:
        last = start + timedelta(days=count - _starts_early(matter, step))
    return last if step.validity else _rolled(matter, step, last, term)


def _starts_early(matter: Matter[Any], step: Step) -> int:
    if step.first_day_counts:
        return 1
    return 0 if step.validity else int(matter.setting("deadline.first_day") == "included")


def _business(matter: Matter[Any], start: date, count: int, term: Term) -> date | None:
    calendar = matter.calendar
    if calendar is None:
        term.lack("calendar")
        return None
    included = matter.setting("deadline.first_day") == "included"

    def count_from(optional_works: bool) -> date:
        first = included and calendar.works(start, optional_works)
        return calendar.add(start, count - first, optional_works)

    return read_optional_days(matter, count_from)


def _rolled(matter: Matter[Any], step: Step, last: date, term: Term) -> date | None:
    calendar = matter.calendar
    rule = step.rollover_setting or "deadline.rollover"
    if calendar is not None and calendar.works(last, optional_works=False):
        return last
    if matter.setting(rule) == "none":
        return last
    if calendar is None:
        term.lack("calendar")
        return None
    return read_optional_days(matter, lambda optional_works: calendar.next_working(last, optional_works))
