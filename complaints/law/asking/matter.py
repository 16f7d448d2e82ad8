"""What a question is decided on: the rulebook, the facts, the fixtures and the readings in use."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import product
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from complaints.law.asking.dates import WorkingDays
from complaints.law.readings import Setting, SettingValue

if TYPE_CHECKING:
    from complaints.law.asking.answer import Answer
    from complaints.law.schema import Rulebook

Given = TypeVar("Given")


@dataclass(frozen=True)
class Fixtures:
    """What the authority supplies: classes and annex items by infraction, cents by unit and period.

    A class is None when the question names none. `fiscal_units` has `YYYY-MM` or `YYYY` as period.
    """

    classes: Mapping[str, str] = field(default_factory=dict)
    annex_items: Mapping[str, int] = field(default_factory=dict)
    fiscal_units: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def unit_value(self, unit: str, day: date) -> int | None:
        """Return the cents of one unit on a day, the month before the year; None when not supplied."""
        periods = self.fiscal_units.get(unit, {})
        return periods.get(f"{day:%Y-%m}", periods.get(f"{day:%Y}"))


@dataclass(frozen=True)
class Matter(Generic[Given]):
    """One question under one set of readings; `reads` gathers the settings the answer looked at."""

    rulebook: "Rulebook"
    on: date
    given: Given
    passed: Mapping[str, SettingValue]
    calendar: WorkingDays | None = None
    fixtures: Fixtures = field(default_factory=Fixtures)
    chosen: Mapping[str, SettingValue] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)

    def setting(self, key: str) -> Any:
        """Return the value in use of a setting of this rulebook, and remember that it was looked at.

        KeyError when the rulebook has no such setting: the rulebook's check keeps rules from naming one.
        """
        self.reads.add(key)
        if key in self.chosen:
            return self.chosen[key]
        if key in self.passed:
            return self.passed[key]
        return self.rulebook.get_setting(key).default

    def name_settings(self, answer: "Answer", keys: tuple[str, ...]) -> None:
        """Report settings that say what the facts given mean; whoever states the facts has applied them."""
        for key in keys:
            self.setting(key)
        answer.always_used += keys

    def has_setting(self, key: str) -> bool:
        """Tell whether the rulebook leaves this open."""
        return self.rulebook.find_setting(key) is not None

    def choosing(self, readings: Mapping[str, SettingValue]) -> "Matter[Given]":
        """Return the same matter under other readings, with no reads yet."""
        return replace(self, chosen={**self.chosen, **readings}, reads=set())

    def open_readings(self, keys: set[str]) -> Iterator[Setting]:
        """Yield the settings among `keys` that have other closed values and are not fixed by anybody."""
        for setting in self.rulebook.settings:
            fixed = setting.key in self.passed or setting.key in self.chosen
            if setting.key in keys and not fixed and len(setting.values) > 1:
                yield setting

    def every_reading(self, keys: set[str]) -> Iterator["Matter[Given]"]:
        """Yield this matter under every combination of the closed values of these settings."""
        settings = tuple(self.open_readings(keys))
        for values in product(*(setting.values for setting in settings)):
            yield self.choosing({setting.key: value for setting, value in zip(settings, values, strict=True)})
