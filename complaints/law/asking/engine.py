"""The engine: a question in, the answer of the default readings out, beside what the others change.

Pure: no clock, no network, no state. The same question always gets the same answer.
"""

from typing import TYPE_CHECKING, Any

from complaints.law.asking.answer import Answer
from complaints.law.asking.kinds import Kind
from complaints.law.asking.matter import Matter
from complaints.law.asking.question import FindRulebook, read_question
from complaints.law.readings import SettingValue
from complaints.law.rulebook import get_rulebook

if TYPE_CHECKING:
    from complaints.law.schema import Rulebook

_NEVER_COMPARED = frozenset(("settings_used", "alternatives", "late_after"))


def ask(question: Any, find_rulebook: FindRulebook = get_rulebook) -> dict[str, Any]:
    """Answer a question given as JSON values; MalformedQuestion names the field that cannot be read."""
    kind, matter = read_question(question, find_rulebook)
    return answer_matter(kind, matter)


def answer_matter(kind: Kind, matter: Matter[Any]) -> dict[str, Any]:
    """Answer a matter whole: the reading in use, the settings it rests on, and the other readings."""
    if matter.on < matter.rulebook.law.applies_from:
        return _write(matter, Answer("no_rule", missing=[]), {})
    answer = kind.answer(matter)
    fields = _write(matter, answer, {})
    alternatives = []
    used = dict(matter.passed)
    for setting in matter.rulebook.settings:
        if setting.key not in matter.reads or setting.key in matter.passed:
            continue
        current = setting.default
        changes = list(_other_readings(kind, matter, answer, fields, setting.key, setting.values, current))
        alternatives += changes
        if changes or setting.open is not None or setting.key in answer.always_used:
            used[setting.key] = current
    fields["settings_used"] = {key: _as_json(value) for key, value in used.items()}
    fields["alternatives"] = alternatives
    if kind.late_after is not None:
        kind.late_after(matter, answer, fields)
    return fields


def _other_readings(
    kind: Kind,
    matter: Matter[Any],
    answer: Answer,
    fields: dict[str, Any],
    key: str,
    values: tuple[SettingValue, ...],
    current: SettingValue,
) -> "list[dict[str, Any]]":
    changes = []
    for value in values:
        if value == current and type(value) is type(current):
            continue
        other = matter.choosing({key: value})
        found = kind.answer(other)
        changed = _differences(fields, _write(other, found, {}))
        if _needs_more_facts(found, answer, matter) or _loses_for_lack_of_facts(found, changed):
            continue
        if changed:
            changes.append({"setting": key, "value": _as_json(value), "answer": changed})
    return changes


def _needs_more_facts(found: Answer, answer: Answer, matter: Matter[Any]) -> bool:
    """Tell whether a reading lacks a fact that the reading in use did not need; a setting is no fact."""
    return any(name not in answer.missing and not matter.has_setting(name) for name in found.missing)


def _loses_for_lack_of_facts(found: Answer, changed: dict[str, Any]) -> bool:
    """Tell whether a reading knows no last day or no age, for a fact that was not given."""
    if changed.get("age", True) is None:
        return True
    return changed.get("due", True) is None and any(name.startswith("given.") for name in found.missing)


def _differences(fields: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    keys = [*fields, *(key for key in others if key not in fields)]
    return {
        key: others.get(key) for key in keys if key not in _NEVER_COMPARED and fields.get(key) != others.get(key)
    }


def _write(matter: Matter[Any], answer: Answer, used: dict[str, Any]) -> dict[str, Any]:
    return {
        "status": answer.status,
        **answer.fields,
        "missing": list(answer.missing),
        "rule": answer.rule,
        "citations": list(answer.citations),
        "settings_used": used,
        "alternatives": [],
        "resolved": _resolve(matter.rulebook, answer.citations),
        "human": answer.human,
    }


def _resolve(rulebook: "Rulebook", citations: list[str]) -> list[dict[str, str]]:
    return [
        {"at": row.at, "printed": row.printed, "resolved_to": row.resolved_to}
        for row in rulebook.misreferences
        if any(citation == row.at or citation.startswith(f"{row.at}, ") for citation in citations)
    ]


def _as_json(value: SettingValue) -> Any:
    return list(value) if isinstance(value, tuple) else value
