"""The kinds of question: for each the facts it takes and the function that answers it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from complaints.law.asking.answer import Answer
from complaints.law.asking.fine import FineGiven, answer_fine
from complaints.law.asking.matter import Matter
from complaints.law.asking.record import RecordGiven, answer_record
from complaints.law.asking.sanction import SanctionGiven, answer_sanction, check_sanction
from complaints.law.asking.words import GivenFacts


def _nothing_to_check(_: Matter[Any]) -> None:
    return None


@dataclass(frozen=True)
class Kind:
    """`check` raises MalformedQuestion for facts that cannot be together true.

    `late_after`, where a kind has it, adds the latest day under any reading to the finished answer.
    """

    given: type[GivenFacts]
    answer: Callable[[Matter[Any]], Answer]
    check: Callable[[Matter[Any]], None] = _nothing_to_check
    late_after: Callable[[Matter[Any], Answer, dict[str, Any]], None] | None = None


KINDS: dict[str, Kind] = {
    "fine": Kind(FineGiven, answer_fine),
    "record": Kind(RecordGiven, answer_record),
    "sanction": Kind(SanctionGiven, answer_sanction, check_sanction),
}
