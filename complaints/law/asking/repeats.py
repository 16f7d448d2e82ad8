"""Whether an earlier infraction makes somebody a repeater, as the rulebook defines it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from complaints.law.asking.dates import add_months, needs_month_end
from complaints.law.asking.matter import Matter
from complaints.law.citations import item_of

if TYPE_CHECKING:
    from complaints.law.fines import Recidivism


@dataclass(frozen=True)
class Earlier:
    """An earlier infraction and what became of it; `place` is its path in the question."""

    place: str
    infraction: str
    on: date
    outcome: Literal["fine", "warning", "annulled", "pending"]
    decided_on: date | None = None
    final_on: date | None = None
    served_on: date | None = None
    amount: str | None = None


@dataclass(frozen=True)
class NewFact:
    """The infraction asked about; the later dates are None when not known on the day asked about."""

    infraction: str
    on: date
    notice_on: date | None = None
    decision_on: date | None = None


@dataclass
class Repeats:
    """What was found: the earlier infractions that count, facts without which it cannot be told."""

    counted: list[Earlier]
    missing: list[str]
    looked_at_lapse: bool = False

    @property
    def is_repeater(self) -> bool | None:
        """Whether there is a repeat; None when that cannot be told."""
        if self.counted:
            return True
        return None if self.missing else False


def find_repeats(matter: Matter[Any], rules: "Recidivism", new: NewFact, history: Sequence[Earlier]) -> Repeats:
    """Find which earlier infractions, all known by the day asked about, make the new one a repeat."""
    found = Repeats([], [])
    for past in history:
        if _counts(matter, rules, new, past, found):
            found.counted.append(past)
    return found


def is_same(matter: Matter[Any], word: str, one: str, other: str) -> bool:
    """Tell whether two rows are the same violation: `leaf` and `same_provision`, `item`, or `any`."""
    rulebook = matter.rulebook
    if word == "any" or rulebook.charged_key(one) == rulebook.charged_key(other):
        return True
    if word != "item":
        return False
    first, second = rulebook.find_provision(one), rulebook.find_provision(other)
    return first is not None and second is not None and item_of(first.citations[0]) == item_of(second.citations[0])


def _counts(matter: Matter[Any], rules: "Recidivism", new: NewFact, past: Earlier, found: Repeats) -> bool:
    if past.outcome == "annulled" or (past.outcome == "pending" and rules.final != "not_needed"):
        return False
    return (
        _matches(matter, rules, new, past)
        and _in_time(matter, rules, new, past, found)
        and _is_final(matter, rules, new, past, found)
        and not _has_lapsed(matter, rules, new, past, found)
        and _warning_counts(matter, rules, past)
    )


def _matches(matter: Matter[Any], rules: "Recidivism", new: NewFact, past: Earlier) -> bool:
    if rules.match_setting is None:
        return is_same(matter, rules.match, new.infraction, past.infraction)
    words = matter.rulebook.get_setting(rules.match_setting).values
    outcomes = {is_same(matter, str(word), new.infraction, past.infraction) for word in words}
    if len(outcomes) == 1:
        return outcomes.pop()
    return is_same(matter, matter.setting(rules.match_setting), new.infraction, past.infraction)


def _in_time(matter: Matter[Any], rules: "Recidivism", new: NewFact, past: Earlier, found: Repeats) -> bool:
    if rules.window_days is not None:
        if new.notice_on is None:
            found.missing.append("given.notice_on")
            return False
        return 1 <= (new.notice_on - past.on).days <= rules.window_days
    if past.on >= new.on:
        return False
    start: date | None = past.on
    if rules.anchor_setting is not None and matter.setting(rules.anchor_setting) == "decided":
        start = past.decided_on
        if start is None:
            found.missing.append(f"{past.place}.decided_on")
            return False
    if rules.window_months is None or start is None:
        return True
    return start < new.on <= _later(matter, start, rules.window_months)


def _is_final(matter: Matter[Any], rules: "Recidivism", new: NewFact, past: Earlier, found: Repeats) -> bool:
    if rules.final == "not_needed":
        return True
    if past.final_on is None:
        return False
    if rules.final == "before_fact":
        return past.final_on < new.on
    limit = new.notice_on
    if rules.final_setting is not None and matter.setting(rules.final_setting) == "decision_date":
        limit = new.decision_on
        if limit is None:
            found.missing.append("given.decision_on")
    return limit is not None and past.final_on <= limit


def _has_lapsed(matter: Matter[Any], rules: "Recidivism", new: NewFact, past: Earlier, found: Repeats) -> bool:
    if rules.lapse_months is None or past.served_on is None:
        return False
    found.looked_at_lapse = True
    return new.on > _later(matter, past.served_on, rules.lapse_months)


def _warning_counts(matter: Matter[Any], rules: "Recidivism", past: Earlier) -> bool:
    if past.outcome != "warning" or rules.warnings_setting is None:
        return True
    return bool(matter.setting(rules.warnings_setting))


def _later(matter: Matter[Any], start: date, months: int) -> date:
    if needs_month_end(start, months):
        return add_months(start, months, matter.setting("month_end"))
    return add_months(start, months)
