"""Which complaint a list of rules leads to: one link for the whole list when every rule leads to the same."""

from collections.abc import Iterable
from typing import Protocol

from complaints.law.provisions import Subject
from complaints.law.schema import Rulebook


class LeadsToSubject(Protocol):
    """A row of a rulebook that may name a complaint subject."""

    @property
    def subject(self) -> str | None: ...


def find_shared_subject(rulebook: Rulebook, rules: Iterable[LeadsToSubject]) -> Subject | None:
    """Find the one subject that more than one rule leads to, when no rule leads to another."""
    keys = [rule.subject for rule in rules]
    if len(keys) < 2 or len(set(keys)) > 1 or keys[0] is None:
        return None
    return rulebook.find_subject(keys[0])
