"""Whether the value of an act can be used: its shape by kind, and what it names in the authority's law."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from complaints.authorities.fares import ALL_LINES
from complaints.authorities.law_in_force import ANNEX, UNIT_KEY, WEEK
from complaints.law.counting import TermSettings
from complaints.law.schema import Rulebook

CLOCK_SETTINGS, CLOCK_GOAL, COMPLEMENT_DAYS = "clock.settings", "clock.goal_days", "clock.complement_days"
_LINE_KEY = re.compile(r"line:.+")
_GOAL = TypeAdapter(Annotated[int, Field(strict=True, gt=0, le=366)])
_CENTS = TypeAdapter(Annotated[int, Field(strict=True, ge=0, le=10**9)])
_TERMS = TypeAdapter(TermSettings)
_Words = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Fare(_Shape):
    cents: Annotated[int, Field(ge=0, le=10**9)]
    everyone: bool = False
    kind: _Words = "-"
    bodies: list[_Words] = []
    number: _Words = "-"


class _Annex(_Shape):
    classes: dict[str, str] = {}
    items: dict[str, Annotated[int, Field(gt=0)]] = {}


class _Hours(_Shape):
    weekdays: Annotated[list[Literal["mo", "tu", "we", "th", "fr", "sa", "su"]], Field(min_length=1)]
    opens: Annotated[str, StringConstraints(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    closes: Annotated[str, StringConstraints(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]


def find_fault(rulebook: Rulebook, kind: str, key: str, value: Any) -> str | None:
    """Say what is wrong with an act's key or value, None when both can be used."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return "the value cannot be stored; use texts, whole numbers, lists and tables"
    return _CHECKS[kind](rulebook, key, value)


def _check_setting(rulebook: Rulebook, key: str, value: Any) -> str | None:
    if key in (CLOCK_GOAL, COMPLEMENT_DAYS):
        return _say_first(lambda: _GOAL.validate_python(value))
    if key == CLOCK_SETTINGS:
        known = set(TermSettings.__dataclass_fields__)
        if not isinstance(value, Mapping) or not known.issuperset(value):
            return f"the value is a table with some of: {', '.join(sorted(known))}"
        return _say_first(lambda: _TERMS.validate_python(dict(value)))
    setting = rulebook.find_setting(key)
    if setting is None:
        return f"{rulebook.law.id} has no such setting"
    try:
        setting.accept(value)
    except ValueError as error:
        return str(error)
    return None


def _check_fare(rulebook: Rulebook, key: str, value: Any) -> str | None:
    if key != ALL_LINES and not _LINE_KEY.fullmatch(key):
        return f"the key is {ALL_LINES!r}, or 'line:' and the line's route_id"
    fault = _say_first(lambda: _Fare.model_validate(value))
    if fault is None and value["cents"] and value.get("everyone"):
        return "everyone rides free only where cents is 0"
    return fault


def _check_annex(rulebook: Rulebook, key: str, value: Any) -> str | None:
    if key != ANNEX:
        return f"the key is {ANNEX!r}"
    if (fault := _say_first(lambda: _Annex.model_validate(value))) is not None:
        return fault
    rows = (*value.get("classes", {}), *value.get("items", {}))
    known = {row.id for row in rulebook.fine_classes}
    wrong = [row for row in rows if not rulebook.find_provision(row)]
    classes = [name for name in value.get("classes", {}).values() if name not in known]
    if wrong:
        return f"no such infraction: {wrong[0]}"
    return f"no such class: {classes[0]}; known: {', '.join(sorted(known)) or 'none'}" if classes else None


def _check_unit(rulebook: Rulebook, key: str, value: Any) -> str | None:
    named = UNIT_KEY.fullmatch(key)
    if named is None or named[1] != rulebook.fine_unit:
        return f"the key is the unit ({rulebook.fine_unit or 'this law has none'}), a space and YYYY or YYYY-MM"
    return _say_first(lambda: _CENTS.validate_python(value))


def _check_hours(rulebook: Rulebook, key: str, value: Any) -> str | None:
    if key != WEEK:
        return f"the key is {WEEK!r}"
    fault = _say_first(lambda: _Hours.model_validate(value))
    return fault or (None if value["opens"] < value["closes"] else "opens comes before closes")


def _say_first(check: Callable[[], object]) -> str | None:
    try:
        check()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        return f"{place}: {first['msg']}" if place else first["msg"]
    return None


_CHECKS: Mapping[str, Callable[[Rulebook, str, Any], str | None]] = {
    "setting": _check_setting,
    "fare": _check_fare,
    "infraction_table": _check_annex,
    "fiscal_unit": _check_unit,
    "office_hours": _check_hours,
}
