"""When a person counts as told: by hand, by post, by a published notice."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from pydantic import StrictBool

from complaints.law.asking.dates import Day
from complaints.law.asking.found_terms import Term
from complaints.law.asking.matter import Matter
from complaints.law.asking.words import GivenFacts
from complaints.law.procedure import ServiceMode

if TYPE_CHECKING:
    from complaints.law.procedure import ServiceForm


OPTIONAL_DAYS = "calendar.optional_days"


class Served(GivenFacts):
    """How somebody was told, and on which day: of awareness, of the receipt, or of publication."""

    mode: ServiceMode
    on: Day
    posted_on: Day | None = None
    attempts_failed: StrictBool | None = None


def find_form(matter: Matter[Any], served: Served) -> "ServiceForm | None":
    """Return the rule of the law on this way of telling; None where the law has none."""
    for form in matter.rulebook.service_forms:
        if served.mode in form.modes:
            return form
    return None


def told_on(matter: Matter[Any], served: Served, path: str, term: Term) -> date | None:
    """Return the day a person counts as told; None when refused or not known, as `term` then says."""
    form = find_form(matter, served)
    if form is None:
        return served.on
    if form.last_resort:
        term.cite(*form.citations)
        if served.attempts_failed is None:
            term.lack(f"{path}.attempts_failed")
            return None
        if not served.attempts_failed:
            term.refused = f"{served.mode}_without_failed_attempts"
            return None
    day = served.on + timedelta(days=form.wait_days)
    return day if form.shift_setting is None else _shifted(matter, form.shift_setting, day, term)


def _shifted(matter: Matter[Any], setting: str, day: date, term: Term) -> date | None:
    calendar = matter.calendar
    if calendar is not None and calendar.works(day, optional_works=False):
        return day
    if matter.setting(setting) == "none":
        return day
    if calendar is None:
        term.lack("calendar")
        return None
    return read_optional_days(matter, lambda optional_works: calendar.next_working(day, optional_works))


def read_optional_days(matter: Matter[Any], count: Callable[[bool], date]) -> date:
    """Count with the days of optional closing as working days, or not, where that makes a difference."""
    working = count(True)
    if matter.calendar is None or not matter.calendar.optional:
        return working
    resting = count(False)
    if working == resting:
        return working
    return resting if matter.setting(OPTIONAL_DAYS) == "non_working" else working
