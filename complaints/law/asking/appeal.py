"""Whether an appeal may be heard, as of a day: `selo law ask` with `appeal`."""

from datetime import date, timedelta
from typing import Any, Literal

from complaints.law.asking.answer import Answer
from complaints.law.asking.dates import Day
from complaints.law.asking.deadline import requirement_json
from complaints.law.asking.matter import Matter
from complaints.law.asking.served import Served
from complaints.law.asking.step_terms import StepFacts, find_term, latest_due
from complaints.law.asking.words import GivenFacts
from complaints.law.procedure import AppealForm, Requirement, Step
from complaints.law.provisions import Sanction

SignedBy = Literal["holder", "auxiliary", "lawyer_with_mandate", "lawyer_without_mandate", "unsigned"]


class AppealGiven(GivenFacts):
    """The facts of an appeal."""

    sanction: Sanction
    served: Served
    applied_on: Day | None = None
    filed_on: Day | None = None
    paid_on: Day | None = None
    signed_by: SignedBy | None = None


def answer_appeal(matter: Matter[AppealGiven]) -> Answer:
    """Answer how an appeal stands; what would turn it away is proposed to a person."""
    form = matter.rulebook.appeal_form
    if form is None:
        return Answer("not_applicable")
    given = matter.given
    step = matter.rulebook.find_step("appeal", given.sanction)
    if step is None:
        return Answer("no_rule", fields={"outcome": None})
    answer = Answer(rule=step.key or step.citations[0])
    facts = _facts(matter)
    term = find_term(matter, step, facts)
    answer.cite(*term.citations, *form.citations)
    if term.missing:
        answer.lack(*term.missing)
    answer.fields |= {"outcome": None, "due": None if term.due is None else term.due.isoformat()}
    answer.fields |= {"count": term.count, "unit": step.unit, "to": step.to}
    if term.refused is not None:
        answer.fields |= {"decision": "refuse", "reasons": [term.refused]}
    payment = _payment_rule(matter, step)
    answer.fields["requires"] = _requirements(matter, answer, step)
    pay_by = _pay_by(matter, answer, payment)
    if term.due is not None:
        late_after = latest_due(matter, step, facts, matter.reads) or term.due
        _decide(matter, answer, form, payment, pay_by, late_after)
    if payment is not None and _known(given.applied_on, matter.on) is None:
        _lack_day_of_payment(matter, answer)
    return answer


def _facts(matter: Matter[AppealGiven]) -> StepFacts:
    """Return what the term runs from; what happened after the day asked about has not happened yet."""
    given, on = matter.given, matter.on
    served = given.served if given.served.on <= on else None
    return StepFacts(served=served, applied_on=_known(given.applied_on, on))


def _lack_day_of_payment(matter: Matter[AppealGiven], answer: Answer) -> None:
    """Name the day without which nobody knows until when to pay; it decides only on an appeal filed in time."""
    filed = _known(matter.given.filed_on, matter.on) is not None
    answer.keeps_status = not filed or answer.fields["outcome"] is not None
    answer.lack("given.applied_on")


def _decide(
    matter: Matter[AppealGiven],
    answer: Answer,
    form: AppealForm,
    payment: Requirement | None,
    pay_by: date | None,
    late_after: date,
) -> None:
    given = matter.given
    filed_on = _known(given.filed_on, matter.on)
    late = filed_on is not None and filed_on > late_after
    if late or (filed_on is None and matter.on > late_after):
        answer.fields["final_on"] = (late_after + timedelta(days=1)).isoformat()
    if filed_on is None:
        return
    outcome = "propose_late" if late else _outcome(matter, answer, form, payment, pay_by)
    answer.fields["outcome"] = outcome
    if outcome in ("propose_late", "propose_deserto"):
        answer.human = True
        answer.cite(*form.inadmissible_citations)


def _outcome(
    matter: Matter[AppealGiven],
    answer: Answer,
    form: AppealForm,
    payment: Requirement | None,
    pay_by: date | None,
) -> str | None:
    paid_on = _known(matter.given.paid_on, matter.on)
    waits = payment is not None and paid_on is None
    if payment is not None:
        if pay_by is None:
            return None
        if (paid_on or matter.on) > pay_by:
            return "propose_deserto"
    pending = _signature(matter.given.signed_by, form)
    if matter.given.signed_by is None:
        answer.lack("given.signed_by")
        return None
    if pending is not None:
        return pending
    return "awaiting_payment" if waits else "admissible"


def _signature(signed_by: SignedBy | None, form: AppealForm) -> str | None:
    """Return what is pending; None when the right person signed."""
    if signed_by == "lawyer_without_mandate":
        return "pending_mandate" if "lawyer" in form.may_sign else "pending_signature"
    person = "lawyer" if signed_by == "lawyer_with_mandate" else signed_by
    return None if person in form.may_sign else "pending_signature"


def _payment_rule(matter: Matter[AppealGiven], step: Step) -> Requirement | None:
    """Return the rule that makes this appeal wait for a payment, while its setting is on."""
    for rule in step.requires:
        if rule.kind == "payment" and (not rule.sanctions or matter.given.sanction in rule.sanctions):
            return rule if rule.setting is None or matter.setting(rule.setting) else None
    return None


def _requirements(matter: Matter[AppealGiven], answer: Answer, step: Step) -> list[dict[str, Any]]:
    found = []
    for rule in step.requires:
        shown = requirement_json(matter, rule, matter.given.sanction, _known(matter.given.applied_on, matter.on))
        if not rule.sanctions or matter.given.sanction in rule.sanctions:
            answer.cite(*rule.citations)
        if shown is not None:
            found.append(shown)
    return found


def _pay_by(matter: Matter[AppealGiven], answer: Answer, payment: Requirement | None) -> date | None:
    if payment is None or payment.within is None:
        return None
    step = matter.rulebook.find_step(payment.within, matter.given.sanction)
    if step is None:
        return None
    term = find_term(matter, step, StepFacts(applied_on=_known(matter.given.applied_on, matter.on)))
    if term.due is not None:
        answer.fields["pay_by"] = term.due.isoformat()
    return term.due


def _known(day: date | None, on: date) -> date | None:
    return day if day is not None and day <= on else None
