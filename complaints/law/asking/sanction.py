"""Which sanctions the grounds allow, who decides them and how: `selo law ask` with `sanction`."""

from datetime import date, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from complaints.law.asking.answer import Answer
from complaints.law.asking.dates import Day
from complaints.law.asking.malformed import MalformedQuestion
from complaints.law.asking.matter import Matter
from complaints.law.asking.words import Count, Flag, GivenFacts, ProvisionWord
from complaints.law.exact_numbers import read_exact
from complaints.law.provisions import Ground, GroundTest, Sanction

if TYPE_CHECKING:
    from complaints.law.sanctions import SanctionRule

Actor = Literal["holder", "auxiliary"]


class GroundFacts(GivenFacts):
    """A ground and the facts its text turns on."""

    key: ProvisionWord
    stopped_minutes: Count | None = None
    justified: Flag | None = None
    trips_due: Count | None = None
    trips_run: Count | None = None
    suspensions: Count = 0
    new_cause: Flag | None = None


class SanctionGiven(GivenFacts):
    """Either a sanction or the grounds for one."""

    sanction: Sanction | None = None
    grounds: list[GroundFacts] = Field(default_factory=list)
    actor: Actor = "holder"
    starts_on: Day | None = None


def check_sanction(matter: Matter[SanctionGiven]) -> None:
    """Refuse a question with neither a sanction nor a ground, and a key that is no ground."""
    given = matter.given
    if given.sanction is None and not given.grounds:
        raise MalformedQuestion("given", "name a sanction or grounds")
    for place, facts in enumerate(given.grounds):
        if not isinstance(matter.rulebook.get_provision(facts.key), Ground):
            raise MalformedQuestion(f"given.grounds.{place}.key", f"{facts.key!r} is no ground of a sanction")


def answer_sanction(matter: Matter[SanctionGiven]) -> Answer:
    """Answer the options open on the grounds that are met, and how to choose among them."""
    rulebook, given = matter.rulebook, matter.given
    if not rulebook.sanctions:
        return Answer("not_applicable")
    answer = Answer()
    options: list[tuple[str, SanctionRule]] = []
    if given.sanction is not None and not given.grounds:
        rules = [rule for rule in rulebook.sanctions if rule.id == given.sanction]
        if not rules:
            return Answer("no_rule", fields={"options": []})
        options = [(rule.citations[0], rule) for rule in rules if rule.actor in (None, given.actor)] or [
            (rules[0].citations[0], rules[0])
        ]
        answer.cite(*rules[0].citations)
    for place, facts in enumerate(given.grounds):
        options += _options_of_ground(matter, answer, place, facts)
    if answer.missing:
        options = []
    _write_options(matter, answer, options)
    return answer


def _options_of_ground(
    matter: Matter[SanctionGiven], answer: Answer, place: int, facts: GroundFacts
) -> "list[tuple[str, SanctionRule]]":
    ground = matter.rulebook.get_provision(facts.key)
    answer.cite(*ground.citations)
    if not isinstance(ground, Ground) or not _is_met(answer, place, facts, ground.test):
        return []
    found = []
    for rule in matter.rulebook.sanctions:
        fits = rule.id in ground.sanctions and rule.actor in (None, matter.given.actor)
        wanted = fits and matter.given.sanction in (None, rule.id)
        if wanted and (rule.allowed_setting is None or matter.setting(rule.allowed_setting)):
            found.append((facts.key, rule))
    return found


def _is_met(answer: Answer, place: int, facts: GroundFacts, test: GroundTest | None) -> bool:
    """Tell whether a ground is met; a fact it turns on that is not given is named as missing."""
    if test is None:
        return True
    path = f"given.grounds.{place}"
    needed: list[tuple[bool | None, str]] = []
    if test.stopped_minutes_over is not None:
        known = facts.stopped_minutes
        needed.append((None if known is None else known > test.stopped_minutes_over, f"{path}.stopped_minutes"))
    if test.trips_cut_over is not None:
        needed.append(_cut(path, facts, read_exact(test.trips_cut_over)))
    if test.suspensions_from is not None:
        needed.append((facts.suspensions >= test.suspensions_from, f"{path}.suspensions"))
    if test.needs_new_cause:
        needed.append((facts.new_cause, f"{path}.new_cause"))
    if test.without_reason == "needed":
        needed.append((None if facts.justified is None else not facts.justified, f"{path}.justified"))
    elif test.without_reason == "unless_justified":
        needed.append((not facts.justified, f"{path}.justified"))
    if any(holds is False for holds, _ in needed):
        return False
    answer.lack(*(name for holds, name in needed if holds is None))
    return all(holds for holds, _ in needed)


def _cut(path: str, facts: GroundFacts, share: Fraction) -> tuple[bool | None, str]:
    if facts.trips_due is None:
        return None, f"{path}.trips_due"
    if facts.trips_run is None:
        return None, f"{path}.trips_run"
    cut = facts.trips_due - facts.trips_run
    return facts.trips_due > 0 and Fraction(cut, facts.trips_due) > share, path


def _write_options(
    matter: Matter[SanctionGiven], answer: Answer, options: "list[tuple[str, SanctionRule]]"
) -> None:
    written = []
    appeals = []
    for key, rule in options:
        written.append(_option(matter, answer, key, rule))
        appeal = _appeal(matter, answer, rule)
        if appeal is not None and appeal not in appeals:
            appeals.append(appeal)
    answer.fields["options"] = written
    answer.rule = options[0][0] if options else None
    answer.human = bool(options)
    if len(options) > 1:
        answer.fields["choose"] = "one" if _same_conduct(matter, [key for key, _ in options]) else "all"
    if len(appeals) == 1:
        answer.fields["appeal"] = appeals[0]


def _same_conduct(matter: Matter[SanctionGiven], keys: list[str]) -> bool:
    """Tell whether one overlap group holds every ground, and its setting leaves a choice."""
    if len(set(keys)) < 2:
        return False
    for overlap in matter.rulebook.overlaps:
        if set(keys) <= set(overlap.rows):
            return overlap.setting is None or matter.setting(overlap.setting) == "choose_one"
    return False


def _option(matter: Matter[SanctionGiven], answer: Answer, key: str, rule: "SanctionRule") -> dict[str, Any]:
    ground = matter.rulebook.find_provision(key)
    own = ground.discretionary if isinstance(ground, Ground) else None
    answer.cite(*rule.decided_by_citations, *rule.process_citations)
    option: dict[str, Any] = {
        "sanction": rule.id,
        "rule": key,
        "decided_by": decided_by(matter, rule),
        "process": rule.process,
        "discretionary": rule.discretionary if own is None else own,
        "with_fine": rule.with_fine,
    }
    if rule.days_max is not None:
        option["days"] = {"min": rule.days_min, "max": rule.days_max}
        if matter.given.starts_on is not None:
            option |= _span(matter.given.starts_on, rule)
    if rule.release:
        option["release"] = _release(matter, rule)
        answer.cite(*rule.release_citations)
    return option


def _span(starts_on: date, rule: "SanctionRule") -> dict[str, str]:
    """The day a suspension starts is its first day."""
    span = {"from": starts_on.isoformat()}
    if rule.days_max is not None and rule.days_min == rule.days_max:
        span["to"] = (starts_on + timedelta(days=rule.days_max - 1)).isoformat()
    return span


def _release(matter: Matter[Any], rule: "SanctionRule") -> list[str]:
    if rule.release_setting is None or matter.setting(rule.release_setting):
        return list(rule.release)
    return [part for part in rule.release if part not in rule.release_if_required]


def decided_by(matter: Matter[Any], rule: "SanctionRule") -> str | None:
    """Return the role that decides a sanction under the readings in use; None where nobody is named."""
    if rule.decided_by_reading is None:
        return rule.decided_by
    value = matter.setting(rule.decided_by_reading.setting)
    return None if value is None else rule.decided_by_reading.readings.get(value, rule.decided_by or value)


def _appeal(matter: Matter[Any], answer: Answer, rule: "SanctionRule") -> dict[str, Any] | None:
    if rule.appeal is None:
        return None
    answer.cite(*rule.appeal.citations)
    to = rule.appeal.to if rule.appeal.to_setting is None else matter.setting(rule.appeal.to_setting)
    return {"to": to, "count": rule.appeal.count, "unit": rule.appeal.unit}
