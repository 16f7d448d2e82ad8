"""What a text wants: read without any state, so that the same text is always read the same way."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

from complaints.ids import ALPHABET
from complaints.messages.finding import (
    Found,
    find_fleet_number,
    find_line_name,
    find_plate_in,
    find_protocol,
    find_seal_attempt,
    find_seal_code,
    plain_upper,
)

Intent = Literal[
    "stop", "cancel", "start", "help", "lines", "fares",
    "protocol", "protocol_unreadable", "vehicle", "complaint", "greeting", "thanks", "empty",
]  # fmt: skip
_COMMANDS: tuple[Intent, ...] = ("stop", "cancel", "start", "help", "lines", "fares")
_QUESTIONS: tuple[Intent, ...] = ("lines", "fares")
_ARGUMENT = re.compile(r"[a-z]{0,2}\d{1,3}[a-z]?")
_LAUGHTER = re.compile(r"(k+|(rs)+|(ha|he|hua|hue)+h?|[a-z]|(.)\4*)")
_UNREADABLE_PROTOCOL = re.compile(r"\d[\d .\-–/]{6,18}\d")
_KEY = re.compile(f"[{ALPHABET}]{{8}}")
_LINK = re.compile(r"\bhttps?://\S+", re.IGNORECASE)
_MINOR = re.compile(r"\btenho (\d|1[0-7]) anos\b")


@dataclass(frozen=True)
class Understood:
    """What a text wants and names.

    `seal` is nine checked characters when `seal_checks`, else what was typed as one. `rest`: what was said beside
    a protocol; a word without digits that may be a `key` is in both. `danger`: a kind of urgency of the law's
    vocabulary, or `life`. `confidential`: the person asks for it or is a child. `kind`: the case's stored word.
    """

    intent: Intent
    text: str
    seal: str = ""
    seal_checks: bool = False
    plate: str = ""
    line_name: str = ""
    fleet_number: str = ""
    protocol: str = ""
    key: str = ""
    rest: str = ""
    danger: str = ""
    confidential: bool = False
    kind: str = "complaint"


@dataclass(frozen=True)
class Danger:
    """Words that may mean danger now; `unless` puts them in the past."""

    subjects: tuple[str, ...]
    phrases: tuple[str, ...]
    unless: tuple[str, ...] = ()


@dataclass(frozen=True)
class Vocabulary:
    """The table of conversation.toml."""

    commands: dict[str, frozenset[str]]
    questions: dict[str, tuple[re.Pattern[str], ...]]
    courtesy: frozenset[str]
    thanks: frozenset[str]
    filler: frozenset[str]
    confidential: tuple[str, ...]
    kinds: dict[str, tuple[str, ...]]
    dangers: dict[str, Danger]


@cache
def get_vocabulary() -> Vocabulary:
    """The words of conversation.toml."""
    data = tomllib.loads(resources.files(__package__).joinpath("conversation.toml").read_text("utf-8"))
    return Vocabulary(
        commands={name: frozenset(words) for name, words in data["commands"].items()},
        questions={name: tuple(map(re.compile, rows)) for name, rows in data["questions"].items()},
        courtesy=frozenset(data["courtesy"]["words"]),
        thanks=frozenset(data["courtesy"]["thanks"]),
        filler=frozenset(data["filler"]["words"]),
        confidential=tuple(data["confidential"]["phrases"]),
        kinds={name: tuple(words) for name, words in data["kinds"].items()},
        dangers={
            name: Danger(tuple(row["subjects"]), tuple(row["phrases"]), tuple(row.get("unless", ())))
            for name, row in data["danger"].items()
        },
    )


def fold_words(text: str) -> str:
    """Lower case, no accents, each run of signs one blank: `"Não parou!!" -> "nao parou"`."""
    return " ".join(re.findall(r"[a-z0-9]+", plain_upper(text).lower()))


def understand(body: str) -> Understood:
    """Read a text, in this order: command, question, protocol, seal or vehicle alone, complaint, greeting."""
    text = body.strip()
    folded = fold_words(text)
    command = _find_command(text, folded)
    if command:
        return Understood(command, text, line_name=find_line_name(text))
    protocol = find_protocol(text)
    if protocol:
        return _about_protocol(text, protocol)
    named = _named(text)
    if _says_something(fold_words(_LINK.sub(" ", text)), named):
        return _complaint(text, folded, named)
    if named.seal or named.plate:
        return Understood("vehicle", text, seal=named.seal, seal_checks=named.seal_checks, plate=named.plate)
    if "protocolo" in folded or _UNREADABLE_PROTOCOL.fullmatch(text):
        return Understood("protocol_unreadable", text)
    return Understood(_small_talk(folded), text)


@dataclass(frozen=True)
class _Named:
    """What a text names of a vehicle, and the words that name it."""

    seal: str
    seal_checks: bool
    plate: str
    words: frozenset[str]


def _named(text: str) -> _Named:
    code = find_seal_code(text)
    plate = find_plate_in(text)
    seal = code or _attempt_outside(text, plate)
    parts = [text[found.start : found.end] for found in (seal, plate) if found]
    words = frozenset(word for part in parts for word in fold_words(part).split())
    return _Named(seal.value if seal else "", code is not None, plate.value if plate else "", words)


def _attempt_outside(text: str, plate: Found | None) -> Found | None:
    """What may be a mistyped seal, the plate's own characters left out."""
    if plate:
        text = text[: plate.start] + " " * (plate.end - plate.start) + text[plate.end :]
    return find_seal_attempt(text)


def _find_command(text: str, folded: str) -> Intent | None:
    if text and set(text) <= set("? "):
        return "help"
    vocabulary = get_vocabulary()
    words = folded.split()
    bare = " ".join(word for word in words if word not in ("por", "favor", "pf", "pfv")) or folded
    for name in _COMMANDS:
        if bare in vocabulary.commands[name]:
            return name
    if len(words) == 2 and words[0] in vocabulary.commands["lines"] and _ARGUMENT.fullmatch(words[1]):
        return "lines"
    for name in _QUESTIONS:
        if any(pattern.fullmatch(folded) for pattern in vocabulary.questions[name]):
            return name
    return None


def _about_protocol(text: str, protocol: Found) -> Understood:
    rest = (text[: protocol.start] + " " + text[protocol.end :]).strip(" \n.,;:-")
    words = [word for word in rest.split() if fold_words(word) not in get_vocabulary().filler]
    squeezed = "".join(words).replace("-", "").strip(".,;:").upper()
    key = squeezed if _KEY.fullmatch(squeezed) else ""
    if any(character.isdigit() for character in key):
        return Understood("protocol", text, protocol=protocol.value, key=key)
    folded = fold_words(rest)
    said = rest if _says_something(folded, _Named("", False, "", frozenset()), least=1) else ""
    # A text with a number that is no case after all is read as a complaint: keep what that needs.
    named = _named(rest)
    whole = _complaint(text, fold_words(text), named)
    return Understood(
        "protocol", text, named.seal, named.seal_checks, named.plate, whole.line_name, whole.fleet_number,
        protocol.value, key, said, whole.danger, whole.confidential, whole.kind,
    )  # fmt: skip


def _complaint(text: str, folded: str, named: _Named) -> Understood:
    vocabulary = get_vocabulary()
    words = set(folded.split())
    kind = next((name for name, signs in vocabulary.kinds.items() if words & set(signs)), "complaint")
    return Understood(
        "complaint",
        text,
        seal=named.seal,
        seal_checks=named.seal_checks,
        plate=named.plate,
        line_name=find_line_name(text),
        fleet_number=find_fleet_number(text),
        danger=_find_danger(folded),
        confidential=_wants_secrecy(folded),
        kind=kind,
    )


def _says_something(folded: str, named: _Named, least: int = 0) -> bool:
    """Two words that carry meaning, or one beside a seal or a plate; danger always says something."""
    vocabulary = get_vocabulary()
    if _find_danger(folded):
        return True
    empty = vocabulary.courtesy | vocabulary.thanks | named.words
    meant = [word for word in folded.split() if word not in empty and not _LAUGHTER.fullmatch(word)]
    telling = [word for word in meant if word not in vocabulary.filler and not word.isdigit()]
    if named.seal or named.plate or least:
        return len(telling) >= 1
    return bool(telling) and len([word for word in meant if not word.isdigit()]) >= 2


def _small_talk(folded: str) -> Intent:
    words = [word for word in folded.split() if not _LAUGHTER.fullmatch(word)]
    vocabulary = get_vocabulary()
    if words and all(word in vocabulary.thanks for word in words):
        return "thanks"
    return "greeting" if any(word in vocabulary.courtesy for word in words) else "empty"


def _find_danger(folded: str) -> str:
    """The first kind of danger the words may mean; a wish to die comes before all others."""
    dangers = get_vocabulary().dangers
    for name in sorted(dangers, key=lambda name: name != "life"):
        danger = dangers[name]
        if _has_phrase(folded, danger.phrases) and not _has_phrase(folded, danger.unless):
            return name
    return ""


def _wants_secrecy(folded: str) -> bool:
    return _has_phrase(folded, get_vocabulary().confidential) or bool(_MINOR.search(folded))


def _has_phrase(folded: str, phrases: tuple[str, ...]) -> bool:
    return any(f" {phrase} " in f" {folded} " for phrase in phrases)
