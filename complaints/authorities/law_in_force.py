"""What an authority has decided about its law, as it stood on a day: readings, classes, values of its unit."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from sqlmodel import Session

from complaints.authorities.choices import choice_on, list_choices
from complaints.authorities.tables import Authority
from complaints.law.rulebook import get_rulebook
from complaints.law.schema import Rulebook

SETTING, TABLE, UNIT, HOURS, DAY, TEXT = (
    "setting", "infraction_table", "fiscal_unit", "office_hours", "calendar_day", "law_text",
)  # fmt: skip
"""Kinds of choices: a reading, the annex of classes, a unit's value, office hours, a day, an official text."""

ANNEX = "annex"
WEEK = "week"
_UNIT_KEY = re.compile(r"(.+) (\d{4}(?:-\d{2})?)")


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
    """Return the annex and the values of the fiscal unit, as `selo law ask` takes them in `fixtures`."""
    table: Mapping[str, Any] = choice_on(session, authority.id, TABLE, ANNEX, day) or {}
    units: dict[str, dict[str, int]] = {}
    for key, choice in list_choices(session, authority.id, UNIT, day).items():
        named = _UNIT_KEY.fullmatch(key)
        if named is not None:
            units.setdefault(named[1], {})[named[2]] = choice.value
    return {
        "classes": dict(table.get("classes", {})),
        "annex_items": dict(table.get("items", {})),
        "fiscal_units": units,
    }


def question_for(
    session: Session, authority: Authority, day: date, ask: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a question to the authority's law about a day, with all that the authority has decided."""
    return {
        "rulebook": authority.law_id,
        "ask": ask,
        "on": day.isoformat(),
        "settings": settings_in_force(session, authority, day),
        "fixtures": fixtures_in_force(session, authority, day),
        "given": dict(given),
    }
