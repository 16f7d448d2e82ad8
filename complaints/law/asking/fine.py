"""What an infraction costs: `selo law ask` with `fine`."""

from datetime import date
from fractions import Fraction

from complaints.law.asking.answer import Answer
from complaints.law.asking.charges import Charge, charge_fact
from complaints.law.asking.fine_facts import Fact, FineGiven
from complaints.law.asking.matter import Matter
from complaints.law.asking.overlapping import Overlapping, settle_overlaps
from complaints.law.exact_numbers import round_cents, write_exact


def answer_fine(matter: Matter[FineGiven]) -> Answer:
    """Answer one row per fact, their total, and what remains to be chosen."""
    rules = matter.rulebook.fines
    if rules is None:
        return Answer("not_applicable")
    answer = Answer()
    charges = [charge_fact(matter, answer, place, fact) for place, fact in _facts(matter)]
    answer.cite(*rules.citations)
    if len(charges) > 1:
        answer.cite(*rules.sum_citations)
    overlapping = settle_overlaps(matter, charges)
    answer.rule = charges[0].key if charges else None
    answer.fields["rows"] = [charge.as_json() for charge in charges]
    _add_total(matter, answer, charges, overlapping)
    _set_status(answer, charges)
    return answer


def _facts(matter: Matter[FineGiven]) -> list[tuple[int, Fact]]:
    """Facts later than the day asked about are none yet."""
    return [(place, fact) for place, fact in enumerate(matter.given.facts) if fact.on <= matter.on]


def _add_total(matter: Matter[FineGiven], answer: Answer, charges: list[Charge], overlapping: Overlapping) -> None:
    fields = answer.fields
    units = {charge.unit for charge in charges if charge.unit is not None}
    refused = any(charge.refused for charge in charges)
    amounts = [charge.amount for charge in overlapping.counted(charges)]
    known = [amount for amount in amounts if amount is not None]
    total = None
    if len(known) == len(amounts) and not overlapping.to_choose and not refused:
        total = sum(known, Fraction(0))
    fields["total"] = None if total is None else write_exact(total)
    fields["unit"] = units.pop() if len(units) == 1 else None
    fields["choose_one"] = overlapping.as_json()
    if refused:
        fields["decision"], fields["reasons"] = "refuse", ["adjustment_out_of_range"]
    elif bounds := overlapping.bounds(charges):
        fields["total_range"] = [write_exact(bound) for bound in bounds]
    answer.human = answer.human or bool(overlapping.to_choose) or any(charge.to_choose for charge in charges)
    if total:
        _add_cents(matter, answer, overlapping.counted(charges))


def _add_cents(matter: Matter[FineGiven], answer: Answer, charges: list[Charge]) -> None:
    """Turn the total into cents when the law or the authority names the day of the unit's value."""
    named = matter.setting("fiscal_unit.value_on")
    cents = Fraction(0)
    for charge in charges:
        day = _value_day(matter, named, charge)
        if day is None or not charge.amount:
            if day is None:
                return
            continue
        value = matter.fixtures.unit_value(charge.unit or "", day)
        if value is None:
            answer.lack("fiscal_unit")
            return
        cents += charge.amount * value
    if matter.rulebook.fines is not None:
        answer.cite(*matter.rulebook.fines.unit_citations)
    if cents.denominator != 1:
        answer.fields["rounding"] = matter.setting("rounding")
        answer.fields["cents"] = round_cents(cents, answer.fields["rounding"])
    else:
        answer.fields["cents"] = int(cents)


def _value_day(matter: Matter[FineGiven], named: str, charge: Charge) -> date | None:
    days = {"payment": matter.given.paid_on, "notice": matter.given.notice_on, "infraction": charge.on}
    day = days.get(named)
    return day if day is not None and day <= matter.on else None


def _set_status(answer: Answer, charges: list[Charge]) -> None:
    if answer.status == "answered" and any(charge.status == "undecided" for charge in charges):
        answer.status = "undecided"
    elif answer.status == "answered" and any(charge.status == "no_rule" for charge in charges):
        answer.status = "no_rule"
