"""What the forms on a case offer: subjects, articles, outcomes; on the case page and on their own pages."""

from datetime import date, timedelta
from typing import Any

from sqlmodel import Session

from complaints.authorities.calendar import case_term
from complaints.cases.handling import OUTCOMES
from complaints.enforcement.powers import get_powers
from complaints.staff.case_view import StaffCase
from web.forms import Form
from web.rider.subject_choices import subject_choices
from web.staff.routing import Desk

INSPECTION_DAYS = 10
"""How far ahead the last day of a new inspection is set, until the person changes it."""


def form_context(session: Session, desk: Desk, view: StaffCase) -> dict[str, Any]:
    """What the templates of the forms need, with nothing typed yet."""
    bases = get_powers(desk.authority.law_id).bases
    return {
        "view": view,
        "case": view.case,
        "version": view.case.version,
        "subjects": subject_choices(session, desk.authority, desk.today),
        "chosen": tuple(row.key for row in view.staff_subjects or view.rider_subjects),
        "bases": tuple((basis.citation, f"{basis.citation}: {basis.text}") for basis in bases),
        "outcomes": tuple(OUTCOMES.items()),
        "extended_due": _extended_due(session, desk, view),
        "values": {
            "prazo": (desk.today + timedelta(days=INSPECTION_DAYS)).isoformat(),
            "fundamento": bases[0].citation if bases else "",
        },
    }


def typed(form: Form) -> dict[str, Any]:
    """What was typed, to fill the same form in again."""
    return {"values": form.values, "chosen": form.all("assunto", 120)}


def read_day(text: str) -> date | None:
    """A day as a date field sends it, or as people type it, `10/12/2026`; None when it is no day."""
    parts = text.split("/")
    if len(parts) == 3:
        text = f"{parts[2]}-{parts[1]:0>2}-{parts[0]:0>2}"
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _extended_due(session: Session, desk: Desk, view: StaffCase) -> date | None:
    """The last day after the one extension; None when there is no legal term to extend, or it was extended."""
    if view.extended or view.case.clock_law_id is None:
        return None
    term = case_term(session, desk.authority, view.case.filed_at, extended=True)
    return term.due if term and term.is_legal else None
