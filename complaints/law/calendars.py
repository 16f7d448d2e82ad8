"""Which days are working days, and why not: weekends and dated rows in layers."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal

from complaints.law.spoken_dates import weekday_name

Layer = Literal["national", "state", "municipal", "optional"]

MONDAY_TO_FRIDAY = frozenset(range(5))

_LAYER_WORDS: dict[Layer, str] = {
    "national": "feriado nacional",
    "state": "feriado estadual",
    "municipal": "feriado municipal",
    "optional": "ponto facultativo",
}


@dataclass(frozen=True)
class CalendarDay:
    """One dated row: a holiday, or a day on which offices may close (`optional`)."""

    day: date
    layer: Layer
    name: str


class Calendar:
    """Days of one authority. `working_weekdays` counts Monday as 0; ValueError when it is empty."""

    def __init__(
        self, days: Iterable[CalendarDay] = (), working_weekdays: frozenset[int] = MONDAY_TO_FRIDAY
    ) -> None:
        if not working_weekdays or not working_weekdays <= frozenset(range(7)):
            raise ValueError(f"not a set of weekdays: {sorted(working_weekdays)}")
        self._working_weekdays = working_weekdays
        self._days: dict[date, CalendarDay] = {}
        for row in sorted(days, key=lambda row: list(_LAYER_WORDS).index(row.layer)):
            self._days.setdefault(row.day, row)

    def is_working(self, day: date, *, optional_counts: bool = True) -> tuple[bool, str]:
        """Tell whether a day is a working day, and why, in Portuguese.

        `optional_counts` makes working days of the days on which offices only may close.
        """
        if day.weekday() not in self._working_weekdays:
            return False, weekday_name(day)
        row = self._days.get(day)
        if row is None:
            return True, "dia útil"
        reason = f"{_LAYER_WORDS[row.layer]} ({row.name})"
        if row.layer == "optional" and optional_counts:
            return True, f"dia útil, apesar do {reason}"
        return False, reason

    def is_optional(self, day: date) -> bool:
        """Tell whether the day would work but for a row of the optional layer."""
        return self.is_working(day)[0] != self.is_working(day, optional_counts=False)[0]


def national_and_state_days(uf: str, years: Iterable[int]) -> tuple[CalendarDay, ...]:
    """List national, state and optional days of some years, for seeding; sorted by day.

    Source: the `holidays` package, in Portuguese. NotImplementedError for an unknown state.
    """
    return tuple(row for year in sorted(set(years)) for row in _days_of_year(uf, year))


@cache
def _days_of_year(uf: str, year: int) -> tuple[CalendarDay, ...]:
    # Here and not above: the package is heavy and only seeding needs it.
    from holidays import country_holidays

    def named(state: str | None, category: str) -> dict[date, str]:
        return dict(country_holidays("BR", subdiv=state, years=year, language="pt_BR", categories=(category,)))

    layers: tuple[tuple[Layer, dict[date, str]], ...] = (
        ("national", named(None, "public")),
        ("state", named(uf, "public")),
        ("optional", {**named(None, "optional"), **named(uf, "optional")}),
    )
    rows: dict[date, CalendarDay] = {}
    for layer, days in layers:
        for day, name in days.items():
            rows.setdefault(day, CalendarDay(day, layer, name))
    return tuple(rows[day] for day in sorted(rows))
