"""What a rider pays: `selo law ask` with `fare`."""

from fractions import Fraction

from complaints.law.asking.answer import Answer
from complaints.law.asking.fare_facts import FareGiven
from complaints.law.asking.malformed import MalformedQuestion
from complaints.law.asking.matter import Matter
from complaints.law.asking.titles import Examined, examine, is_claimed
from complaints.law.entitlements import FareExclusion, FareRule
from complaints.law.exact_numbers import money


def check_fare(matter: Matter[FareGiven]) -> None:
    """Refuse a rider who is not born yet."""
    born = matter.given.rider.born
    if born is not None and born > matter.on:
        raise MalformedQuestion("given.rider.born", "after the day of the trip")


def answer_fare(matter: Matter[FareGiven]) -> Answer:
    """Answer what the rider pays, by which title, or which conditions are not met."""
    service = next((row for row in matter.rulebook.services if row.id == matter.given.service), None)
    if service is None or not service.has_fare:
        return Answer("not_applicable", fields={"outcome": None})
    if matter.given.animal is not None:
        return _answer_carriage(matter)
    answer = Answer()
    examined = [
        examine(matter, rule) for rule in matter.rulebook.fare_rules if is_claimed(rule, matter.given.rider)
    ]
    if (exclusion := _barred_person(matter, answer, examined)) is not None:
        return _answer_barred(matter, answer, exclusion)
    held = sorted((one for one in examined if one.holds), key=lambda one: -one.rule.percent_off)
    best = held[0].rule.percent_off if held else 0
    open_ones = [one for one in examined if one.holds is None and one.rule.percent_off > best]
    if open_ones:
        _answer_open(answer, open_ones)
    elif held:
        _answer_held(matter, answer, held[0].rule)
    else:
        _answer_full(matter, answer, examined)
    return answer


def _answer_open(answer: Answer, open_ones: list[Examined]) -> None:
    answer.fields |= {"outcome": None, "unmet": []}
    answer.rule = open_ones[0].rule.key
    for one in open_ones:
        answer.cite(*one.rule.citations)
        answer.lack(*one.missing)


def _answer_held(matter: Matter[FareGiven], answer: Answer, rule: FareRule) -> None:
    answer.rule = rule.key
    answer.cite(*rule.citations)
    answer.fields |= {"outcome": "free" if rule.percent_off == 100 else "half", "unmet": []}
    if rule.conditions_from is not None:
        answer.fields["conditions_from"] = [rule.conditions_from]
    _price(matter, answer, rule.percent_off)


def _answer_full(matter: Matter[FareGiven], answer: Answer, examined: list[Examined]) -> None:
    rider, rulebook = matter.given.rider, matter.rulebook
    fitting = [one for one in examined if one.fits]
    unmet = list(dict.fromkeys(word for one in fitting for word in one.unmet))
    if not fitting and rider.born is not None:
        unmet = ["age"]
    bar = _find_bar(matter) if unmet == ["service"] else None
    if bar is not None:
        answer.cite(*bar.citations)
    else:
        for one in fitting or examined:
            answer.cite(*one.rule.citations)
    pupil = _excluded(matter)
    if pupil is not None:
        answer.cite(*pupil.citations)
        answer.rule = pupil.key or pupil.citations[0]
    elif bar is not None:
        answer.rule = bar.key or bar.citations[0]
    elif fitting:
        answer.rule = fitting[0].rule.key
    if rider.role is not None and not any(one.rule.roles for one in fitting):
        _add_other_law(matter, answer)
    if not answer.citations:
        answer.cite(*rulebook.fare_citations)
    answer.fields |= {"outcome": "full", "unmet": unmet}
    _price(matter, answer, 0)


def _find_bar(matter: Matter[FareGiven]) -> FareExclusion | None:
    """Find the rule that bars every title in this service."""
    for exclusion in matter.rulebook.fare_exclusions:
        if not exclusion.roles and matter.given.service in exclusion.services:
            return exclusion
    return None


def _add_other_law(matter: Matter[FareGiven], answer: Answer) -> None:
    """A role that this law gives nothing may have a title in another law, where this one opens to it."""
    for rule in matter.rulebook.fare_rules:
        if rule.conditions_from == "specific_law" and matter.given.service in rule.services:
            answer.fields["conditions_from"] = [rule.conditions_from]
            answer.cite(*rule.citations)


def _excluded(matter: Matter[FareGiven]) -> FareExclusion | None:
    """Return the exclusion of this rider's role and network; None when there is none."""
    rider = matter.given.rider
    for exclusion in matter.rulebook.fare_exclusions:
        if rider.role in exclusion.roles and (not exclusion.networks or rider.network in exclusion.networks):
            return exclusion
    return None


def _barred_person(matter: Matter[FareGiven], answer: Answer, examined: list[Examined]) -> FareExclusion | None:
    """Tell whether an exclusion takes every title from the person, when any is left to take."""
    if not any(one.holds is not False for one in examined):
        return None
    rider = matter.given.rider
    for exclusion in matter.rulebook.fare_exclusions:
        if exclusion.person_setting is None or rider.role not in exclusion.roles:
            continue
        if rider.network is not None and exclusion.networks and rider.network not in exclusion.networks:
            continue
        if matter.setting(exclusion.person_setting) == "person":
            if rider.network is None and exclusion.networks:
                answer.lack("given.rider.network")
            return exclusion
    return None


def _answer_barred(matter: Matter[FareGiven], answer: Answer, exclusion: FareExclusion) -> Answer:
    answer.rule = exclusion.key or exclusion.citations[0]
    answer.cite(*exclusion.citations)
    if answer.missing:
        answer.fields |= {"outcome": None, "unmet": []}
        return answer
    answer.fields |= {"outcome": "full", "unmet": ["network"] if exclusion.networks else []}
    _price(matter, answer, 0)
    return answer


def _price(matter: Matter[FareGiven], answer: Answer, percent_off: int) -> None:
    answer.fields["percent_off"] = percent_off
    cents = matter.given.fare_cents
    if cents is None and percent_off < 100:
        return
    amount = Fraction((cents or 0) * (100 - percent_off), 100)
    rounding = "unset" if amount.denominator == 1 else matter.setting("rounding")
    answer.fields |= money(amount, rounding)


def _answer_carriage(matter: Matter[FareGiven]) -> Answer:
    """Whether an animal travels; what the law leaves to safety, or to another law, a person decides."""
    rule, animal = matter.rulebook.animals, matter.given.animal
    if rule is None:
        return Answer("no_rule", fields={"outcome": None})
    answer = Answer(rule=rule.citations[0], fields={"outcome": None})
    answer.cite(*rule.citations)
    if animal == "pet" and rule.carriage == "refused":
        answer.fields["outcome"] = "refused"
        return answer
    if animal == "guide_dog" and rule.exceptions_setting is not None:
        exceptions = matter.setting(rule.exceptions_setting)
        if not exceptions:
            answer.lack(rule.exceptions_setting)
        else:
            answer.fields["outcome"] = "full" if animal in exceptions else "refused"
        return answer
    answer.status, answer.human = "undecided", True
    return answer
