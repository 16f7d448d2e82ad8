"""How many vehicles may be over age, and how many must be in reserve: `selo law ask` with `fleet`."""

from fractions import Fraction
from math import ceil, floor
from typing import Any

from complaints.law.asking.answer import Answer
from complaints.law.asking.malformed import MalformedQuestion
from complaints.law.asking.matter import Matter
from complaints.law.asking.words import Count, GivenFacts
from complaints.law.exact_numbers import read_exact, write_exact
from complaints.law.fleet_rules import FleetRules


class FleetGiven(GivenFacts):
    """Vehicles in operation, those over age, and those the lines need."""

    operating: Count | None = None
    over_age: Count | None = None
    needed: Count | None = None


def check_fleet(matter: Matter[FleetGiven]) -> None:
    """Refuse more vehicles over age than there are."""
    given = matter.given
    if given.operating is not None and given.over_age is not None and given.over_age > given.operating:
        raise MalformedQuestion("given.over_age", "more than given.operating")


def answer_fleet(matter: Matter[FleetGiven]) -> Answer:
    """Answer the shares of a fleet in whole vehicles."""
    rules = matter.rulebook.fleet
    if rules is None:
        return Answer("not_applicable")
    answer = Answer()
    if rules.overage_max is not None:
        matter.name_settings(answer, rules.facts_settings)
        _overage(matter, answer, read_exact(rules.overage_max), rules.overage_citations)
    if rules.reserve_base is not None:
        _reserve(matter, answer, rules)
    answer.rule = answer.citations[0]
    return answer


def _overage(matter: Matter[FleetGiven], answer: Answer, most: Fraction, citations: tuple[str, ...]) -> None:
    given = matter.given
    answer.cite(*citations)
    if given.operating is None or given.over_age is None:
        answer.lack("given.operating" if given.operating is None else "given.over_age")
        answer.fields["overage"] = None
        return
    share = Fraction(given.over_age, given.operating) if given.operating else Fraction(0)
    answer.fields["overage"] = {"share": write_exact(share), "allowed": share <= most}


def _reserve(matter: Matter[FleetGiven], answer: Answer, rules: FleetRules) -> None:
    answer.cite(*rules.reserve_citations)
    base = matter.given.needed if rules.reserve_base == "needed" else matter.given.operating
    if base is None:
        answer.lack(f"given.{rules.reserve_base}")
        answer.fields["reserve"] = None
        return
    least = base * read_exact(rules.reserve_min or "0")
    most = None if rules.reserve_max is None else base * read_exact(rules.reserve_max)
    word = "inside"
    if rules.rounding_setting is not None and any(
        bound is not None and bound.denominator != 1 for bound in (least, most)
    ):
        word = matter.setting(rules.rounding_setting)
    low, high = _whole(least, word, is_least=True), None if most is None else _whole(most, word, is_least=False)
    answer.fields["reserve"] = _reserve_json(low, high)
    answer.human = high is not None and low > high


def _whole(bound: Fraction, word: str, *, is_least: bool) -> int:
    """Round a bound to whole vehicles; `inside` keeps both bounds within the law's shares."""
    if word == "half_up":
        return floor(bound + Fraction(1, 2))
    if word == "floor":
        return floor(bound)
    if word == "ceil":
        return ceil(bound)
    return ceil(bound) if is_least else floor(bound)


def _reserve_json(low: int, high: int | None) -> dict[str, Any]:
    if high is not None and low > high:
        return {"min": None, "max": None, "possible": False}
    return {"min": low, "max": high, "possible": True}
