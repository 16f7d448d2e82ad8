"""What the columns of a case must say, told again from its history: a column that differs was changed by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from complaints.cases import chain
from complaints.cases.pausing import ENDS_WAIT
from complaints.cases.workflow import is_open, queue_rank, review_after, status_after

NEVER_SET = {"key_generation": 1, "assigned_to": None}
"""Columns that no event of ours moves yet."""

SETS_TERM = frozenset({"filed", "term_extended", "complement_requested"})
"""Events that always say what the term is now; an event that ends a wait for a complement does too."""

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
        **_retell_rating(history),
        **_retell_merged(history),
    }
    if any(event.kind == "identity_erased" for event in history):
        told["confidentiality"] = "anonymous"
    if any(event.kind == "forwarded" for event in history):
        told["service"] = "outside"
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
    """The last day of the newest term, and of the wait for a complement; nothing an erased event may have set."""
    told: dict[str, object] = {"due_on": None, "complement_due_on": None}
    waiting = False
    for event in history:
        sets_term = event.kind in SETS_TERM or (waiting and event.kind in ENDS_WAIT)
        if event.kind in ENDS_WAIT:
            waiting, told["complement_due_on"] = False, None
        if not sets_term:
            continue
        if event.content is None:
            return {}
        if "term" in event.content:
            told["due_on"] = _day(_term_of(event.content).get("due"))
        if event.kind == "complement_requested":
            waiting, told["complement_due_on"] = True, _day(event.content.get("due_on"))
    return told


def _day(kept: object) -> date | None:
    return date.fromisoformat(str(kept)) if kept else None


def _retell_merged(history: Sequence[Told]) -> dict[str, object]:
    for event in history:
        if event.kind == "merged":
            return {} if event.content is None else {"merged_into": UUID(hex=str(event.content["into_id"]))}
    return {"merged_into": None}


def _retell_rating(history: Sequence[Told]) -> dict[str, object]:
    for event in history:
        if event.kind == "rated":
            return {} if event.content is None else {"rating": event.content.get("score")}
    return {"rating": None}


def _retell_urgent(history: Sequence[Told]) -> bool | None:
    """Whether the case is urgent; None when its history does not tell."""
    marking = [event.content for event in history if event.kind in ("filed", "classified", "merge_received")]
    urgent = marking[-1].get("urgent") if marking[-1] is not None else None
    return urgent if isinstance(urgent, bool) else None


def _term_of(content: Content) -> Content:
    term = content.get("term")
    return term if isinstance(term, Mapping) else {}
