"""What an authority has decided about its law, as it stood on a day: readings, classes, values of its unit."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from sqlmodel import Session, select

from complaints.authorities.choices import choice_on, list_choices, list_last_made
from complaints.authorities.tables import Authority, CalendarDay
from complaints.law.rulebook import get_rulebook
from complaints.law.schema import Rulebook

SETTING, TABLE, UNIT, HOURS, DAY, TEXT = (
    "setting", "infraction_table", "fiscal_unit", "office_hours", "calendar_day", "law_text",
)  # fmt: skip
"""Kinds of choices: a reading, the annex of classes, a unit's value, office hours, a day, an official text."""

ANNEX = "annex"
WEEK = "week"
WITH_CALENDAR = frozenset(("deadline", "appeal"))
_AROUND = timedelta(days=1100)
UNIT_KEY = re.compile(r"(.+) ([0-9]{4}(?:-(?:0[1-9]|1[0-2]))?)")


def law_on(authority: Authority, day: date) -> Rulebook:
    """Return the version of the authority's law in force on the day of a fact."""
    return get_rulebook(authority.law_id, day)


def settings_in_force(session: Session, authority: Authority, day: date) -> dict[str, Any]:
    """Return the readings chosen, as `selo law ask` takes them in `settings`; the others have defaults."""
    rulebook = law_on(authority, day)
    found = {}
    for key, choice in list_choices(session, authority.id, SETTING, day).items():
        setting = rulebook.find_setting(key)
        if setting is None:
            continue
        try:
            setting.accept(choice.value)
        except ValueError:
            continue  # a later version of the law may no longer know the reading
        found[key] = choice.value
    return found


def fixtures_in_force(session: Session, authority: Authority, day: date) -> dict[str, Any]:
    """Return the annex and the values of the fiscal unit, as `selo law ask` takes them in `fixtures`.

    The annex is that of the day of the fact. A unit's value names its own month or year and is usually
    published later: the last act on each period counts, whenever it was made.
    """
    table: Mapping[str, Any] = choice_on(session, authority.id, TABLE, ANNEX, day) or {}
    rulebook = law_on(authority, day)
    known = {row.key for row in (*rulebook.infractions, *rulebook.duties)}
    units: dict[str, dict[str, int]] = {}
    for key, value in list_last_made(session, authority.id, UNIT).items():
        named = UNIT_KEY.fullmatch(key)
        if named is not None:
            units.setdefault(named[1], {})[named[2]] = value
    return {
        "classes": {key: value for key, value in table.get("classes", {}).items() if key in known},
        "annex_items": {key: value for key, value in table.get("items", {}).items() if key in known},
        "fiscal_units": units,
    }


def question_for(
    session: Session, authority: Authority, day: date, ask: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a question to the authority's law about a day, with all that the authority has decided."""
    question: dict[str, Any] = {
        "rulebook": authority.law_id,
        "ask": ask,
        "on": day.isoformat(),
        "settings": settings_in_force(session, authority, day),
        "fixtures": fixtures_in_force(session, authority, day),
        "given": dict(given),
    }
    if ask in WITH_CALENDAR:
        question["calendar"] = calendar_in_force(session, authority, day)
    return question


def calendar_in_force(session: Session, authority: Authority, day: date) -> dict[str, list[str]]:
    """Return the authority's days without work around a day, as `selo law ask` takes them in `calendar`."""
    rows = session.exec(
        select(CalendarDay).where(
            CalendarDay.authority_id == authority.id,
            CalendarDay.day >= day - _AROUND,
            CalendarDay.day <= day + _AROUND,
        )
    ).all()
    closed = {row.day for row in rows if row.layer != "optional"}
    optional = {row.day for row in rows} - closed
    return {
        "non_working": [one.isoformat() for one in sorted(closed)],
        "optional": [one.isoformat() for one in sorted(optional)],
    }
