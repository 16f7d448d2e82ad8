"""Sanctions that a record gives reason to propose; a person decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from complaints.law.asking.answer import Answer
from complaints.law.asking.dates import add_months, needs_month_end
from complaints.law.asking.matter import Matter
from complaints.law.asking.record_facts import RecordGiven
from complaints.law.asking.repeats import Earlier, NewFact, find_repeats
from complaints.law.asking.sanction import decided_by

if TYPE_CHECKING:
    from complaints.law.sanctions import SanctionRule, Trigger


@dataclass(frozen=True)
class Entry:
    """An entry that is not annulled, as known on the day asked about."""

    infraction: str
    on: date
    class_id: str | None
    points: int
    annex_item: int | None
    applied_on: date | None
    final_on: date | None
    served_on: date | None
    by: Literal["holder", "auxiliary"]
    spent: bool


@dataclass(frozen=True)
class Proposal:
    """A sanction proposed by a trigger, the first and last entries counted, and since when it holds."""

    trigger: "Trigger"
    points: int | None = None
    first: date | None = None
    last: date | None = None
    proposed_on: date | None = None
    by: Literal["holder", "auxiliary"] = "holder"


def propose(
    matter: Matter[RecordGiven], answer: Answer, trigger: "Trigger", entries: Sequence[Entry]
) -> list[Proposal]:
    """Return what a trigger without a window of classes proposes: at most one."""
    if trigger.counts == "suspensions":
        return _by_suspensions(matter, answer, trigger)
    if trigger.counts == "overdue_fines":
        return _by_overdue_fines(matter, answer, trigger)
    if trigger.counts == "recidivism":
        return _by_recidivism(matter, trigger, entries)
    return _by_pairs(matter, answer, trigger, entries)


def proposal_json(matter: Matter[Any], answer: Answer, proposal: Proposal) -> dict[str, Any]:
    """Return a proposal as the answer shows it, with who decides it and how."""
    trigger = proposal.trigger
    rule = _sanction_rule(matter, trigger, proposal.by)
    answer.cite(*rule.decided_by_citations, *rule.process_citations)
    shown: dict[str, Any] = {
        "sanction": rule.id,
        "rule": trigger.rule,
        "decided_by": decided_by(matter, rule),
        "process": rule.process,
        "discretionary": rule.discretionary if trigger.discretionary is None else trigger.discretionary,
    }
    if proposal.points is not None:
        shown["points"] = proposal.points
    days = {"from": proposal.first, "to": proposal.last, "proposed_on": proposal.proposed_on}
    shown |= {name: day.isoformat() for name, day in days.items() if day is not None}
    if rule.days_max is not None:
        shown["days"] = {"min": rule.days_min, "max": rule.days_max}
    if trigger.extends_to:
        shown["extends_to"] = list(trigger.extends_to)
    return shown


def _sanction_rule(matter: Matter[Any], trigger: "Trigger", by: str) -> "SanctionRule":
    """Return the trigger's sanction, or the one of the same ground meant for this kind of person."""
    rules = {rule.id: rule for rule in matter.rulebook.sanctions}
    rule = rules[trigger.sanction]
    if rule.actor in (None, by):
        return rule
    return next((other for other in rules.values() if other.actor == by), rule)


def _by_suspensions(matter: Matter[RecordGiven], answer: Answer, trigger: "Trigger") -> list[Proposal]:
    days = sorted(day for day in matter.given.suspensions if day <= matter.on)
    for place in range(len(days) - trigger.threshold, -1, -1):
        first, last = days[place], days[place + trigger.threshold - 1]
        if trigger.months is None or last <= _later(matter, first, trigger.months):
            if trigger.needs_new_cause and matter.given.new_cause is None:
                answer.lack("given.new_cause")
            if trigger.needs_new_cause and not matter.given.new_cause:
                return []
            return [Proposal(trigger, first=first, last=last, proposed_on=last)]
    return []


def _by_overdue_fines(matter: Matter[RecordGiven], answer: Answer, trigger: "Trigger") -> list[Proposal]:
    given = matter.given
    if given.overdue_fines < trigger.threshold:
        return []
    if trigger.needs_notice_term_over and given.notice_term_over is None:
        answer.lack("given.notice_term_over")
    if trigger.needs_notice_term_over and not given.notice_term_over:
        return []
    return [Proposal(trigger)]


def _by_recidivism(matter: Matter[Any], trigger: "Trigger", entries: Sequence[Entry]) -> list[Proposal]:
    rules = matter.rulebook.recidivism
    if rules is None:
        return []
    earlier = [
        Earlier("", entry.infraction, entry.on, "fine", entry.applied_on, entry.final_on, entry.served_on)
        for entry in entries
    ]
    for entry in sorted(entries, key=lambda entry: entry.on, reverse=True):
        repeats = find_repeats(matter, rules, NewFact(entry.infraction, entry.on), earlier)
        if repeats.counted:
            first = min(past.on for past in repeats.counted)
            return [Proposal(trigger, first=first, last=entry.on, proposed_on=entry.on, by=entry.by)]
    return []


def _by_pairs(matter: Matter[Any], answer: Answer, trigger: "Trigger", entries: Sequence[Entry]) -> list[Proposal]:
    """Two entries, both final: near enough to each other, for a repeat the first final before the second."""
    classes = _classes(matter, trigger)
    final = [
        entry
        for entry in entries
        if entry.final_on is not None
        and (not trigger.infractions or entry.infraction in trigger.infractions)
        and (not classes or entry.class_id in classes)
    ]
    if len(final) < trigger.threshold:
        return []
    if not _is_set(matter, answer, trigger):
        return []
    return _latest_pair(matter, trigger, sorted(final, key=lambda entry: entry.on))


def _latest_pair(matter: Matter[Any], trigger: "Trigger", final: Sequence[Entry]) -> list[Proposal]:
    for second in reversed(final):
        for first in final:
            if first is second or not _makes_pair(matter, trigger, first, second):
                continue
            since = max(day for day in (first.final_on, second.final_on) if day is not None)
            return [Proposal(trigger, first=first.on, last=second.on, proposed_on=since)]
    return []


def _makes_pair(matter: Matter[Any], trigger: "Trigger", first: Entry, second: Entry) -> bool:
    if trigger.counts != "repeat":
        return first.on <= second.on and _near(matter, trigger, first.on, second.on)
    if first.final_on is None or first.final_on >= second.on or _lapsed(matter, first, second):
        return False
    if trigger.days is None:
        return True
    by_fact = (second.on - first.on).days <= trigger.days
    by_decision = (second.on - first.final_on).days <= trigger.days
    if by_fact == by_decision or trigger.anchor_setting is None:
        return by_fact
    return by_fact if matter.setting(trigger.anchor_setting) == "fact_to_fact" else by_decision


def _near(matter: Matter[Any], trigger: "Trigger", first: date, second: date) -> bool:
    if trigger.days_setting is not None:
        days = matter.setting(trigger.days_setting)
        return days is None or (second - first).days <= days
    if trigger.months_setting is not None:
        months = int(matter.setting(trigger.months_setting).partition("_")[0])
        return second <= _later(matter, first, months)
    return trigger.days is None or (second - first).days <= trigger.days


def _lapsed(matter: Matter[Any], first: Entry, second: Entry) -> bool:
    rules = matter.rulebook.recidivism
    if rules is None or rules.lapse_months is None or first.served_on is None:
        return False
    return second.on > _later(matter, first.served_on, rules.lapse_months)


def _classes(matter: Matter[Any], trigger: "Trigger") -> tuple[str, ...]:
    if trigger.classes_setting is None:
        return trigger.classes
    value = matter.setting(trigger.classes_setting)
    if value is None or isinstance(value, tuple):
        return value or ()
    return trigger.classes_by_reading.get(value, trigger.classes)


def _is_set(matter: Matter[Any], answer: Answer, trigger: "Trigger") -> bool:
    """Tell whether the authority has set what the text leaves open; what is not set is named."""
    open_ones = [trigger.months_setting]
    if trigger.classes_setting is not None and not trigger.classes:
        open_ones.append(trigger.classes_setting)
    unset = [key for key in open_ones if key is not None and matter.setting(key) is None]
    answer.leave_open(*unset)
    return not unset


def _later(matter: Matter[Any], start: date, months: int) -> date:
    if needs_month_end(start, months):
        return add_months(start, months, matter.setting("month_end"))
    return add_months(start, months)
