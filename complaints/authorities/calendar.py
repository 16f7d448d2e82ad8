"""The calendar and clock settings of one authority, read from its dated rows and choices."""

from datetime import date, datetime, timedelta
from typing import cast
from zoneinfo import ZoneInfo

from sqlmodel import Session, select

from complaints.authorities.choices import list_choices
from complaints.authorities.tables import Authority, CalendarDay
from complaints.law import calendars
from complaints.law.counting import Pause, TermSettings
from complaints.law.terms import FEDERAL_LAW, Term, goal_term, response_term

_HORIZON = timedelta(days=150)
"""Longer than the longest term (60 days) with pauses; a term that outruns it is computed again when it moves."""


_COUNTING = {
    "deadline.first_day": "first_day",
    "deadline.rollover": "rollover",
    "calendar.optional_days": "optional_days",
}


def local_date(authority: Authority, at: datetime) -> date:
    """The authority's date at an aware instant."""
    return at.astimezone(ZoneInfo(authority.time_zone)).date()


def load_calendar(session: Session, authority_id: int, start: date, end: date) -> calendars.Calendar:
    """The days that are not ordinary from `start` to `end`, inclusive."""
    rows = session.exec(
        select(CalendarDay).where(
            CalendarDay.authority_id == authority_id, CalendarDay.day >= start, CalendarDay.day <= end
        )
    ).all()
    return calendars.Calendar(
        calendars.CalendarDay(row.day, cast(calendars.Layer, row.layer), row.name) for row in rows
    )


def case_term(
    session: Session,
    authority: Authority,
    received_at: datetime,
    *,
    extended: bool = False,
    pauses: tuple[Pause, ...] = (),
) -> Term | None:
    """The term of a case, by the federal law or as the authority's goal; None when it has neither.

    Choices read, of kind setting: `clock.settings` (a TermSettings object), else the readings on counting days
    that the authority chose for its law; `clock.goal_days`, else `complaint.answer_goal_days`.
    """
    received_on = local_date(authority, received_at)
    calendar = load_calendar(session, authority.id, received_on, received_on + _HORIZON)
    chosen = list_choices(session, authority.id, "setting", received_on)
    read = {field: chosen[key].value for key, field in _COUNTING.items() if key in chosen}
    settings = TermSettings(**{**read, **(chosen["clock.settings"].value if "clock.settings" in chosen else {})})
    if authority.clock_law_id == FEDERAL_LAW:
        return response_term(received_on, calendar, extended=extended, settings=settings, pauses=pauses)
    goals = (chosen[key].value for key in ("clock.goal_days", "complaint.answer_goal_days") if key in chosen)
    days = next(goals, None)
    return goal_term(received_on, days, calendar, settings=settings, pauses=pauses) if days else None
