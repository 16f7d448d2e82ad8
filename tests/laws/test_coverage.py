"""Whether the case tables ask about everything the rulebooks say."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from complaints.law.asking.engine import ask
from complaints.law.asking.kinds import KINDS
from complaints.law.rulebook import get_rulebook, list_municipal_rulebooks

CASES = Path(__file__).parent / "cases"
ROWS = [
    json.loads(line) for path in sorted(CASES.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()
]

every_law = pytest.mark.parametrize("law_id", list_municipal_rulebooks())


def questions(law_id: str, kind: str | None = None) -> Iterator[dict[str, Any]]:
    for row in ROWS:
        question = row["question"]
        if question["rulebook"] == law_id and kind in (None, question["ask"]) and "error" not in row["expect"]:
            yield question


def answers(law_id: str, kind: str) -> list[dict[str, Any]]:
    return [ask(question) for question in questions(law_id, kind)]


@every_law
def test_every_title_is_granted_in_some_case(law_id: str) -> None:
    granted = {answer["rule"] for answer in answers(law_id, "fare") if answer.get("outcome") in ("free", "half")}
    titles = {rule.key for rule in get_rulebook(law_id).fare_rules if rule.age is not None or rule.roles}
    assert titles <= granted


@every_law
def test_every_step_has_a_case(law_id: str) -> None:
    asked = {question["given"]["step"] for question in questions(law_id, "deadline")}
    assert {step.id for step in get_rulebook(law_id).steps} <= asked


@every_law
def test_every_trigger_proposes_its_sanction_in_some_case(law_id: str) -> None:
    proposed = {row["rule"] for answer in answers(law_id, "record") for row in answer.get("proposals", ())}
    assert {trigger.rule for trigger in get_rulebook(law_id).triggers} <= proposed


@every_law
def test_every_kind_has_a_case(law_id: str) -> None:
    rulebook = get_rulebook(law_id)
    asked = {question["ask"] for question in questions(law_id)}
    absent = {
        "appeal": rulebook.appeal_form is None,
        "fleet": rulebook.fleet is None,
        "notice": not rulebook.documents,
        "separation": rulebook.separation is None,
        "fare": not rulebook.has_fare,
    }
    assert {kind for kind in KINDS if not absent.get(kind, False)} <= asked


UNASKED = {
    # No fact of a question depends on these: they decide what pages and registries do.
    "appeal.who", "authority.name", "authorization_term", "auxiliary.cnh", "capacity.lap_child_counts",
    "concession_extension", "defence.who", "delegation.escolar_rural.instrument", "extension_count_max",
    "interruption.year", "overage_share.base", "overage_share.per_type", "registry.preposto_multi_holder",
    "revocation.for_convenience", "seal.id_format", "service.electronic", "term_max", "vehicle_age.basis",
    "complaint.answer_goal_days",
}  # fmt: skip


@every_law
def test_every_reading_of_a_setting_decides_some_case(law_id: str) -> None:
    """Each closed value but the default is passed in a case or stands among its alternatives."""
    seen: set[tuple[str, str]] = set()
    for question in questions(law_id):
        answer = ask(question)
        seen |= {(key, repr(value)) for key, value in answer["settings_used"].items()}
        seen |= {(row["setting"], repr(row["value"])) for row in answer["alternatives"]}
    for setting in get_rulebook(law_id).own_settings:
        if setting.key in UNASKED or (len(setting.values) == 1 and setting.open is None):
            continue
        for value in setting.values[1:]:
            printed = list(value) if isinstance(value, tuple) else value
            assert (setting.key, repr(printed)) in seen, (setting.key, value)
