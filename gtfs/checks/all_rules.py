"""Every rule about the tables of a feed; a rule's function is named after its code."""

from collections.abc import Callable, Iterator
from datetime import date

from gtfs.checks import fares, keys, names, places, service, structure, trips, values, wording
from gtfs.checks.notices import Finding, Notices
from gtfs.raw import RawFeed

RULES: tuple[Callable[[RawFeed], Iterator[Finding]], ...] = (
    *structure.RULES,
    *keys.RULES,
    *values.RULES,
    *names.RULES,
    *wording.RULES,
    *places.RULES,
    *trips.RULES,
    *service.RULES,
    *fares.RULES,
)
RULES_ON_DAY: tuple[Callable[[RawFeed, date], Iterator[Finding]], ...] = service.RULES_ON_DAY


def check_tables(feed: RawFeed, today: date, notices: Notices) -> None:
    """Apply every rule to the tables; `today` judges whether the calendar has expired."""
    for rule in RULES:
        _apply(rule.__name__, rule(feed), notices)
    for dated in RULES_ON_DAY:
        _apply(dated.__name__, dated(feed, today), notices)


def _apply(code: str, findings: Iterator[Finding], notices: Notices) -> None:
    for finding in findings:
        notices.add(code, finding)
