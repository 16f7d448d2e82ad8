"""Answers: what a kind of question found, and the fields of its own."""

from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["answered", "undetermined", "undecided", "not_published", "no_rule", "not_applicable"]


@dataclass
class Answer:
    """What one reading of the law answers.

    `fields` are those of the kind, whole JSON values. A `missing` value makes the answer undetermined unless
    the kind has set another status, or `keeps_status` says that the main field is known all the same.
    `always_used` names settings to report even when no other reading changes the answer.
    """

    status: Status = "answered"
    rule: str | None = None
    citations: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    human: bool = False
    fields: dict[str, Any] = field(default_factory=dict)
    keeps_status: bool = False
    always_used: tuple[str, ...] = ()

    def cite(self, *citations: str) -> None:
        """Add places of the law that the answer rests on, each once, in order."""
        for citation in citations:
            if citation not in self.citations:
                self.citations.append(citation)

    def lack(self, *names: str) -> None:
        """Name values or facts that are missing, each once; the answer is then undetermined."""
        self._name(names)
        if self.status in ("answered", "undecided") and not self.keeps_status:
            self.status = "undetermined"

    def leave_open(self, *names: str) -> None:
        """Name settings without a default that the text does not settle; the answer is then undecided."""
        self._name(names)
        if names and self.status == "answered" and not self.keeps_status:
            self.status = "undecided"

    def _name(self, names: tuple[str, ...]) -> None:
        self.missing += [name for name in dict.fromkeys(names) if name not in self.missing]

    def __post_init__(self) -> None:
        if self.missing:
            self.lack()
