"""The envelope of a question: which law, what is asked, on what day, under which readings."""

import re
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any

from pydantic import Field, StrictInt, StrictStr, ValidationError

from complaints.law.asking.dates import Day, WorkingDays
from complaints.law.asking.kinds import KINDS, Kind
from complaints.law.asking.malformed import MalformedQuestion, first_fault
from complaints.law.asking.matter import Fixtures, Matter
from complaints.law.asking.words import GivenFacts
from complaints.law.readings import SettingValue
from complaints.law.rulebook import UnknownRulebook

if TYPE_CHECKING:
    from complaints.law.schema import Rulebook

FindRulebook = Callable[[str, date], "Rulebook"]
"""Finds the version of a law in force on a day; UnknownRulebook for an id that it does not have."""

_PERIOD = re.compile(r"\d{4}(-(0[1-9]|1[0-2]))?")


class _CalendarFacts(GivenFacts):
    non_working: list[Day] = Field(default_factory=list)
    optional: list[Day] = Field(default_factory=list)


class _FixtureFacts(GivenFacts):
    classes: dict[str, StrictStr] = Field(default_factory=dict)
    annex_items: dict[str, StrictInt] = Field(default_factory=dict)
    fiscal_units: dict[str, dict[str, StrictInt]] = Field(default_factory=dict)


class _Envelope(GivenFacts):
    rulebook: StrictStr
    ask: StrictStr
    on: Day
    settings: dict[str, Any] = Field(default_factory=dict)
    calendar: _CalendarFacts | None = None
    fixtures: _FixtureFacts = Field(default_factory=_FixtureFacts)
    given: dict[str, Any]


def read_question(question: Any, find_rulebook: FindRulebook) -> tuple[Kind, Matter[Any]]:
    """Check a question whole; MalformedQuestion names the first field at fault."""
    if not isinstance(question, dict):
        raise MalformedQuestion("question", "not a JSON object")
    try:
        envelope = _Envelope.model_validate(question)
    except ValidationError as error:
        raise first_fault(error) from None
    try:
        rulebook = find_rulebook(envelope.rulebook, envelope.on)
    except UnknownRulebook:
        raise MalformedQuestion("rulebook", f"unknown rulebook {envelope.rulebook!r}") from None
    kind = KINDS.get(envelope.ask)
    if kind is None:
        raise MalformedQuestion("ask", f"unknown kind {envelope.ask!r}")
    passed = _read_settings(envelope.settings, rulebook)
    fixtures = _read_fixtures(envelope.fixtures, rulebook)
    try:
        given = kind.given.model_validate(envelope.given, context=rulebook)
    except ValidationError as error:
        raise first_fault(error, ("given",)) from None
    matter = Matter(rulebook, envelope.on, given, passed, _read_calendar(envelope.calendar), fixtures)
    kind.check(matter)
    return kind, matter


def _read_settings(settings: dict[str, Any], rulebook: "Rulebook") -> dict[str, SettingValue]:
    passed = {}
    for key, value in settings.items():
        setting = rulebook.find_setting(key)
        if setting is None:
            raise MalformedQuestion(f"settings.{key}", f"{rulebook.law.id} has no such setting")
        try:
            passed[key] = setting.accept(value)
        except ValueError as error:
            raise MalformedQuestion(f"settings.{key}", str(error)) from None
    return passed


def _read_calendar(facts: _CalendarFacts | None) -> WorkingDays | None:
    return None if facts is None else WorkingDays(frozenset(facts.non_working), frozenset(facts.optional))


def _read_fixtures(facts: _FixtureFacts, rulebook: "Rulebook") -> Fixtures:
    classes = {row.id for row in rulebook.fine_classes}
    for field, rows in (("classes", facts.classes), ("annex_items", facts.annex_items)):
        for key in rows:
            if rulebook.find_provision(key) is None:
                raise MalformedQuestion(f"fixtures.{field}.{key}", f"{rulebook.law.id} has no such infraction")
    for key, class_id in facts.classes.items():
        if class_id not in classes:
            raise MalformedQuestion(f"fixtures.classes.{key}", f"unknown class {class_id!r}")
    for key, item in facts.annex_items.items():
        if item < 1:
            raise MalformedQuestion(f"fixtures.annex_items.{key}", "an item of the annex is 1 or more")
    for unit, periods in facts.fiscal_units.items():
        if unit not in rulebook.fiscal_units:
            raise MalformedQuestion(f"fixtures.fiscal_units.{unit}", "unknown fiscal unit")
        for period, cents in periods.items():
            if _PERIOD.fullmatch(period) is None or cents < 0:
                place = f"fixtures.fiscal_units.{unit}.{period}"
                raise MalformedQuestion(place, "needs a YYYY-MM or YYYY period and whole cents")
    return Fixtures(facts.classes, facts.annex_items, facts.fiscal_units)
