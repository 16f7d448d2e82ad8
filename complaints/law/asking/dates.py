"""Dates of questions: read strictly, moved by days, months and years as the law counts them."""

import re
from calendar import monthrange
from collections.abc import Set
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator

FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Years of questions; terms counted from them stay within the calendar."""

_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def _read_day(value: Any) -> date:
    if not isinstance(value, str) or _ISO_DAY.fullmatch(value) is None:
        raise ValueError("not a date written as YYYY-MM-DD")
    day = date.fromisoformat(value)
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError(f"not a date between {FIRST_YEAR} and {LAST_YEAR}")
    return day


Day = Annotated[date, BeforeValidator(_read_day)]
"""A date of a question, ISO 8601 and nothing else."""


@dataclass(frozen=True)
class WorkingDays:
    """The calendar given with a question; Saturdays and Sundays never work."""

    non_working: Set[date]
    optional: Set[date]

    def works(self, day: date, optional_works: bool) -> bool:
        """Tell whether a day works; `optional_works` says how a day of optional closing is read."""
        if day.weekday() > 4 or day in self.non_working:
            return False
        return optional_works or day not in self.optional

    def next_working(self, day: date, optional_works: bool) -> date:
        """Return the day itself when it works, otherwise the first working day after it."""
        while not self.works(day, optional_works):
            day += timedelta(days=1)
        return day

    def add(self, start: date, count: int, optional_works: bool) -> date:
        """Return the last of `count` working days after `start`, which itself is not counted."""
        day = start
        while count:
            day += timedelta(days=1)
            count -= self.works(day, optional_works)
        return day


def add_months(start: date, months: int, month_end: str = "next_day") -> date:
    """Return the same-numbered day some months on.

    Where the month has no such day, the first of the next month (`next_day`) or the last of the month
    (`last_day`).
    """
    month0 = start.month - 1 + months
    year, month = start.year + month0 // 12, month0 % 12 + 1
    last = monthrange(year, month)[1]
    if start.day <= last:
        return date(year, month, start.day)
    end = date(year, month, last)
    return end if month_end == "last_day" else end + timedelta(days=1)


def needs_month_end(start: date, months: int) -> bool:
    """Tell whether the month reached lacks the same-numbered day."""
    return add_months(start, months, "last_day") != add_months(start, months)


def birthday(born: date, years: int) -> date:
    """Return the birthday; one of 29 February falls on 1 March in common years."""
    return add_months(born, 12 * years)


def completed_years(born: date, day: date) -> int:
    """Return the age in whole years on a day; negative before the birth."""
    years = day.year - born.year
    return years if birthday(born, years) <= day else years - 1
