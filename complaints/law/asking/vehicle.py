"""Whether a vehicle may enter, stay or replace another: `selo law ask` with `vehicle`."""

from datetime import date, timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, StrictInt

from complaints.law.asking.answer import Answer
from complaints.law.asking.dates import FIRST_YEAR, LAST_YEAR, Day, add_months, completed_years, needs_month_end
from complaints.law.asking.malformed import MalformedQuestion
from complaints.law.asking.matter import Matter
from complaints.law.asking.words import Count, Flag, GivenFacts
from complaints.law.fleet_rules import AgeRule, Equipment, LifeRule, Purpose, TransitionalRule, VehicleKind

_CAPACITY = ("capacity_below_min", "capacity_above_max")


def _year(number: int) -> int:
    if not FIRST_YEAR <= number <= LAST_YEAR:
        raise ValueError(f"not a year between {FIRST_YEAR} and {LAST_YEAR}")
    return number


Year = Annotated[StrictInt, AfterValidator(_year)]


class Replaced(GivenFacts):
    """The vehicle that goes."""

    made: Year
    reason: Literal["life_limit", "breakdown"]
    deregistered: Flag | None = None


class VehicleGiven(GivenFacts):
    """A vehicle and what is to be done with it; `capacity` counts the driver."""

    purpose: Purpose
    kind: VehicleKind | None = None
    made: Year | None = None
    made_on: Day | None = None
    registered_on: Day | None = None
    capacity: Count | None = None
    collector: Flag | None = None
    reserved_seats: Count | None = None
    doors: Count | None = None
    from_tender: Flag | None = None
    permit_on: Day | None = None
    replaces: Replaced | None = None


def check_vehicle(matter: Matter[VehicleGiven]) -> None:
    """Refuse a vehicle made after the day asked about, or in another year than its date says."""
    given = matter.given
    if given.made_on is not None and given.made_on > matter.on:
        raise MalformedQuestion("given.made_on", "after the day asked about")
    if given.made is not None and given.made_on is not None and given.made != given.made_on.year:
        raise MalformedQuestion("given.made", "not the year of given.made_on")
    if given.made is not None and given.made > matter.on.year + 1:
        raise MalformedQuestion("given.made", "after the year of the day asked about")


def answer_vehicle(matter: Matter[VehicleGiven]) -> Answer:
    """Answer the decision on a vehicle, its age and the days that count."""
    rules = matter.rulebook.vehicles
    if rules is None:
        return Answer("not_applicable", fields={"decision": None})
    purpose = matter.given.purpose
    answer = Answer(fields={"decision": None, "reasons": [], "infractions": []})
    if purpose == "transitional" and rules.transitional is not None:
        _transitional(matter, answer, rules.transitional)
        return answer
    if purpose == "equip" and rules.equipment is not None:
        _equip(matter, answer, rules.equipment, all_needed=True)
        _decide(answer)
        _name_rule(matter, answer)
        return answer
    found = False
    if rules.life is not None and purpose in rules.life.purposes:
        found = True
        _life(matter, answer, rules.life)
    rule = None if found else _age_rule(matter, answer)
    if rule is not None:
        found = True
        _age(matter, answer, rule)
    if not found:
        if answer.missing:
            return answer
        return Answer("no_rule", fields={"decision": None})
    if purpose == "enter" and rules.equipment is not None:
        _equip(matter, answer, rules.equipment, all_needed=False)
    if purpose == "replace" and rules.deregistered_citations:
        _deregistered(matter, answer, rules.deregistered_citations)
    _decide(answer)
    _name_rule(matter, answer)
    return answer


def _decide(answer: Answer) -> None:
    """Settle the decision from the reasons found, unless a rule has settled it already."""
    fields = answer.fields
    reasons = fields["reasons"]
    if fields["decision"] in ("human", "provisional", "none"):
        return
    if any(reason != "doors" for reason in reasons) and fields["decision"] != "warn":
        fields["decision"] = "refuse"
        answer.missing = [] if answer.status == "undetermined" else answer.missing
        answer.status = "answered"
    elif answer.missing:
        fields["decision"] = None
    elif reasons:
        fields["decision"] = "warn"
    else:
        fields["decision"] = "accept"
    answer.human = answer.human or fields["decision"] == "warn"


def _name_rule(matter: Matter[VehicleGiven], answer: Answer) -> None:
    """Name the rule of the first reason, where it is not that of the age."""
    rules, reasons = matter.rulebook.vehicles, answer.fields["reasons"]
    if rules is None or not reasons:
        return
    equipment = rules.equipment
    keys = {
        "old_vehicle_not_deregistered": rules.deregistered_key,
        "reserved_seats": None if equipment is None else equipment.reserved_key,
        "doors": None if equipment is None else equipment.doors_key,
        **dict.fromkeys(
            _CAPACITY, None if equipment is None else equipment.key or equipment.capacity_citations[0]
        ),
    }
    answer.rule = keys.get(reasons[0]) or answer.rule


def _made_year(matter: Matter[VehicleGiven]) -> int | None:
    given = matter.given
    return given.made_on.year if given.made_on is not None else given.made


def _age_rule(matter: Matter[VehicleGiven], answer: Answer) -> AgeRule | None:
    given = matter.given
    rules = () if matter.rulebook.vehicles is None else matter.rulebook.vehicles.age_rules
    fitting = [rule for rule in rules if given.purpose in rule.purposes]
    if given.purpose == "replace" and any(rule.reason for rule in fitting):
        if given.replaces is None:
            answer.lack("given.replaces")
            answer.cite(*(place for rule in fitting for place in rule.citations))
            return None
        fitting = [rule for rule in fitting if rule.reason == given.replaces.reason]
    if any(rule.kinds for rule in fitting):
        if given.kind is None:
            answer.lack("given.kind")
            answer.cite(*(place for rule in fitting for place in rule.citations))
            return None
        fitting = [rule for rule in fitting if given.kind in rule.kinds]
    return fitting[0] if fitting else None


def _age(matter: Matter[VehicleGiven], answer: Answer, rule: AgeRule) -> None:
    given, fields = matter.given, answer.fields
    answer.rule = rule.key
    answer.cite(*rule.citations)
    matter.name_settings(answer, rule.facts_settings)
    limit = int(matter.setting(rule.max_age_setting) if rule.max_age_setting is not None else rule.max_age or 0)
    fields["age_limit"] = limit
    day = given.registered_on if given.purpose == "replace" else matter.on
    if day is None:
        answer.lack("given.registered_on")
        return
    by_date = rule.method_setting is not None and matter.setting(rule.method_setting) == "date"
    if by_date and given.made_on is None:
        answer.lack("given.made_on")
        return
    year = _made_year(matter)
    if year is None:
        answer.lack("given.made")
        return
    if by_date and given.made_on is not None:
        fields["age"] = max(0, completed_years(given.made_on, day))
    else:
        fields["age"] = max(0, day.year - year)
    over = fields["over_age"] = fields["age"] > limit
    if over:
        fields["reasons"].append("age")
        fields["infractions"] = list(rule.infractions)
        answer.cite(*rule.over_citations)
        for key in rule.infractions:
            answer.cite(*matter.rulebook.get_provision(key).citations)
        if rule.over == "warn":
            fields["decision"] = "warn"


def _life(matter: Matter[VehicleGiven], answer: Answer, rule: LifeRule) -> None:
    fields = answer.fields
    answer.rule = rule.key
    answer.cite(*rule.citations)
    year = _made_year(matter)
    if year is None:
        answer.lack("given.made")
        return
    limit = _life_end(matter.setting(rule.end_setting), year, rule.years)
    window_end = limit + timedelta(days=rule.window_days)
    fields |= {
        "age": max(0, matter.on.year - year),
        "age_limit": rule.years,
        "over_age": matter.on > limit,
        "limit_date": limit.isoformat(),
        "window_end": window_end.isoformat(),
    }
    if matter.on <= limit:
        fields["state"] = "dentro"
    elif matter.given.purpose == "enter":
        fields["state"] = "janela-vencida" if matter.on > window_end else "em-janela-de-substituicao"
        fields["reasons"].append("age")
    elif matter.on <= window_end:
        _in_window(matter, answer, rule)
    else:
        fields |= {"state": "janela-vencida", "decision": "human", "infractions": list(rule.infractions)}
        answer.human = True
        answer.cite(*rule.window_citations, *rule.over_citations)


def _life_end(word: str, made: int, years: int) -> date:
    if word == "start_of_year":
        return date(made + years, 1, 1)
    return date(made + years - (word == "first_year_counts"), 12, 31)


def _in_window(matter: Matter[VehicleGiven], answer: Answer, rule: LifeRule) -> None:
    fields = answer.fields
    answer.cite(*rule.window_citations)
    answer.human = True
    operation = matter.setting(rule.window_setting)
    fields |= {"state": "em-janela-de-substituicao", "decision": "human"}
    if operation == "forbidden":
        fields["infractions"] = list(rule.infractions)
        answer.cite(*rule.over_citations)


def _deregistered(matter: Matter[VehicleGiven], answer: Answer, citations: tuple[str, ...]) -> None:
    replaced = matter.given.replaces
    answer.cite(*citations)
    if replaced is None or replaced.deregistered is None:
        answer.lack("given.replaces" if replaced is None else "given.replaces.deregistered")
    elif not replaced.deregistered:
        answer.fields["reasons"].append("old_vehicle_not_deregistered")


def _equip(matter: Matter[VehicleGiven], answer: Answer, rule: Equipment, *, all_needed: bool) -> None:
    given, fields, reasons = matter.given, answer.fields, answer.fields["reasons"]
    answer.rule = answer.rule or rule.key
    if all_needed or given.capacity is not None or given.doors is not None:
        answer.cite(*rule.capacity_citations)
    for name, needed in (
        ("capacity", rule.capacity_min is not None or rule.capacity_max is not None),
        ("reserved_seats", rule.reserved_seats_min is not None),
        ("doors", rule.doors is not None),
    ):
        if needed and all_needed and getattr(given, name) is None:
            answer.lack(f"given.{name}")
    if given.capacity is not None:
        if rule.capacity_min is not None and given.capacity < rule.capacity_min:
            reasons.append("capacity_below_min")
        if rule.capacity_max is not None and given.capacity > rule.capacity_max:
            reasons.append("capacity_above_max")
        if given.collector is not None:
            fields["passenger_seats"] = max(0, given.capacity - 1 - given.collector)
    if rule.reserved_seats_min is not None and (all_needed or given.reserved_seats is not None):
        answer.cite(*rule.reserved_citations)
        if given.reserved_seats is not None and given.reserved_seats < rule.reserved_seats_min:
            reasons.append("reserved_seats")
    if rule.doors is not None and given.doors not in (None, rule.doors):
        reasons.append("doors")


def _transitional(matter: Matter[VehicleGiven], answer: Answer, rule: TransitionalRule) -> None:
    given, fields = matter.given, answer.fields
    answer.rule = rule.key
    answer.cite(*rule.citations)
    if given.from_tender is False:
        fields["decision"] = "none"
        return
    year = _made_year(matter)
    for name, value in (("from_tender", given.from_tender), ("permit_on", given.permit_on), ("made", year)):
        if value is None:
            answer.lack(f"given.{name}")
    if answer.missing or given.permit_on is None or year is None:
        return
    age = max(0, given.permit_on.year - year)
    limits = {rule.over_years, *rule.over_years_by_reading.values()}
    limit = rule.over_years
    if len({age > one for one in limits}) > 1:
        limit = rule.over_years_by_reading.get(matter.setting(rule.mode_setting), rule.over_years)
    fields |= {"age": age, "age_limit": limit, "over_age": age > limit, "decision": "accept"}
    if age <= limit:
        return
    named = matter.setting(rule.start_setting)
    start = given.permit_on if named == "permit_date" else date.fromisoformat(named)
    how = matter.setting("month_end") if needs_month_end(start, rule.months) else "next_day"
    due = add_months(start, rule.months, how)
    fields |= {"decision": "provisional", "state": "autorizacao-provisoria", "due": due.isoformat()}
    if matter.on > due:
        fields["decision"], answer.human = "human", True
