"""Until when a step may be taken: `selo law ask` with `deadline`."""

import re
from datetime import date, datetime, timedelta
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StrictStr, ValidationInfo

from complaints.law.asking.answer import Answer
from complaints.law.asking.dates import FIRST_YEAR, LAST_YEAR, Day
from complaints.law.asking.fine_facts import ExactWord
from complaints.law.asking.found_terms import Term
from complaints.law.asking.malformed import MalformedQuestion
from complaints.law.asking.matter import Matter
from complaints.law.asking.served import Served, find_form
from complaints.law.asking.step_terms import Defence, StepFacts, find_term, latest_due
from complaints.law.asking.words import Count, GivenFacts, rulebook_of
from complaints.law.procedure import Requirement, Step
from complaints.law.provisions import Sanction
from complaints.law.vocabulary import get_vocabulary

_MINUTE = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}")


def _read_minute(value: Any) -> datetime:
    if not isinstance(value, str) or _MINUTE.fullmatch(value) is None:
        raise ValueError("not a time written as YYYY-MM-DDTHH:MM")
    moment = datetime.fromisoformat(value)
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError(f"not a time between {FIRST_YEAR} and {LAST_YEAR}")
    return moment


def _known_step(word: str, info: ValidationInfo) -> str:
    own = (step.id for step in rulebook_of(info).steps)
    if word not in (*get_vocabulary().closed.steps, *own):
        raise ValueError(f"unknown step {word!r}")
    return word


def _few(number: int) -> int:
    if number > MOST_EXTENSIONS:
        raise ValueError(f"more than {MOST_EXTENSIONS} extensions")
    return number


MOST_EXTENSIONS = 50
Minute = Annotated[datetime, BeforeValidator(_read_minute)]
StepWord = Annotated[StrictStr, AfterValidator(_known_step)]


class DefenceFacts(GivenFacts):
    """A defence and how its rejection was told."""

    filed_on: Day
    rejected: Served | None = None


class DeadlineGiven(GivenFacts):
    """The facts of a term."""

    step: StepWord
    served: Served | None = None
    from_day: Day | None = Field(default=None, alias="from")
    from_time: Minute | None = None
    done_time: Minute | None = None
    sanction: Sanction | None = None
    fine_amount: ExactWord | None = None
    applied_on: Day | None = None
    extensions: Annotated[Count, AfterValidator(_few)] = 0
    defence: DefenceFacts | None = None


def check_deadline(matter: Matter[DeadlineGiven]) -> None:
    """Refuse a thing done before its term began."""
    given = matter.given
    if given.from_time is not None and given.done_time is not None and given.done_time < given.from_time:
        raise MalformedQuestion("given.done_time", "before given.from_time")


def answer_deadline(matter: Matter[DeadlineGiven]) -> Answer:
    """Answer the last day of a step, what it needs and what follows from silence."""
    given = matter.given
    answer = Answer(always_used=_publication_settings(matter))
    step = _step_asked(matter, answer)
    if step is None:
        return answer
    if step.status == "not_published":
        return Answer("not_published", fields={"due": None}, always_used=answer.always_used)
    answer.rule = step.key or step.citations[0]
    term = find_term(matter, step, _facts(given))
    answer.cite(*term.citations)
    _write_service(matter, answer, step)
    _write_term(answer, step, term, given)
    _write_terms_of_step(matter, answer, step)
    return answer


def add_late_after(matter: Matter[DeadlineGiven], answer: Answer, fields: dict[str, Any]) -> None:
    """Add the latest last day of the default and of all readings not chosen."""
    step = matter.rulebook.find_step(matter.given.step, matter.given.sanction)
    if step is None or fields.get("due") is None:
        return
    latest = latest_due(matter, step, _facts(matter.given), matter.reads)
    fields["late_after"] = None if latest is None else latest.isoformat()


def _publication_settings(matter: Matter[DeadlineGiven]) -> tuple[str, ...]:
    """Return the settings that say which steps were published; each answer of such a law names them."""
    used = dict.fromkeys(step.status_setting for step in matter.rulebook.steps if step.status_setting is not None)
    for setting in used:
        matter.setting(setting)
    return tuple(used)


def _step_asked(matter: Matter[DeadlineGiven], answer: Answer) -> Step | None:
    given, rulebook = matter.given, matter.rulebook
    rows = [step for step in rulebook.steps if step.id == given.step]
    if rows and given.sanction is None and all(step.sanctions for step in rows):
        answer.lack("given.sanction")
        answer.fields["due"] = None
        for row in rows:
            answer.cite(*row.citations)
        return None
    step = rulebook.find_step(given.step, given.sanction)
    if step is None:
        answer.status = "no_rule"
        answer.fields["due"] = None
    return step


def _facts(given: DeadlineGiven) -> StepFacts:
    defence = None if given.defence is None else Defence(given.defence.filed_on, given.defence.rejected)
    return StepFacts(given.served, given.from_day, given.from_time, given.applied_on, given.extensions, defence)


def _write_service(matter: Matter[DeadlineGiven], answer: Answer, step: Step) -> None:
    """A step that only tells somebody: how, and after how many days it counts as done."""
    served = matter.given.served
    if step.count is not None or step.count_setting is not None or served is None:
        return
    form = find_form(matter, served)
    if form is not None:
        answer.cite(*form.citations)
        if form.wait_days:
            answer.fields |= {"count": form.wait_days, "unit": "calendar"}


def _write_term(answer: Answer, step: Step, term: Term, given: DeadlineGiven) -> None:
    fields = answer.fields
    if term.missing:
        answer.lack(*term.missing)
    if term.served_on is not None:
        fields["served_on"] = term.served_on.isoformat()
    fields["due"] = _iso(term.due)
    if term.due is not None:
        fields["next_day"] = (term.due + timedelta(days=1)).isoformat()
    if term.due_time is not None:
        fields["due_time"] = term.due_time.isoformat(timespec="minutes")
    if given.done_time is not None and term.due is not None:
        done = given.done_time
        fields["in_time"] = done.date() <= term.due if term.due_time is None else done <= term.due_time
    if term.count is not None:
        fields |= {"count": term.count, "unit": step.unit}
    if term.refused is not None:
        fields |= {"decision": "refuse", "reasons": [term.refused]}


def _write_terms_of_step(matter: Matter[DeadlineGiven], answer: Answer, step: Step) -> None:
    """Who receives it, what it needs, whether it suspends; a role not settled is a secondary value."""
    fields = answer.fields
    to = step.to if step.to_setting is None else matter.setting(step.to_setting)
    if to is not None or step.to_setting is not None:
        fields["to"] = to
    if to is None and step.to_setting is not None:
        answer.keeps_status = True
        answer.lack(step.to_setting)
    fields["requires"] = [
        shown
        for rule in step.requires
        if (shown := requirement_json(matter, rule, matter.given.sanction, matter.given.applied_on)) is not None
    ]
    for key, value in (("suspensive", step.suspensive), ("on_silence", step.on_silence)):
        if value is not None:
            fields[key] = value
    for rule in step.requires:
        if rule.sanctions == () or matter.given.sanction in rule.sanctions:
            answer.cite(*rule.citations)


def requirement_json(
    matter: Matter[Any], rule: Requirement, sanction: str | None, applied_on: date | None
) -> dict[str, Any] | None:
    """Return what a step needs; None when it does not apply to this sanction or is switched off."""
    if rule.sanctions and sanction is not None and sanction not in rule.sanctions:
        return None
    if rule.setting is not None and not matter.setting(rule.setting):
        return None
    shown: dict[str, Any] = {"kind": rule.kind}
    amount = getattr(matter.given, "fine_amount", None)
    if rule.kind != "authority_opinion" and amount is not None:
        shown |= {"amount": amount, "unit": matter.rulebook.fine_unit}
    within = None if rule.within is None else matter.rulebook.find_step(rule.within, sanction)
    if within is not None and applied_on is not None:
        due = find_term(matter, within, StepFacts(applied_on=applied_on)).due
        if due is not None:
            shown["by"] = due.isoformat()
    if rule.otherwise is not None:
        shown["else"] = rule.otherwise
    return shown


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
