"""The wait for a complement: it stops the term, and whatever ends it starts the term again."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from sqlmodel import Session

from complaints.authorities.calendar import case_term, local_date
from complaints.authorities.choice_checks import COMPLEMENT_DAYS
from complaints.authorities.choices import choice_on
from complaints.authorities.tables import Authority
from complaints.cases.history import Event, list_events
from complaints.cases.kept_terms import term_content
from complaints.cases.tables import CaseFile
from complaints.law.counting import Pause

DEFAULT_DAYS = 20
"""Calendar days to send a complement where the authority chose none. No law here sets them."""

ENDS_WAIT = frozenset({"complement_received", "inspection_ordered", "answered", "archived", "withdrawn", "merged"})
"""Events after which a case no longer waits for its rider."""


def complement_due(session: Session, authority: Authority, today: date) -> date:
    """The last day to send what is asked for today."""
    chosen = choice_on(session, authority.id, "setting", COMPLEMENT_DAYS, today)
    return today + timedelta(days=chosen or DEFAULT_DAYS)


def pauses_of(authority: Authority, events: Iterable[Event]) -> tuple[Pause, ...]:
    """Every wait for a complement in a history; the last is open while nothing ended it."""
    pauses: list[Pause] = []
    asked: date | None = None
    for event in events:
        day = local_date(authority, event.at)
        if event.kind == "complement_requested":
            asked = day
        elif asked is not None and event.kind in ENDS_WAIT:
            pauses.append(Pause(asked, day))
            asked = None
    return (*pauses, Pause(asked)) if asked is not None else tuple(pauses)


def stop_clock(session: Session, authority: Authority, case: CaseFile, now: datetime) -> dict[str, object]:
    """Stop the term of a case about to wait for its rider; returns what the event keeps."""
    today = local_date(authority, now)
    case.complement_due_on = complement_due(session, authority, today)
    pauses = pauses_of(authority, list_events(session, case.authority_id, case.id))
    term = _set_term(session, authority, case, (*pauses, Pause(today)))
    return {"due_on": case.complement_due_on.isoformat(), **term}


def restart_clock(session: Session, case: CaseFile, now: datetime) -> dict[str, object]:
    """Let the term run again, for the event that ends the wait; nothing where the case did not wait."""
    if case.complement_due_on is None:
        return {}
    case.complement_due_on = None
    authority = session.get_one(Authority, case.authority_id)
    *ended, last = pauses_of(authority, list_events(session, case.authority_id, case.id))
    if last.answered_on is None:
        last = Pause(last.requested_on, local_date(authority, now))
    return _set_term(session, authority, case, (*ended, last))


def _set_term(
    session: Session, authority: Authority, case: CaseFile, pauses: tuple[Pause, ...]
) -> dict[str, object]:
    events = list_events(session, case.authority_id, case.id)
    extended = any(event.kind == "term_extended" for event in events)
    term = case_term(session, authority, case.filed_at, extended=extended, pauses=pauses)
    if term is None:
        return {}
    case.due_on = term.due
    return {"term": term_content(term)}
