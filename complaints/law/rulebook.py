"""The rulebooks, shipped or added by a town, read once, strictly, and kept for the life of the process."""

import tomllib
from datetime import date
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
_added: list[Path] = []


class UnknownRulebook(LookupError):
    """No rulebook has this law id."""

    def __init__(self, law_id: str) -> None:
        super().__init__(law_id)
        self.law_id = law_id


class BadRulebook(ValueError):
    """A rulebook file cannot be used; `faults` names all that is wrong, each with its place."""

    def __init__(self, faults: tuple[Fault, ...], name: str = "") -> None:
        told = "; ".join(str(fault) for fault in faults)
        super().__init__(f"{name}: {told}" if name else told)
        self.faults = faults


def add_rulebook_folder(folder: Path) -> None:
    """Read the rulebooks of a folder beside the shipped ones, from now on; a folder may be added twice."""
    if folder not in _added:
        _added.append(folder)
    forget_rulebooks()


def forget_rulebooks() -> None:
    """Read the files again when they are next asked for; for tests and after a file was added."""
    _read_version.cache_clear()
    _find_files.cache_clear()


def list_rulebooks() -> tuple[str, ...]:
    """List the law ids of all rulebooks, sorted."""
    return tuple(sorted({name.partition("@")[0] for name in _find_files()}))


def get_rulebook(law_id: str, on: date | None = None) -> Rulebook:
    """Return one rulebook, the same object each time; UnknownRulebook or BadRulebook.

    An earlier version of an amended law stands beside the current file as `ID@FIRST-DAY.toml`. Without `on`
    the current version is returned; with it the one in force on that day, or the first of all before it.
    """
    if law_id not in list_rulebooks() and _added:
        _find_files.cache_clear()  # a law may have been added since the folder was read
    if law_id not in list_rulebooks():
        raise UnknownRulebook(law_id)
    versions = sorted(name for name in _find_files() if name.startswith(f"{law_id}@"))
    if on is None or not versions:
        return _read_version(law_id)
    current = _read_version(law_id)
    if current.law.applies_from <= on:
        return current
    earlier = [name for name in versions if name.partition("@")[2] <= on.isoformat()]
    return _read_version(earlier[-1] if earlier else versions[0])


@cache
def _find_files() -> dict[str, Traversable]:
    """Return the files by name without suffix; a file of an added folder never replaces a shipped one."""
    found: dict[str, Traversable] = {}
    for folder in (_FOLDER, *_added):
        if folder.is_dir():
            for entry in folder.iterdir():
                if entry.name.endswith(".toml"):
                    found.setdefault(entry.name.removesuffix(".toml"), entry)
    return found


@cache
def _read_version(name: str) -> Rulebook:
    try:
        return parse_rulebook(_find_files()[name].read_bytes())
    except BadRulebook as error:
        raise BadRulebook(error.faults, f"{name}.toml") from error


def list_municipal_rulebooks() -> tuple[str, ...]:
    """List the law ids that questions may be put to: the laws of towns whose files can be used."""
    return tuple(law_id for law_id in list_rulebooks() if _is_municipal(law_id))


def _is_municipal(law_id: str) -> bool:
    try:
        return get_rulebook(law_id).law.scope == "municipal"
    except BadRulebook:
        return False


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
