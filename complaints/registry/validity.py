"""Until when a seal is valid: the town's law says how often vehicles are inspected, the authority may choose."""

import datetime as dt

from sqlmodel import Session

from complaints.authorities.choices import choice_on
from complaints.law.rulebook import get_rulebook

SETTINGS = ("inspection.validity", "inspection.period")
"""The choices that replace the law's interval: `calendar_year`, `calendar_semester` or `N_months`."""


class UnknownInterval(ValueError):
    """An interval between inspections that is none of the words known."""

    def __init__(self, interval: str) -> None:
        super().__init__(f"{interval!r} is no interval between inspections")
        self.interval = interval


def find_last_day(session: Session, authority_id: int, law_id: str, issued_on: dt.date) -> dt.date | None:
    """The last day of a seal issued on a local day; None where neither law nor authority fix the interval.

    Raises UnknownInterval on a choice it cannot follow; UnknownRulebook.
    """
    chosen = (choice_on(session, authority_id, "setting", key, issued_on) for key in SETTINGS)
    interval = next((word for word in chosen if word), None) or _interval_of_law(law_id)
    return last_day(issued_on, interval) if interval else None


def last_day(issued_on: dt.date, interval: str) -> dt.date:
    """The last day of an interval: to the same day of a later month, or to the end of the next year or half-year.

    Raises UnknownInterval.
    """
    if interval == "calendar_year":
        return dt.date(issued_on.year + 1, 12, 31)
    if interval == "calendar_semester":
        return dt.date(issued_on.year, 12, 31) if issued_on.month <= 6 else dt.date(issued_on.year + 1, 6, 30)
    number, _, unit = interval.partition("_")
    if unit != "months" or not number.isdecimal() or int(number) == 0:
        raise UnknownInterval(interval)
    return add_months(issued_on, int(number))


def add_months(day: dt.date, months: int) -> dt.date:
    """The same day `months` later; a day that month lacks becomes the first of the month after."""
    years, month = divmod(day.month - 1 + months, 12)
    first = dt.date(day.year + years, month + 1, 1)
    try:
        return first.replace(day=day.day)
    except ValueError:
        return (first + dt.timedelta(days=31)).replace(day=1)


def _interval_of_law(law_id: str) -> str | None:
    inspection = get_rulebook(law_id).inspection
    return f"{inspection.period_months}_months" if inspection and inspection.period_months else None
