"""The rulebooks that ship with the product, read once, strictly, and kept for the life of the process."""

import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import ValidationError

from complaints.law.consistency import find_contradictions
from complaints.law.faults import Fault, describe_validation
from complaints.law.provisions import Subject
from complaints.law.schema import Rulebook
from complaints.law.toml_tables import parse_toml
from complaints.law.vocabulary import get_vocabulary

_FOLDER: Traversable = files("complaints.law") / "rulebooks"


class UnknownRulebook(LookupError):
    """No rulebook has this law id."""

    def __init__(self, law_id: str) -> None:
        super().__init__(law_id)
        self.law_id = law_id


class BadRulebook(ValueError):
    """A rulebook file cannot be used; `faults` names all that is wrong, each with its place."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(str(fault) for fault in faults))
        self.faults = faults


def list_rulebooks() -> tuple[str, ...]:
    """List the law ids of the rulebooks that ship with the product, sorted."""
    names = (entry.name for entry in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def get_rulebook(law_id: str) -> Rulebook:
    """Return one rulebook, the same object each time; UnknownRulebook or BadRulebook."""
    if law_id not in list_rulebooks():
        raise UnknownRulebook(law_id)
    return parse_rulebook((_FOLDER / f"{law_id}.toml").read_bytes())


def list_municipal_rulebooks() -> tuple[str, ...]:
    """List the law ids that questions may be put to: the laws of towns."""
    return tuple(law_id for law_id in list_rulebooks() if get_rulebook(law_id).law.scope == "municipal")


def read_rulebook(path: Path) -> Rulebook:
    """Read a rulebook from any file; OSError or BadRulebook."""
    return parse_rulebook(path.read_bytes())


def parse_rulebook(content: bytes) -> Rulebook:
    """Build a rulebook from the bytes of a TOML file; BadRulebook lists every fault found."""
    try:
        table = parse_toml(content)
    except UnicodeDecodeError as error:
        raise BadRulebook((Fault(f"byte {error.start}", "o arquivo não está em UTF-8"),)) from error
    except tomllib.TOMLDecodeError as error:
        raise BadRulebook((Fault("sintaxe TOML", str(error)),)) from error
    try:
        rulebook = Rulebook.model_validate(table)
    except ValidationError as error:
        raise BadRulebook(describe_validation(error, table)) from error
    unknown = _find_unknown_words(rulebook)
    complete = rulebook.model_copy(update={"subjects": _order_subjects(rulebook)})
    if faults := (*unknown, *find_contradictions(complete)):
        raise BadRulebook(faults)
    return complete


def _find_unknown_words(rulebook: Rulebook) -> tuple[Fault, ...]:
    shared = get_vocabulary().unlisted
    return tuple(
        Fault(f"unlisted_subject.{place} ({row.key})", "o vocabulário não tem este assunto")
        for place, row in enumerate(rulebook.unlisted)
        if row.key not in shared
    )


def _order_subjects(rulebook: Rulebook) -> tuple[Subject, ...]:
    """Join the law's subjects with the unlisted ones, the most common first, then in the order of the file."""
    shared = get_vocabulary().unlisted
    unlisted = (
        shared[row.key].model_copy(update={"citations": row.citations, "candidates": row.candidates})
        for row in rulebook.unlisted
        if row.key in shared
    )
    rank = {key: place for place, key in enumerate(rulebook.most_common)}
    return tuple(sorted((*rulebook.subjects, *unlisted), key=lambda subject: rank.get(subject.key, len(rank))))
