"""What a record of infractions leads to: `selo law ask` with `record`."""

from datetime import date
from typing import Any

from complaints.law.asking.answer import Answer
from complaints.law.asking.matter import Matter
from complaints.law.asking.proposals import Entry, Proposal, proposal_json, propose
from complaints.law.asking.record_facts import RecordGiven
from complaints.law.asking.windows import find_window
from complaints.law.provisions import Infraction


def answer_record(matter: Matter[RecordGiven]) -> Answer:
    """Answer the totals of points, the windows and the sanctions to propose, all as known on the day."""
    rulebook = matter.rulebook
    if not rulebook.sanctions:
        return Answer("not_applicable")
    if not rulebook.triggers:
        return Answer("no_rule", fields={"proposals": []})
    answer = Answer()
    entries = _entries(matter, answer)
    whole = not answer.missing
    if rulebook.has_points:
        answer.fields["totals"] = _totals(entries) if whole else None
    answer.fields["windows"] = []
    proposals: list[Proposal] = []
    for trigger in rulebook.triggers:
        answer.cite(*trigger.citations)
        if trigger.has_window:
            if not whole or (rulebook.has_annex and not matter.fixtures.classes):
                continue  # points nobody knows are not counted as none
            window = find_window(matter, trigger, entries)
            answer.fields["windows"].append(window.as_json())
            if window.proposal is not None:
                proposals.append(window.proposal)
        else:
            proposals += propose(matter, answer, trigger, entries)
    answer.fields["proposals"] = [proposal_json(matter, answer, proposal) for proposal in proposals]
    answer.rule = proposals[0].trigger.rule if proposals else None
    answer.human = bool(proposals)
    return answer


def _entries(matter: Matter[RecordGiven], answer: Answer) -> list[Entry]:
    """Return the entries as known on the day asked about: later facts and decisions are left out."""
    found = []
    for facts in matter.given.entries:
        if facts.on > matter.on or facts.annulled:
            continue
        key = matter.rulebook.charged_key(facts.infraction)
        class_id = _class_of(matter, answer, key, counts=_known(facts.final_on, matter.on) is not None)
        found.append(
            Entry(
                infraction=key,
                on=facts.on,
                class_id=class_id,
                points=_points(matter, class_id),
                annex_item=matter.fixtures.annex_items.get(key),
                applied_on=_known(facts.applied_on, matter.on),
                final_on=_known(facts.final_on, matter.on),
                served_on=_known(facts.served_on, matter.on),
                by=facts.by,
                spent=facts.spent,
            )
        )
    return found


def _class_of(matter: Matter[Any], answer: Answer, key: str, *, counts: bool) -> str | None:
    """Find the class; without one the answer is open if the entry's points count."""
    row = matter.rulebook.get_provision(key)
    if not matter.rulebook.has_annex:
        return row.class_id if isinstance(row, Infraction) else None
    class_id = matter.fixtures.classes.get(key)
    if class_id is None and counts:
        answer.lack("infraction_table")
    return class_id


def _points(matter: Matter[Any], class_id: str | None) -> int:
    return 0 if class_id is None else matter.rulebook.get_fine_class(class_id).points or 0


def _known(day: date | None, on: date) -> date | None:
    return day if day is not None and day <= on else None


def _totals(entries: list[Entry]) -> dict[str, int]:
    """Points of final entries; those of the auxiliary are also the holder's."""
    final = [entry for entry in entries if entry.final_on is not None]
    return {
        "holder": sum(entry.points for entry in final),
        "auxiliary": sum(entry.points for entry in final if entry.by == "auxiliary"),
    }
