"""A term as an event keeps it, and as pages show it again."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from complaints.cases.history import Event
from complaints.law.terms import Term


@dataclass(frozen=True)
class ShownTerm:
    """A term as it was when it was set: `law` None for a goal; `days` are (day, counted, reason)."""

    due: date | None
    law: str | None
    citation: str | None
    explanation: str
    days: tuple[tuple[date, bool, str], ...]


def term_content(term: Term | None) -> dict[str, object] | None:
    """A term as an event keeps it: last day, law, days, how counted, and each reason."""
    if term is None:
        return None
    return {
        "due": term.due.isoformat() if term.due else None,
        "law": term.law_id,
        "citation": term.citation,
        "count": term.count,
        "unit": term.unit,
        "explanation": term.explanation_pt,
        "days": [[row.day.isoformat(), row.counted, row.reason] for row in term.derivation],
    }


def current_term(events: Iterable[Event]) -> ShownTerm | None:
    """The term with its derivation, as the last event that set one keeps it."""
    told = [event.content["term"] for event in events if event.content and event.content.get("term")]
    return _shown_term(told[-1]) if told else None


def _shown_term(kept: Any) -> ShownTerm:
    return ShownTerm(
        due=date.fromisoformat(kept["due"]) if kept["due"] else None,
        law=kept["law"],
        citation=kept["citation"],
        explanation=kept["explanation"],
        days=tuple((date.fromisoformat(day), counted, reason) for day, counted, reason in kept["days"]),
    )
