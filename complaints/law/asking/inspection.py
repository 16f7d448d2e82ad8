"""Until when an inspection is valid and what its lack allows: `selo law ask` with `inspection`."""

from datetime import date, timedelta
from typing import Literal

from complaints.law.asking.answer import Answer
from complaints.law.asking.dates import Day, add_months, needs_month_end
from complaints.law.asking.malformed import MalformedQuestion
from complaints.law.asking.matter import Matter
from complaints.law.asking.rows import row_json
from complaints.law.asking.words import Flag, GivenFacts
from complaints.law.entitlements import Inspection
from complaints.law.fleet_rules import InspectionCase


class InspectionGiven(GivenFacts):
    """The last inspection, a request for another, and the vehicle as met in service."""

    last_on: Day | None = None
    requested_on: Day | None = None
    debt: Flag | None = None
    on_board: Flag | None = None
    children_aboard: Flag | None = None
    danger: Flag | None = None
    result: Literal["approved", "approved_with_reservation", "rejected"] | None = None


def check_inspection(matter: Matter[InspectionGiven]) -> None:
    """Refuse an inspection later than the day asked about."""
    if matter.given.last_on is not None and matter.given.last_on > matter.on:
        raise MalformedQuestion("given.last_on", "after the day asked about")


def answer_inspection(matter: Matter[InspectionGiven]) -> Answer:
    """Answer the validity on the day, the proof, and what may be charged and done."""
    rules = matter.rulebook.inspection
    if rules is None:
        return Answer("not_applicable")
    answer = Answer(rule=rules.key or rules.citations[0])
    answer.cite(*rules.citations)
    answer.fields |= {"due": None, "valid_through": None, "expired_from": None, "public_state": "unknown"}
    _write_validity(matter, answer, rules)
    _write_debt(matter, answer, rules)
    _write_proof(matter, answer, rules)
    answer.fields["requires"] = list(rules.requires)
    _write_cases(matter, answer, rules)
    return answer


def _write_validity(matter: Matter[InspectionGiven], answer: Answer, rules: Inspection) -> None:
    given, fields = matter.given, answer.fields
    if given.last_on is None:
        answer.lack("given.last_on")
        return
    if given.result == "rejected":
        answer.human = True
        return
    period = _period(matter, rules)
    if period is None:
        fields["public_state"] = rules.without_period
        answer.keeps_status = rules.without_period != "unknown"
        answer.lack(rules.period_setting or "inspection.period")
        return
    last_day = _valid_through(matter, given.last_on, period)
    if last_day is None:
        answer.lack("given.renewal_on")
        return
    expired = matter.on > last_day
    fields |= {
        "due": last_day.isoformat(),
        "valid_through": last_day.isoformat(),
        "expired_from": (last_day + timedelta(days=1)).isoformat(),
        "public_state": "expired" if expired else "valid",
    }
    if expired:
        answer.cite(*rules.expired_citations)


def _period(matter: Matter[InspectionGiven], rules: Inspection) -> str | None:
    if rules.period_setting is not None:
        value = matter.setting(rules.period_setting)
        return None if value is None else str(value)
    return None if rules.period_months is None else f"{rules.period_months}_months"


def _valid_through(matter: Matter[InspectionGiven], last_on: date, period: str) -> date | None:
    """Return the last valid day; None where the reading needs a renewal that is not given."""
    if period == "renewal_date":
        return None
    if period == "calendar_year":
        return date(last_on.year + 1, 12, 31)
    if period == "calendar_semester":
        return date(last_on.year, 12, 31) if last_on.month <= 6 else date(last_on.year + 1, 6, 30)
    months = int(period.partition("_")[0])
    how = matter.setting("month_end") if needs_month_end(last_on, months) else "next_day"
    return add_months(last_on, months, how)


def _write_debt(matter: Matter[InspectionGiven], answer: Answer, rules: Inspection) -> None:
    debt = matter.given.debt
    if debt is None:
        return
    blocks = rules.debt_blocks if rules.debt_setting is None or not debt else matter.setting(rules.debt_setting)
    answer.fields["blocked_by_debt"] = debt and bool(blocks)
    answer.cite(*rules.debt_citations)


def _write_proof(matter: Matter[InspectionGiven], answer: Answer, rules: Inspection) -> None:
    given = matter.given
    proof = [
        {"kind": row.kind, "inside": row.inside, "visible_to_user": row.visible_to_user}
        for row in matter.rulebook.credentials
    ]
    for row in matter.rulebook.credentials:
        answer.cite(*row.citations)
    if given.result == "rejected":
        proof = []
        answer.cite(*rules.reserve_citations)
    elif given.result == "approved_with_reservation" and rules.reserve_setting is not None:
        answer.cite(*rules.reserve_citations)
        proof = proof if matter.setting(rules.reserve_setting) else []
    answer.fields["proof"] = proof


def _write_cases(matter: Matter[InspectionGiven], answer: Answer, rules: Inspection) -> None:
    given, fields = matter.given, answer.fields
    fields |= {"infractions": [], "measures": [], "removal": None}
    if given.on_board is None:
        return
    states = {
        "expired": fields["public_state"] == "expired",
        "missing": not given.on_board,
        "rejected": given.result == "rejected",
        "danger": bool(given.danger),
    }
    measures: list[str] = []
    for case in rules.cases:
        if states[case.when]:
            answer.cite(*case.citations)
            fields["infractions"] += [
                row for key in case.infractions if (row := row_json(matter, key)) not in fields["infractions"]
            ]
            measures += [word for word in _measures(matter, answer, case) if word not in measures]
    fields["measures"] = measures
    fields["removal"] = "removal" in measures
    answer.human = answer.human or bool(measures or fields["infractions"])


def _measures(matter: Matter[InspectionGiven], answer: Answer, case: InspectionCase) -> list[str]:
    given = matter.given
    if case.at_once_setting is not None and matter.setting(case.at_once_setting) == "after_auto":
        return []
    allowed = {rule.id: rule.allowed_setting for rule in matter.rulebook.sanctions}
    found: list[str] = []
    for word in case.measures:
        setting = allowed.get(word)
        if setting is None or matter.setting(setting):
            found.append(word)
    if case.children_first and found and not given.danger:
        if given.children_aboard is None:
            answer.keeps_status = True
            answer.lack("given.children_aboard")
        elif given.children_aboard:
            return ["finish_trip", *found]
    return found
