"""A term as found under one set of readings, or why there is none."""

from dataclasses import dataclass, field
from datetime import date, datetime


@dataclass
class Term:
    """A term found, or why there is none: facts that lack, or the reason it is refused."""

    count: int | None = None
    served_on: date | None = None
    due: date | None = None
    due_time: datetime | None = None
    missing: list[str] = field(default_factory=list)
    citations: list[str] = field(default_factory=list)
    refused: str | None = None

    def lack(self, name: str) -> None:
        """Name a fact without which there is no last day."""
        if name not in self.missing:
            self.missing.append(name)

    def cite(self, *citations: str) -> None:
        """Add places of the law, each once."""
        self.citations += [place for place in citations if place not in self.citations]
