"""Settings: places where a law can be read in more than one way, or leaves a value to the authority."""

import re
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from complaints.law.exact_numbers import read_exact
from complaints.law.provisions import Citation, Row, Text
from complaints.law.toml_tables import parse_toml

SettingKey = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_]+)*$", max_length=60)
]
SettingValue = str | bool | int | tuple[str, ...] | None
OpenValue = Literal["integer", "exact", "date", "words", "months", "rounding", "text"]

ROUNDINGS = ("ceil", "floor", "half_up", "inside")
"""How a share of a fleet becomes whole vehicles; `inside` keeps both bounds within the law's shares."""

_OPEN_WORDS: dict[OpenValue, str] = {
    "integer": "a whole number, not negative",
    "exact": 'an exact number as a string, such as "3/2"',
    "date": "a date written as YYYY-MM-DD",
    "words": "a list of words",
    "months": "a number of months, such as 6_months",
    "rounding": "ceil, floor, half_up or inside (up for the least, down for the most)",
    "text": "a text",
}


class Reading(Row):
    """One way to read the law; without `value` nothing is set. `text` says what it changes."""

    value: str | bool | int | tuple[str, ...] | None = None
    text: Text


class Setting(Row):
    """An open reading: the first of `readings` is the default.

    `open` says which other values the authority may set; None closes the list.
    """

    key: SettingKey
    question: Text
    citations: tuple[Citation, ...] = ()
    readings: Annotated[tuple[Reading, ...], Field(min_length=1, alias="reading")]
    open: OpenValue | None = None

    @property
    def default(self) -> SettingValue:
        """The value in use while the authority has chosen none."""
        return self.readings[0].value

    @property
    def values(self) -> tuple[SettingValue, ...]:
        """The closed values, the default first."""
        return tuple(reading.value for reading in self.readings)

    def accept(self, value: Any) -> SettingValue:
        """Return a value of this setting, lists as tuples; ValueError says what the setting takes."""
        frozen: SettingValue = tuple(value) if isinstance(value, list) else value
        for known in self.values:
            if type(known) is type(frozen) and known == frozen:
                return known
        if self.open is not None and _fits(self.open, frozen):
            return frozen
        raise ValueError(f"not a value of this setting; it takes {self._describe()}")

    def _describe(self) -> str:
        words = [_printed(value) for value in self.values]
        if self.open is not None:
            words.append(_OPEN_WORDS[self.open])
        return " or ".join(words)


def _printed(value: SettingValue) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(list(value)) if isinstance(value, tuple) else str(value)


def _fits(kind: OpenValue, value: Any) -> bool:
    if kind == "integer":
        return type(value) is int and value >= 0
    if kind == "words":
        return isinstance(value, tuple) and all(isinstance(word, str) and word for word in value)
    if not isinstance(value, str) or not value.strip():
        # An exact number may also come as a plain whole number.
        return kind == "exact" and type(value) is int and value >= 0
    try:
        if kind == "exact":
            return read_exact(value) >= 0
        if kind == "date":
            return len(value) == 10 and 1900 <= date.fromisoformat(value).year < 2200
    except ValueError:
        return False
    if kind == "rounding":
        return value in ROUNDINGS
    if kind == "months":
        number, _, unit = value.partition("_")
        return unit == "months" and re.fullmatch("[0-9]{1,4}", number) is not None and 0 < int(number) <= 1200
    return True


class _CommonFile(Row):
    settings: tuple[Setting, ...] = Field(alias="setting")


@cache
def get_common_settings() -> tuple[Setting, ...]:
    """Return the settings on which every law here is silent, read once per process."""
    content = (files("complaints.law") / "common_settings.toml").read_bytes()
    return _CommonFile.model_validate(parse_toml(content)).settings
