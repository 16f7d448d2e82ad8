"""The subjects a form offers: the most common in sight, the rest one tap away, grouped by topic."""

from dataclasses import dataclass
from datetime import date
from functools import cache

from sqlmodel import Session

from complaints.authorities.choices import choice_on
from complaints.authorities.tables import Authority
from complaints.law.rulebook import get_rulebook
from complaints.law.vocabulary import get_vocabulary

IN_SIGHT = 8

Option = tuple[str, str]


@dataclass(frozen=True)
class SubjectChoices:
    """Options as (key, label): `common` first, then the others under the label of their topic."""

    common: tuple[Option, ...]
    others: tuple[tuple[str, tuple[Option, ...]], ...]


def subject_choices(session: Session, town: Authority, day: date) -> SubjectChoices:
    """The subjects of a town on a day: one about paying what is free shows only while it is free."""
    fare = choice_on(session, town.id, "fare", "all", day)
    return _choices(town.law_id, fare is not None and fare["cents"] == 0 and fare["everyone"])


@cache
def _choices(law_id: str, free: bool) -> SubjectChoices:
    topics = get_vocabulary().topics
    subjects = get_rulebook(law_id).list_subjects(everyone_free=free)
    offered = [subject for subject in subjects if not topics[subject.topic].staff_only]
    others: dict[str, list[Option]] = {key: [] for key in topics}
    for subject in offered[IN_SIGHT:]:
        others[subject.topic].append((subject.key, subject.label))
    return SubjectChoices(
        common=tuple((subject.key, subject.label) for subject in offered[:IN_SIGHT]),
        others=tuple((topics[key].label, tuple(options)) for key, options in others.items() if options),
    )
