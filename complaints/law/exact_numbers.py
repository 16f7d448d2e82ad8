"""Exact numbers: read, written in their shortest form, and rounded to whole cents only when told how."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

_EXACT = re.compile(r"\d{1,18}(?:\.\d{1,18}|/[1-9]\d{0,17})?")


def read_exact(text: str) -> Fraction:
    """Read `"400"`, `"52.5"` or `"100/3"`, never negative; ValueError for anything else."""
    if _EXACT.fullmatch(text) is None:
        raise ValueError(f"{text!r} is not an exact number such as 400, 52.5 or 100/3")
    return Fraction(text)


def write_exact(number: Fraction | int) -> str:
    """Write an integer or a terminating decimal in its shortest form, otherwise an irreducible fraction."""
    number = Fraction(number)
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"{number.numerator}/{number.denominator}"
    if number.denominator == 1:
        return str(number.numerator)
    digits = 0
    while (number * 10**digits).denominator != 1:
        digits += 1
    scaled = Decimal(int(number * 10**digits)).scaleb(-digits)
    return format(scaled, "f")


def round_cents(amount: Fraction, rounding: str) -> int | None:
    """Round to whole cents: `up`, `down` or `half_up`; None when not whole and the rounding is `unset`."""
    whole, rest = divmod(amount.numerator, amount.denominator)
    if rest == 0:
        return whole
    if rounding == "unset":
        return None
    if rounding == "half_up":
        return whole + (2 * rest >= amount.denominator)
    return whole + (rounding == "up")


def money(amount: Fraction, rounding: str) -> dict[str, Any]:
    """Return `amount`, `unit` and `cents`, and `rounding` when the amount is not whole."""
    fields: dict[str, Any] = {
        "amount": write_exact(amount),
        "unit": "BRL_cent",
        "cents": round_cents(amount, rounding),
    }
    if amount.denominator != 1:
        fields["rounding"] = rounding
    return fields
