"""Whether the registry may carry out an action: `selo law ask` with `permit`."""

from datetime import date, timedelta
from typing import Literal

from complaints.law.asking.answer import Answer
from complaints.law.asking.dates import Day, add_months, needs_month_end
from complaints.law.asking.malformed import MalformedQuestion
from complaints.law.asking.matter import Matter
from complaints.law.asking.words import Count, Flag, GivenFacts
from complaints.law.fleet_rules import Action, PermitRule

_FACTS: dict[str, tuple[str, ...]] = {
    "register_holder": ("document",),
    "register_vehicle": ("active_vehicles", "replacing", "active_elsewhere"),
    "assign_line": ("lines_of_vehicle", "lines_of_holder"),
    "transfer": (),
    "register_auxiliary": ("active_auxiliaries",),
    "award_after_cassation": ("effective_on", "award_on"),
    "give_up": ("announced_on", "stop_on"),
    "interruption": ("days_this_year", "days_asked"),
    "emergency_substitute": ("used_for_same_fact", "original"),
}


class PermitGiven(GivenFacts):
    """An action and the facts it turns on; counts are those before the action."""

    action: Action
    document: Literal["cpf", "cnpj"] | None = None
    active_vehicles: Count | None = None
    replacing: Flag | None = None
    active_elsewhere: Flag | None = None
    lines_of_vehicle: Count | None = None
    lines_of_holder: Count | None = None
    active_auxiliaries: Count | None = None
    effective_on: Day | None = None
    award_on: Day | None = None
    announced_on: Day | None = None
    stop_on: Day | None = None
    days_this_year: Count | None = None
    days_asked: Count | None = None
    used_for_same_fact: Flag | None = None
    original: Literal["ok", "rejected", "inspection_expired", "life_expired"] | None = None


def check_permit(matter: Matter[PermitGiven]) -> None:
    """Refuse facts that belong to another action."""
    given = matter.given
    for name in given.model_fields_set - {"action", *_FACTS[given.action]}:
        raise MalformedQuestion(f"given.{name}", f"no fact of {given.action}")


def answer_permit(matter: Matter[PermitGiven]) -> Answer:
    """Answer the first rule that refuses the action, or that all accept it."""
    if not matter.rulebook.permits:
        return Answer("not_applicable", fields={"decision": None})
    rules = [rule for rule in matter.rulebook.permits if rule.action == matter.given.action]
    if not rules:
        return Answer("no_rule", fields={"decision": None})
    answer = Answer(fields={"decision": None})
    for rule in rules:
        matter.name_settings(answer, rule.facts_settings)
    verdicts = [(rule, _refuses(matter, answer, rule)) for rule in rules]
    refusing = next((rule for rule, refuses in verdicts if refuses), None)
    if refusing is not None:
        answer.missing, answer.status = [], "answered"
        _write(answer, refusing, "refuse")
        answer.cite(*refusing.refusal_citations)
    else:
        answer.cite(*(place for rule in rules for place in rule.citations))
        for rule in reversed(rules):
            _write(answer, rule, None if answer.missing else "accept")
    return answer


def _write(answer: Answer, rule: PermitRule, decision: str | None) -> None:
    answer.rule = rule.key
    answer.cite(*rule.citations)
    answer.fields |= {"decision": decision, "modality": rule.modality}
    if decision == "refuse" and rule.override:
        answer.fields["override"] = True
    answer.human = answer.human or rule.modality == "power" or (decision == "refuse" and rule.override)


def _refuses(matter: Matter[PermitGiven], answer: Answer, rule: PermitRule) -> bool | None:
    """Tell whether a rule refuses; None when a fact it needs is not given."""
    given = matter.given
    if rule.forbidden:
        return True
    if rule.refuses_document is not None:
        return _refuses_document(matter, answer, rule)
    if rule.elsewhere:
        return _known(answer, "active_elsewhere", given.active_elsewhere)
    if rule.counts is not None:
        return _exceeds(matter, answer, rule)
    if rule.years is not None:
        return _is_barred(matter, answer, rule)
    if given.action == "give_up" and rule.days is not None:
        return _too_soon(answer, given.announced_on, given.stop_on, rule.days)
    if given.action == "interruption" and rule.days is not None:
        return _too_long(answer, given.days_this_year, given.days_asked, rule.days)
    if given.action == "emergency_substitute":
        return _not_substitutable(answer, given, rule)
    return False


def _known(answer: Answer, name: str, fact: bool | None) -> bool | None:
    if fact is None:
        answer.lack(f"given.{name}")
    return fact


def _refuses_document(matter: Matter[PermitGiven], answer: Answer, rule: PermitRule) -> bool | None:
    document = matter.given.document
    if document is None:
        answer.lack("given.document")
        return None
    if document != rule.refuses_document:
        return False
    return rule.document_setting is None or not matter.setting(rule.document_setting)


def _exceeds(matter: Matter[PermitGiven], answer: Answer, rule: PermitRule) -> bool | None:
    given = matter.given
    count = getattr(given, rule.counts or "")
    if count is None:
        answer.lack(f"given.{rule.counts}")
        return None
    limit = rule.limit if rule.limit_setting is None else matter.setting(rule.limit_setting)
    if count < limit:
        return False
    if rule.counts == "active_vehicles":
        replacing = _known(answer, "replacing", given.replacing)
        return None if replacing is None else not replacing or count > limit
    return True


def _is_barred(matter: Matter[PermitGiven], answer: Answer, rule: PermitRule) -> bool | None:
    given = matter.given
    if given.effective_on is None:
        answer.lack("given.effective_on")
        return None
    months = 12 * (rule.years or 0)
    how = matter.setting("month_end") if needs_month_end(given.effective_on, months) else "next_day"
    last = add_months(given.effective_on, months, how)
    answer.fields |= {"last_barred": last.isoformat(), "first_possible": (last + timedelta(days=1)).isoformat()}
    if given.award_on is None:
        answer.lack("given.award_on")
        return None
    return given.award_on <= last


def _too_soon(answer: Answer, announced: date | None, stop: date | None, days: int) -> bool | None:
    if announced is None:
        answer.lack("given.announced_on")
        return None
    answer.fields["first_possible"] = (announced + timedelta(days=days)).isoformat()
    if stop is None:
        answer.lack("given.stop_on")
        return None
    answer.fields["days"] = (stop - announced).days
    return (stop - announced).days < days


def _too_long(answer: Answer, used: int | None, asked: int | None, days: int) -> bool | None:
    for name, fact in (("days_this_year", used), ("days_asked", asked)):
        if fact is None:
            answer.lack(f"given.{name}")
    if used is None or asked is None:
        return None
    answer.fields["days"] = used + asked
    return used + asked > days


def _not_substitutable(answer: Answer, given: PermitGiven, rule: PermitRule) -> bool | None:
    if rule.original_must_be_ok:
        if given.original is None:
            answer.lack("given.original")
            return None
        return given.original != "ok"
    answer.fields["days"] = rule.days
    return _known(answer, "used_for_same_fact", given.used_for_same_fact)
