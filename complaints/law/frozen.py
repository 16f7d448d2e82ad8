"""Citations as an act used them: the law, the row, the version and the words of that day, never read again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from complaints.law.schema import Rulebook


@dataclass(frozen=True)
class FrozenCitation:
    """What an act keeps of the law it was based on.

    `version_from` is the first day of the version in force on the day of the fact. `value` is what the law
    gave there (an amount, a number of days) as the act printed it, None when it gave none.
    """

    law_id: str
    law_name: str
    key: str
    version_from: date
    citations: tuple[str, ...]
    paraphrase: str
    value: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values, to be stored with the act."""
        return {
            "law": self.law_id,
            "law_name": self.law_name,
            "key": self.key,
            "version_from": self.version_from.isoformat(),
            "citations": list(self.citations),
            "paraphrase": self.paraphrase,
            "value": self.value,
        }


def freeze(rulebook: "Rulebook", key: str, value: str | None = None) -> FrozenCitation:
    """Freeze a row of the version of the law on the day of the fact; KeyError when it has no such row."""
    row = rulebook.get_provision(key)
    return freeze_words(rulebook, key, row.citations, row.paraphrase, value)


def freeze_words(
    rulebook: "Rulebook", key: str, citations: tuple[str, ...], paraphrase: str, value: str | None = None
) -> FrozenCitation:
    """Freeze a rule that is no row, such as the article that gives a measure."""
    law = rulebook.law
    return FrozenCitation(law.id, law.name, key, law.applies_from, citations, paraphrase, value)


def thaw(kept: Mapping[str, Any]) -> FrozenCitation:
    """Read a stored citation again, exactly as it was."""
    return FrozenCitation(
        law_id=kept["law"],
        law_name=kept["law_name"],
        key=kept["key"],
        version_from=date.fromisoformat(kept["version_from"]),
        citations=tuple(kept["citations"]),
        paraphrase=kept["paraphrase"],
        value=kept["value"],
    )
