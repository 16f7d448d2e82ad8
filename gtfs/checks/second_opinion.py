"""What gtfs-guru says, in our words and corrected where it is wrong; it never refuses a feed, and ours win."""

from collections.abc import Iterator

from gtfs.checks.catalogue import load_rules
from gtfs.checks.notices import Finding, Notices
from gtfs.guru import Failed, Guru, Opinion, TooBig

FALSE = frozenset({("missing_required_field", "rider_categories.txt", "is_default_fare_category")})
"""(code, file, field) of faults that are none: GTFS lets is_default_fare_category be "0 or empty"."""


def add_second_opinion(guru: Guru, name: str, notices: Notices) -> None:
    """Add what it found; `name` is the zip's name. Its own death is a notice, never a failure."""
    try:
        opinions = guru.wait()
    except TooBig:
        notices.add("second_opinion_too_big", Finding(name))
    except Failed:
        notices.add("second_opinion_failed", Finding(name))
    else:
        for opinion in opinions:
            if (opinion.code, opinion.file, opinion.field) not in FALSE:
                notices.add_opinion(opinion.code, opinion.total, _find(opinion, name))


def _find(opinion: Opinion, name: str) -> Iterator[Finding]:
    rule = load_rules().get(opinion.code)
    for row, context in opinion.samples:
        value = _text(context.get(rule.value_key if rule and rule.value_key else "fieldValue"))
        other = _text(context.get(rule.other_key)) if rule else opinion.code
        file = opinion.file or (rule.file if rule else "") or name
        yield Finding(file, row, opinion.field, value, other)


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
