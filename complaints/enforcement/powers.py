"""What a town's law lets its agents do about a vehicle before any process, read from powers.toml."""

import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from complaints.law.frozen import freeze_words
from complaints.law.rulebook import get_rulebook


@dataclass(frozen=True)
class Basis:
    """An article that lets the authority order an inspection, with a paraphrase in Portuguese."""

    citation: str
    text: str


@dataclass(frozen=True)
class Measure:
    """Something that may be done on the spot: a word of the contract, its article and its Portuguese label."""

    word: str
    citation: str

    @property
    def label(self) -> str:
        """What people read."""
        return MEASURE_LABELS[self.word]


@dataclass(frozen=True)
class Powers:
    """The bases of an inspection order, the usual one first, and the measures an agent may take."""

    bases: tuple[Basis, ...]
    measures: tuple[Measure, ...]

    def allows_basis(self, citation: str) -> bool:
        """Whether an inspection may be ordered under this article."""
        return any(basis.citation == citation for basis in self.bases)

    def allows_measures(self, words: tuple[str, ...]) -> bool:
        """Whether each of the measures is one that this law gives."""
        return set(words) <= {measure.word for measure in self.measures}


MEASURE_LABELS = {
    "retention": "Veículo retido até o conserto",
    "apprehension": "Veículo apreendido",
    "withdrawal": "Veículo retirado de circulação",
}
"""The measures that precede any process. No penalty is among them and none may be added."""


@cache
def get_powers(law_id: str) -> Powers:
    """The powers under a law; without an entry, the inspection articles of its rulebook and no measures.

    Raises UnknownRulebook when there is neither.
    """
    entry = _table().get(law_id)
    if entry is None:
        inspection = get_rulebook(law_id).inspection
        citations = inspection.citations if inspection else ()
        return Powers(tuple(Basis(citation, "vistoria") for citation in citations), ())
    return Powers(
        tuple(Basis(**row) for row in entry["bases"]),
        tuple(Measure(**row) for row in entry["measures"]),
    )


def freeze_measures(law_id: str, words: tuple[str, ...], day: date) -> list[dict[str, Any]]:
    """Return the law behind each measure taken on a day, as the act keeps it."""
    rulebook = get_rulebook(law_id, day)
    taken = (measure for measure in get_powers(law_id).measures if measure.word in words)
    return [freeze_words(rulebook, row.word, (row.citation,), row.label).as_json() for row in taken]


def list_laws_with_powers() -> tuple[str, ...]:
    """The laws that have an entry."""
    return tuple(_table())


@cache
def _table() -> dict[str, dict[str, list[dict[str, str]]]]:
    with files(__package__).joinpath("powers.toml").open("rb") as file:
        return tomllib.load(file)
