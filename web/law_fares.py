"""Who pays less on a line: the titles of the town's law that are settled, with what each pays of a fare."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from complaints.law.entitlements import FareRule
from complaints.law.exact_numbers import round_cents
from complaints.law.schema import Rulebook

ROUNDING = "rounding"


@dataclass(frozen=True)
class Reduced:
    """A title on a line: `cents` is what its holder pays, None where the law gives no whole cents."""

    rule: FareRule
    cents: int | None


def main_service(rulebook: Rulebook) -> str | None:
    """The service that the lines of a feed belong to: the law's first one with lines and a fare."""
    return next((service.id for service in rulebook.services if service.has_lines and service.has_fare), None)


def reduced_fares(rulebook: Rulebook, settings: Mapping[str, Any], cents: int) -> tuple[Reduced, ...]:
    """The titles that surely hold on the town's lines, each with its price of a full fare of `cents`.

    `settings` are the readings the authority has chosen. A title is left out when it is open whether it holds in
    the service or in every vehicle.
    """
    service = main_service(rulebook)
    return tuple(
        Reduced(rule, _pays(rule, settings, cents))
        for rule in rulebook.fare_rules
        if service in _services(rule, settings) and _holds_in_every_vehicle(rule, settings)
    )


def _services(rule: FareRule, settings: Mapping[str, Any]) -> tuple[str, ...]:
    reading = rule.services_reading
    if reading is None:
        return rule.certain_services
    chosen = settings.get(reading.setting)
    return rule.certain_services if chosen is None else reading.readings.get(_word(chosen), ())


def _holds_in_every_vehicle(rule: FareRule, settings: Mapping[str, Any]) -> bool:
    reading = rule.vehicles_reading
    if reading is None:
        return True
    chosen = settings.get(reading.setting)
    return chosen is not None and reading.readings.get(_word(chosen)) == ()


def _pays(rule: FareRule, settings: Mapping[str, Any], cents: int) -> int | None:
    amount = Fraction(cents * (100 - rule.percent_off), 100)
    if amount.denominator == 1:
        return int(amount)
    chosen = settings.get(ROUNDING)
    return None if chosen is None else round_cents(amount, chosen)


def _word(value: Any) -> str:
    """A reading as the rulebook's tables name it: truth values as true and false."""
    return str(value).lower() if isinstance(value, bool) else str(value)
