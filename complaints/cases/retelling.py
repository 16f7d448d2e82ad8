"""What the columns of a case must say, told again from its history: a column that differs was changed by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from complaints.cases import chain
from complaints.cases.workflow import is_open, queue_rank, review_after, status_after

NEVER_SET = {"key_generation": 1, "assigned_to": None, "merged_into": None}
"""Columns that no event of ours moves yet."""

Content = Mapping[str, object]


@dataclass(frozen=True)
class Told:
    """One event of a history that holds; `content` None when it was erased."""

    kind: str
    at: datetime
    content: Content | None


def retell(history: Sequence[Told], status: str) -> dict[str, object]:
    """Return column name -> value for every column that a history which led to `status` determines.

    What stands in an erased content is left out, and so is what histories did not tell when they were written.
    """
    filed = history[0].content
    answers = [event.at for event in history if event.kind == "answered"]
    told: dict[str, object] = {
        **NEVER_SET,
        "filed_at": history[0].at,
        "changed_at": history[-1].at,
        "answered_at": answers[-1] if answers else None,
        "version": len(history),
        **(_retell_filed(filed) if filed is not None else {}),
        **_retell_due(history),
    }
    urgent = _retell_urgent(history)
    if urgent is not None:
        told["urgent"] = urgent
    review = told["review_requested"] = _retell_review(history)
    if urgent is not None or (not is_open(status) and not review):
        told["queue_rank"] = queue_rank(status, urgent=bool(urgent), review=review)
    return told


def _retell_review(history: Sequence[Told]) -> bool:
    status: str | None = None
    review = False
    for event in history:
        review = review_after(event.kind, status, review)
        status = status_after(event.kind, status)
    return review


def _retell_filed(filed: Content) -> dict[str, object]:
    same = ("protocol", "kind", "channel", "line_id", "line_name", "confidentiality", "service")
    told: dict[str, object] = {name: filed[name] for name in same if name in filed}
    for name in ("vehicle_id", "seal_id"):
        if name in filed:
            told[name] = UUID(hex=str(filed[name])) if filed[name] else None
    for name, column in (("seal", "seal_typed"), ("plate", "plate_typed"), ("fleet_number", "fleet_typed")):
        told[column] = str(filed[name])[:40] or None
    told["findings"] = chain.canonical({"findings": filed["findings"]})
    told["clock_law_id"] = _term_of(filed).get("law")
    return told


def _retell_due(history: Sequence[Told]) -> dict[str, object]:
    """The last day of the newest term; nothing when an erased event may have set another."""
    due: dict[str, object] = {"due_on": None}
    for event in history:
        if event.kind not in ("filed", "term_extended"):
            continue
        if event.content is None:
            return {}
        last = _term_of(event.content).get("due")
        due = {"due_on": date.fromisoformat(str(last)) if last else None}
    return due


def _retell_urgent(history: Sequence[Told]) -> bool | None:
    """Whether the case is urgent; None when its history does not tell."""
    marking = [event.content for event in history if event.kind in ("filed", "classified")]
    urgent = marking[-1].get("urgent") if marking[-1] is not None else None
    return urgent if isinstance(urgent, bool) else None


def _term_of(content: Content) -> Content:
    term = content.get("term")
    return term if isinstance(term, Mapping) else {}
