"""Which rows a complaint points to, for staff to look at: `selo law ask` with `complaint`."""

import re
from datetime import time
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, StrictBool, StrictStr, ValidationInfo

from complaints.law.asking.answer import Answer
from complaints.law.asking.matter import Matter
from complaints.law.asking.rows import row_json
from complaints.law.asking.words import GivenFacts, ServiceWord, rulebook_of
from complaints.law.grievances import StopFact
from complaints.law.provisions import Duty, Infraction
from complaints.law.vocabulary import get_vocabulary

_SEAL_NOTES = {"unknown_code": "seal_not_found", "unreadable": "seal_unreadable", "missing": "seal_missing"}


def _known_subject(key: str, info: ValidationInfo) -> str:
    if not rulebook_of(info).knows_subject(key):
        raise ValueError(f"{rulebook_of(info).law.id} has no subject {key!r}")
    return key


def _known_topic(word: str) -> str:
    if word not in get_vocabulary().topics:
        raise ValueError(f"unknown topic {word!r}")
    return word


def _read_hour(value: Any) -> time:
    if not isinstance(value, str) or re.fullmatch(r"\d{2}:\d{2}", value) is None:
        raise ValueError("not a time written as HH:MM")
    return time.fromisoformat(value)


class FactGiven(GivenFacts):
    """Something that happened at a stop."""

    kind: Literal["off_stop_boarding", "signal_ignored"]
    at: Annotated[time, BeforeValidator(_read_hour)]
    official_stop: StrictBool


class ComplaintGiven(GivenFacts):
    """What is complained of, by subject, topic or fact, and what became of the seal."""

    subject: Annotated[StrictStr, AfterValidator(_known_subject)] | None = None
    topic: Annotated[StrictStr, AfterValidator(_known_topic)] | None = None
    fact: FactGiven | None = None
    service: ServiceWord | None = None
    seal: Literal["found", "unknown_code", "unreadable", "missing"] | None = None


def answer_complaint(matter: Matter[ComplaintGiven]) -> Answer:
    """Answer the rows that staff may look at; a complaint is always accepted and never a penalty."""
    answer = Answer()
    keys = _candidates(matter, answer)
    keys = [key for key in dict.fromkeys(keys) if _is_offered(matter, key)]
    answer.fields |= {
        "accepted": True,
        "candidates": [row_json(matter, key) for key in keys],
        "penalty": None,
        "points": 0,
        "reply_deadline": None,
    }
    if len(keys) > 1:
        answer.fields["choose"], answer.human = "one", True
    _write_direct_rule(matter, answer, keys)
    if matter.given.seal in _SEAL_NOTES:
        answer.fields["seal_note"] = _SEAL_NOTES[matter.given.seal]
    _write_right(matter, answer)
    return answer


def _candidates(matter: Matter[ComplaintGiven], answer: Answer) -> list[str]:
    given = matter.given
    if given.subject is not None:
        answer.rule = given.subject
        return _of_subject(matter, answer, given.subject)
    if given.fact is not None:
        return _of_fact(matter, answer, given.fact)
    if given.topic is not None:
        answer.rule = given.topic
        return _of_topic(matter, answer, given.topic)
    return []


def _of_subject(matter: Matter[ComplaintGiven], answer: Answer, key: str) -> list[str]:
    """The row itself and those of the same conduct; for other subjects the rows the law offers."""
    rulebook = matter.rulebook
    row = rulebook.find_provision(key)
    if row is not None:
        answer.cite(*row.citations)
    if row is not None and not isinstance(row, Duty):
        same = [other for overlap in rulebook.overlaps if key in overlap.rows for other in overlap.rows]
        return [rulebook.charged_key(other) for other in (key, *same)]
    answer.cite(*rulebook.rule_citations(key))
    subject = rulebook.find_subject(key) or rulebook.find_rule_subject(key)
    if subject is None:
        return [] if row is None or not rulebook.has_annex else [row.key]
    answer.cite(*subject.citations)
    return list(subject.candidates)


def _of_topic(matter: Matter[ComplaintGiven], answer: Answer, topic: str) -> list[str]:
    rulebook = matter.rulebook
    offered = (subject for subject in rulebook.subjects if subject.topic == topic)
    rows = [row.key for row in rulebook.infractions if row.topic == topic and row.witness != "no"]
    rows += [key for subject in offered for key in subject.candidates if key not in rows]
    named = rows or [row.key for row in rulebook.duties if row.topic == topic]
    for key in named:
        answer.cite(*rulebook.get_provision(key).citations)
    return rows


def _of_fact(matter: Matter[ComplaintGiven], answer: Answer, fact: FactGiven) -> list[str]:
    rulebook = matter.rulebook
    rules = [rule for rule in rulebook.stop_facts if rule.kind == fact.kind]
    for rule in rules:
        answer.cite(*rulebook.get_provision(rule.row).citations)
    found = [rule.row for rule in rules if _holds(matter, rule, fact)]
    answer.rule = found[0] if found else None
    return [key for key in found if rulebook.has_annex or not isinstance(rulebook.get_provision(key), Duty)]


def _holds(matter: Matter[ComplaintGiven], rule: StopFact, fact: FactGiven) -> bool:
    if rule.official_stop != fact.official_stop:
        return False
    if rule.before is not None and fact.at >= time.fromisoformat(rule.before):
        return False
    if rule.after is None:
        return True
    limit = time.fromisoformat(rule.after)
    if fact.at == limit and rule.boundary_setting is not None:
        return bool(matter.setting(rule.boundary_setting) == "inclusive")
    return fact.at > limit


def _is_offered(matter: Matter[ComplaintGiven], key: str) -> bool:
    row = matter.rulebook.get_provision(key)
    if isinstance(row, Infraction) and matter.given.service in row.not_in_services:
        return False
    return row.enabled or (row.enabled_by is not None and matter.setting(row.enabled_by) is not None)


def _write_direct_rule(matter: Matter[ComplaintGiven], answer: Answer, keys: list[str]) -> None:
    """Whether any row speaks of the fact itself, and what a duty without a fine costs at most."""
    given, rulebook = matter.given, matter.rulebook
    subject = None if given.subject is None else rulebook.find_subject(given.subject)
    row = None if given.subject is None else rulebook.find_provision(given.subject)
    leading = next((one for one in rulebook.subjects if one.topic == given.topic), None)
    flagged = subject.no_direct_rule if subject is not None else leading is not None and leading.no_direct_rule
    if given.fact is None and (given.subject is not None or given.topic is not None):
        direct = row is not None and not isinstance(row, Duty)
        answer.fields["no_direct_rule"] = not direct and (flagged or not keys)
    if given.fact is not None and not keys and answer.rule is not None:
        answer.fields["no_direct_rule"] = True
    rules = rulebook.unlisted_duties
    if rules is not None and not keys and _is_duty(matter, answer):
        answer.cite(*rules.citations)
        word = rules.max_sanction if rules.setting is None else matter.setting(rules.setting)
        answer.fields["max_sanction"] = None if word == "none" else word


def _is_duty(matter: Matter[ComplaintGiven], answer: Answer) -> bool:
    """Tell whether a duty without a fine of its own, and nothing else, speaks of what is complained of."""
    given, rulebook = matter.given, matter.rulebook
    if given.topic is not None:
        return any(duty.topic == given.topic for duty in rulebook.duties)
    if answer.rule is None:
        return False
    linked = rulebook.find_rule_subject(answer.rule)
    row = rulebook.find_provision(answer.rule if linked is None else linked.key)
    return isinstance(row, Duty)


def _write_right(matter: Matter[ComplaintGiven], answer: Answer) -> None:
    rules = matter.rulebook.complaints
    if rules is None:
        return
    if rules.right or not answer.citations:
        answer.cite(*rules.citations)
    if rules.closing_requires:
        answer.fields["closing_requires"] = list(rules.closing_requires)
    if rules.goal_setting is not None:
        matter.setting(rules.goal_setting)
