"""What passengers are owed when a trip stops: `selo law ask` with `breakdown`."""

from complaints.law.asking.answer import Answer
from complaints.law.asking.matter import Matter
from complaints.law.asking.rows import row_json
from complaints.law.asking.words import Flag, GivenFacts


class BreakdownGiven(GivenFacts):
    """Whether the passengers were given a remedy."""

    handled: Flag


def answer_breakdown(matter: Matter[BreakdownGiven]) -> Answer:
    """Answer the remedies, and the rows to look at when none was given."""
    rule = matter.rulebook.breakdown
    if rule is None:
        return Answer("no_rule", fields={"remedies": [], "infractions": []})
    answer = Answer(rule=rule.citations[0])
    answer.cite(*rule.citations)
    answer.fields |= {"remedies": list(rule.remedies), "extra_fare": rule.extra_fare, "infractions": []}
    if not matter.given.handled:
        answer.fields["infractions"] = [row_json(matter, key) for key in rule.infractions]
        for key in rule.infractions:
            answer.cite(*matter.rulebook.get_provision(key).citations)
    return answer
