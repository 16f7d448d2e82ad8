"""A term of procedure with its derivation: each day counted or skipped, and why, for whoever reads the act."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from complaints.law.asking.dates import add_months
from complaints.law.calendars import Calendar
from complaints.law.counting import Count, Counter, DerivationDay, TermSettings
from complaints.law.procedure import Step
from complaints.law.schema import Rulebook

_MONTHS = {"months": 1, "years": 12}


def derive_step(
    rulebook: Rulebook, step: Step, start: date, calendar: Calendar, settings: Mapping[str, Any]
) -> Count:
    """Count a step of days, months or years from the day it runs from, under the readings in force.

    `settings` holds the authority's choices by key; the others have the rulebook's defaults. ValueError for a
    step of hours, which has no days to count, or without a term.
    """

    def in_use(key: str) -> Any:
        return settings.get(key, rulebook.get_setting(key).default)

    count = step.count if step.count_setting is None else in_use(step.count_setting)
    if count is None or step.unit == "hours":
        raise ValueError(f"{step.id} has no days to count")
    rollover: Any = "none" if step.validity else in_use(step.rollover_setting or "deadline.rollover")
    optional_works = in_use("calendar.optional_days") != "non_working"
    if step.unit in _MONTHS:
        how = in_use("month_end")
        return _by_months(start, count * _MONTHS[step.unit], how, calendar, rollover, optional_works)
    first_day: Any = "included" if step.first_day_counts else in_use("deadline.first_day")
    if step.validity and not step.first_day_counts:
        first_day = "excluded"
    term = TermSettings(
        unit="business" if step.unit == "business" else "calendar",
        first_day=first_day,
        rollover=rollover,
    )
    return Counter(count, calendar, term, optional_works).count(start)


def _by_months(
    start: date, months: int, month_end: str, calendar: Calendar, rollover: str, optional_works: bool
) -> Count:
    last = add_months(start, months, month_end)
    rows = [
        DerivationDay(start, False, "dia do começo, não conta"),
        DerivationDay(last, True, _same_number(start, last, months)),
    ]
    day = last
    while rollover == "next_business_day" and not calendar.is_working(day, optional_counts=optional_works)[0]:
        rows[-1] = DerivationDay(
            day, rows[-1].counted, calendar.is_working(day, optional_counts=optional_works)[1]
        )
        day += timedelta(days=1)
        rows.append(DerivationDay(day, False, "primeiro dia útil depois do fim da contagem"))
    return Count(start, day, tuple(rows))


def _same_number(start: date, last: date, months: int) -> str:
    if last.day == start.day:
        return f"mesmo dia, {months} meses depois"
    return f"{months} meses depois; o mês não tem dia {start.day}"
