"""The words shared by all towns: topics, kinds of urgency, and the subjects no law lists."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import Field

from complaints.law.provisions import Key, Row, Subject, Text, Urgency
from complaints.law.toml_tables import parse_toml


class Topic(Row):
    """A heading under which subjects are offered; `staff_only` topics never reach a rider."""

    key: Key
    label: Text
    staff_only: bool = False


class Emergency(Row):
    """What to tell somebody in danger: telephone numbers as dialled, and what they are for."""

    key: Urgency
    label: Text
    numbers: Annotated[tuple[Text, ...], Field(min_length=1)]
    advice: Text


class ClosedWords(Row):
    """Words that a question may use of any town, although its own law does not have them."""

    services: tuple[Text, ...]
    steps: tuple[Text, ...]
    documents: tuple[Text, ...]
    document_fields: tuple[Text, ...]
    fiscal_units: tuple[Text, ...]


class _VocabularyFile(Row):
    closed: ClosedWords
    topics: tuple[Topic, ...] = Field(alias="topic")
    emergencies: tuple[Emergency, ...] = Field(alias="emergency")
    subjects: tuple[Subject, ...] = Field(alias="subject")


@dataclass(frozen=True)
class Vocabulary:
    """Closed words, topics in the order of the form, emergencies by kind, unlisted subjects by key."""

    closed: ClosedWords
    topics: dict[str, Topic]
    emergencies: dict[str, Emergency]
    unlisted: dict[str, Subject]


@cache
def get_vocabulary() -> Vocabulary:
    """Return the shared words, read once per process."""
    table = _VocabularyFile.model_validate(parse_toml((files("complaints.law") / "vocabulary.toml").read_bytes()))
    return Vocabulary(
        closed=table.closed,
        topics={topic.key: topic for topic in table.topics},
        emergencies={emergency.key: emergency for emergency in table.emergencies},
        unlisted={subject.key: subject for subject in table.subjects},
    )
