"""One row of a fine: the infraction charged, its class, its amount and what remains open."""

from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from complaints.law.asking.answer import Answer, Status
from complaints.law.asking.fine_facts import Fact, FineGiven
from complaints.law.asking.matter import Matter
from complaints.law.asking.repeats import Earlier, NewFact, Repeats, find_repeats, is_same
from complaints.law.exact_numbers import read_exact, write_exact
from complaints.law.provisions import Infraction

if TYPE_CHECKING:
    from complaints.law.fines import FineClass, FirstOffence, Recidivism

Outcome = tuple[tuple[str, ...], Fraction | None]
"""Sanctions together and the amount they cost; None when the law gives no number."""


@dataclass
class Charge:
    """What one fact costs: the default outcome first among all those open to a person."""

    key: str
    on: date
    status: Status = "answered"
    fine_class: "FineClass | None" = None
    recidivist: bool | None = False
    outcomes: list[Outcome] = field(default_factory=list)
    measures: list[str] = field(default_factory=list)
    verify_first: tuple[str, ...] = ()
    citations: list[str] = field(default_factory=list)
    refused: bool = False

    @property
    def unit(self) -> str | None:
        """The fiscal unit of the amount."""
        return None if self.fine_class is None else self.fine_class.unit

    @property
    def base(self) -> Fraction | None:
        """The amount of the class."""
        return None if self.fine_class is None else read_exact(self.fine_class.amount)

    @property
    def amount(self) -> Fraction | None:
        """The amount of the default outcome."""
        return self.outcomes[0][1] if self.outcomes else None

    @property
    def to_choose(self) -> bool:
        """Whether a person has to choose among outcomes."""
        return len(self.outcomes) > 1

    def cite(self, citations: tuple[str, ...]) -> None:
        """Add places of the law, each once."""
        self.citations += [place for place in citations if place not in self.citations]

    def as_json(self) -> dict[str, Any]:
        """Return the row of the answer."""
        row: dict[str, Any] = {
            "infraction": self.key,
            "class": None if self.fine_class is None else self.fine_class.id,
            "sanctions": list(self.outcomes[0][0]) if self.outcomes else [],
            "base": _written(self.base),
            "amount": _written(self.amount),
            "unit": self.unit,
            "recidivist": self.recidivist,
            "choices": [
                {"sanctions": list(sanctions), "amount": _written(amount)} for sanctions, amount in self.outcomes
            ],
            "measures": self.measures,
            "verify_first": list(self.verify_first),
            "citations": self.citations,
        }
        if self.fine_class is not None and self.fine_class.points is not None:
            row["points"] = self.fine_class.points
        return row


def charge_fact(matter: Matter[FineGiven], answer: Answer, place: int, fact: Fact) -> Charge:
    """Charge one fact; what is missing and where the law speaks goes into the answer."""
    rulebook = matter.rulebook
    charge = Charge(rulebook.charged_key(fact.infraction), fact.on)
    repeats = _look_back(matter, answer, charge, place)
    rules = rulebook.recidivism
    warned = rules is not None and _repeats_warning(matter, rules, charge.key, repeats)
    if warned and rules is not None and rules.repeated_warning is not None:
        charge.key = rules.repeated_warning.charge
        charge.cite(rules.repeated_warning.citations)
    row = rulebook.get_provision(charge.key)
    charge.cite(row.citations)
    if isinstance(row, Infraction):
        charge.verify_first = row.verify_first
        _add_measures(matter, charge, row, repeats)
    if _is_open_to_charge(matter, answer, charge):
        _price(matter, answer, charge, repeats, warned=warned)
    answer.cite(*charge.citations)
    return charge


def _look_back(matter: Matter[FineGiven], answer: Answer, charge: Charge, place: int) -> Repeats:
    rules = matter.rulebook.recidivism
    if rules is None:
        return Repeats([], [])
    history = known_history(matter)
    given = matter.given
    new = NewFact(charge.key, charge.on, _known(given.notice_on, matter.on), _known(given.decision_on, matter.on))
    repeats = find_repeats(matter, rules, new, history)
    charge.recidivist = repeats.is_repeater
    if charge.recidivist is None:
        answer.lack(*repeats.missing)
    if history:
        charge.cite(rules.citations)
    if repeats.looked_at_lapse:
        charge.cite(rules.lapse_citations)
    return repeats


def known_history(matter: Matter[FineGiven]) -> list[Earlier]:
    """Return the history as known on the day asked about: later facts and decisions are left out."""
    return [
        Earlier(
            f"given.history.{place}", past.infraction, past.on, past.outcome,
            _known(past.decided_on, matter.on), _known(past.final_on, matter.on),
            _known(past.served_on, matter.on), past.amount,
        )
        for place, past in enumerate(matter.given.history)
        if past.on <= matter.on
    ]  # fmt: skip


def _known(day: date | None, on: date) -> date | None:
    return day if day is not None and day <= on else None


def _repeats_warning(matter: Matter[Any], rules: "Recidivism", key: str, repeats: Repeats) -> bool:
    """Tell whether the same infraction was answered by a warning the last time."""
    same = [past for past in repeats.counted if is_same(matter, "leaf", key, past.infraction)]
    if rules.repeated_warning is None or not same:
        return False
    return max(same, key=lambda past: past.on).outcome == "warning"


def _add_measures(matter: Matter[Any], charge: Charge, row: Infraction, repeats: Repeats) -> None:
    for measure in row.measures:
        same = any(is_same(matter, "leaf", charge.key, past.infraction) for past in repeats.counted)
        if same or not measure.only_repeat:
            charge.measures.append(measure.sanction)
            charge.cite(measure.citations)


def _is_open_to_charge(matter: Matter[Any], answer: Answer, charge: Charge) -> bool:
    """Find the class; without one, or while the row is switched off, nothing is charged."""
    rulebook = matter.rulebook
    row = rulebook.get_provision(charge.key)
    if not row.enabled and (row.enabled_by is None or matter.setting(row.enabled_by) is None):
        charge.status = "undecided"
        answer.leave_open(*(() if row.enabled_by is None else (row.enabled_by,)))
        answer.human = True
        return False
    class_id = row.class_id if isinstance(row, Infraction) else None
    if rulebook.fines is not None and rulebook.fines.classes_from_annex:
        class_id = matter.fixtures.classes.get(charge.key)
        if class_id is None and isinstance(row, Infraction):
            answer.lack("infraction_table")
            return False
    if class_id is None:
        charge.status = "no_rule"
        return False
    charge.fine_class = rulebook.get_fine_class(class_id)
    return True


def _price(matter: Matter[FineGiven], answer: Answer, charge: Charge, repeats: Repeats, *, warned: bool) -> None:
    fine_class, base = charge.fine_class, charge.base
    if fine_class is None or base is None:
        return
    charge.cite(fine_class.point_citations)
    if charge.recidivist is None:
        charge.outcomes = [((), None)]
        return
    first = _first_offence(matter, charge, fine_class)
    if first is not None:
        charge.cite(first.citations)
        charge.outcomes = [_first_outcome(matter, first, base)]
    else:
        charge.outcomes = [(("fine",), base)]
        if charge.recidivist and not warned:
            _make_heavier(matter, answer, charge, repeats)
    if "fine" in charge.outcomes[0][0]:
        charge.cite(fine_class.citations)
    _make_lighter(matter, charge)
    _adjust(matter, answer, charge)


def _first_offence(matter: Matter[FineGiven], charge: Charge, fine_class: "FineClass") -> "FirstOffence | None":
    rules = matter.rulebook.fines
    rows = () if rules is None else rules.first_offences
    for row in rows:
        if row.class_id == fine_class.id and not charge.recidivist:
            means = "not_recidivist" if row.primary_setting is None else None
            if _has_earlier_final(matter, charge) and row.primary_setting is not None:
                means = matter.setting(row.primary_setting)
            return None if means == "no_earlier_infraction" else row
    return None


def _has_earlier_final(matter: Matter[FineGiven], charge: Charge) -> bool:
    limit = _known(matter.given.notice_on, matter.on) or charge.on
    return any(
        past.outcome in ("fine", "warning")
        and past.on < limit
        and past.final_on is not None
        and past.final_on <= limit
        for past in known_history(matter)
    )


def _first_outcome(matter: Matter[Any], row: "FirstOffence", base: Fraction) -> Outcome:
    effect = row.effect if row.effect_setting is None else matter.setting(row.effect_setting)
    if effect == "warning":
        return ("warning",), Fraction(0)
    return (("fine",) if effect == "fine" else ("warning", "fine")), base


def _make_heavier(matter: Matter[FineGiven], answer: Answer, charge: Charge, repeats: Repeats) -> None:
    rules, base = matter.rulebook.recidivism, charge.base
    if rules is None or base is None or rules.effect.kind == "none":
        return
    effect = rules.effect
    charge.cite(effect.citations)
    if effect.kind == "step":
        charge.outcomes = [(("fine",), _step(matter, answer, charge, repeats, base))]
        return
    heavier = base * read_exact(effect.factor or "1")
    if effect.kind == "multiply":
        charge.outcomes = [(("fine",), heavier)]
        return
    dearest = max(read_exact(row.amount) for row in matter.rulebook.fine_classes)
    if heavier > dearest and effect.max_setting is not None and not matter.setting(effect.max_setting):
        return
    charge.outcomes.append((("fine",), heavier))


def _step(
    matter: Matter[FineGiven], answer: Answer, charge: Charge, repeats: Repeats, base: Fraction
) -> Fraction | None:
    """Multiply the last fine; after warnings only, the repeat costs what the class says."""
    effect = matter.rulebook.recidivism.effect if matter.rulebook.recidivism is not None else None
    fined = [past for past in repeats.counted if past.outcome == "fine"]
    if effect is None or not fined:
        return base
    step = matter.setting(effect.step_setting or "")
    if step is None:
        answer.leave_open(effect.step_setting or "")
        answer.human = True
        return None
    last = max(fined, key=lambda past: past.on)
    if last.amount is None:
        answer.lack(f"{last.place}.amount")
        return None
    amount = read_exact(last.amount) * Fraction(str(step))
    cap = matter.setting(effect.cap_value_setting) if effect.cap_value_setting is not None else None
    if cap is None:
        return amount
    if effect.cap_unit_setting is not None and matter.setting(effect.cap_unit_setting) != charge.unit:
        answer.leave_open(effect.cap_unit_setting)
        answer.human = True
        return None
    return min(amount, Fraction(str(cap)))


def _make_lighter(matter: Matter[FineGiven], charge: Charge) -> None:
    rules = matter.rulebook.attenuation
    if rules is None or not matter.given.attenuating or charge.fine_class is None:
        return
    charge.cite(rules.citations)
    if charge.fine_class.id not in rules.excluded_classes:
        charge.outcomes.append(((rules.sanction,), Fraction(0)))


def _adjust(matter: Matter[FineGiven], answer: Answer, charge: Charge) -> None:
    rules, facts = matter.rulebook.adjustment, matter.given.adjust
    if rules is None or facts is None or charge.base is None or charge.amount is None:
        return
    charge.cite(rules.citations)
    answer.human = True
    share = read_exact(facts.by)
    if not read_exact(rules.least) <= share <= read_exact(rules.most):
        charge.refused = True
        return
    signed = share if facts.kind == "aggravate" else -share
    amount = charge.amount
    on_recidivist = True
    if amount != charge.base and rules.order_setting is not None:
        on_recidivist = matter.setting(rules.order_setting) == "on_recidivist"
    adjusted = amount * (1 + signed) if on_recidivist else amount + charge.base * signed
    charge.outcomes = [(charge.outcomes[0][0], adjusted)]


def _written(amount: Fraction | None) -> str | None:
    return None if amount is None else write_exact(amount)
