"""Rows that describe the same conduct on one day: chosen among, added up, or the heavier alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from complaints.law.asking.charges import Charge
from complaints.law.asking.matter import Matter

_ONLY_HEAVIER = frozenset(("merged", "heavier_only"))


@dataclass
class Overlapping:
    """`to_choose` holds groups of which a person takes one row, `left_out` rows that add nothing."""

    to_choose: list[tuple[str, list[Charge]]] = field(default_factory=list)
    left_out: list[Charge] = field(default_factory=list)

    def counted(self, charges: Sequence[Charge]) -> list[Charge]:
        """Return the rows that add to the total."""
        return [charge for charge in charges if not any(charge is row for row in self.left_out)]

    def as_json(self) -> list[dict[str, Any]]:
        """Return the groups to choose from, the lighter row as a hint."""
        return [
            {
                "group": group,
                "rows": [charge.key for charge in rows],
                "hint": min(rows, key=lambda charge: charge.amount or Fraction(0)).key,
            }
            for group, rows in self.to_choose
        ]

    def bounds(self, charges: Sequence[Charge]) -> tuple[Fraction, Fraction] | None:
        """Return the least and the most the rows may cost; None when settled or when an amount is unknown."""
        rows = self.counted(charges)
        if not self.to_choose and not any(charge.to_choose for charge in rows):
            return None
        if any(charge.amount is None for charge in rows):
            return None
        chosen = [charge for _, group in self.to_choose for charge in group]
        fixed = [_range(charge) for charge in rows if not any(charge is other for other in chosen)]
        groups = [[_range(charge) for charge in group] for _, group in self.to_choose]
        least = sum((low for low, _ in fixed), Fraction(0)) + sum(min(low for low, _ in group) for group in groups)
        most = sum((high for _, high in fixed), Fraction(0)) + sum(
            max(high for _, high in group) for group in groups
        )
        return least, most


def settle_overlaps(matter: Matter[Any], charges: Sequence[Charge]) -> Overlapping:
    """Find the groups with two rows or more on one day, and treat each as the settings say."""
    found = Overlapping()
    for overlap in matter.rulebook.overlaps:
        for day in sorted({charge.on for charge in charges}):
            rows = [charge for charge in charges if charge.on == day and charge.key in overlap.rows]
            if len({charge.key for charge in rows}) < 2:
                continue
            word = "choose_one" if overlap.setting is None else matter.setting(overlap.setting)
            if word == "choose_one":
                found.to_choose.append((overlap.id, rows))
            elif word in _ONLY_HEAVIER:
                heavier = max(rows, key=lambda charge: charge.amount or Fraction(0))
                found.left_out += [charge for charge in rows if charge is not heavier]
    return found


def _range(charge: Charge) -> tuple[Fraction, Fraction]:
    amounts = [amount for _, amount in charge.outcomes if amount is not None]
    return min(amounts), max(amounts)
