"""Search over the lines or stops of one version, in memory: exact words first, then words with slips."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gtfs.search_words import number_key, split_query, split_words

NUMBER, NUMBER_START = 0, 1
"""Ranks of a line whose number, or its beginning, was typed; those of `fields` follow in their order."""

_FIRST_FIELD = 2
_UNTOLERATED = 4
"""Shorter words must be right: another one is always near."""
_WORDS_ALIKE = 12
_HAS_DIGIT = re.compile(r"[0-9]")


@dataclass(frozen=True, slots=True)
class Searchable:
    """A line or stop: its place in lists, its number or code, and texts from the most to the least telling."""

    place: int
    number: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Places in order of rank, then of lists; `similar`: nothing has the very words, these come near."""

    places: tuple[int, ...]
    similar: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    place: int
    number: str
    texts: tuple[str, ...]


class SearchIndex:
    """The texts of one version's lines or stops, and all words in them."""

    def __init__(self, items: Iterable[Searchable]) -> None:
        self._entries = [_prepare(item) for item in items]
        words = {word for entry in self._entries for word in entry.texts[-1].split()}
        self._vocabulary = sorted(word for word in words if not _HAS_DIGIT.search(word))

    def search(self, wanted: str, most: int = 0) -> Found:
        """What has every word of `wanted`; failing that, what has words like them. `most` bounds it unless 0."""
        words = split_query(wanted)
        if not words:
            return Found(())
        places = self._find([[word] for word in words], number_key("".join(words)))
        if places:
            return Found(places[: most or None])
        places = self._find([self._find_alike(word) for word in words], "")
        joined = [] if places or len(words) == 1 else self._find_alike("".join(words))
        places = places or (self._find([joined], "") if joined else ())
        return Found(places[: most or None], similar=bool(places))

    def _find(self, choices: Sequence[Sequence[str]], number: str) -> tuple[int, ...]:
        """Entries that have one of the words of every choice, or the number."""
        ranked = ((_rank(entry, choices, number), entry.place) for entry in self._entries)
        return tuple(place for rank, place in sorted(found for found in ranked if found[0] is not None))

    def _find_alike(self, word: str) -> list[str]:
        """The word itself and those of the vocabulary that it may be meant for, the nearest first.

        A word still being typed is compared with as much of the longer ones.
        """
        slips = tolerated_slips(word)
        if not slips:
            return [word]
        near = process.extract(
            word, self._vocabulary, scorer=OSA.distance, score_cutoff=slips, limit=_WORDS_ALIKE, processor=None
        )
        starts = [longer for longer in self._vocabulary if len(longer) > len(word) + slips]
        begun = process.extract(
            word,
            [longer[: len(word)] for longer in starts],
            scorer=OSA.distance,
            score_cutoff=slips - 1,
            limit=_WORDS_ALIKE,
            processor=None,
        )
        found = (word, *(found for found, _, _ in near), *(starts[place] for *_, place in begun))
        return list(dict.fromkeys(found))


def tolerated_slips(word: str) -> int:
    """How many letters may be wrong, missing, added or swapped: none in numbers and short words."""
    if _HAS_DIGIT.search(word) or len(word) < _UNTOLERATED:
        return 0
    return 1 if len(word) < 6 else 2 if len(word) < 11 else 3


def _prepare(item: Searchable) -> _Entry:
    """Each text holds those before it, so that the words of a query may be spread over them; all start blank."""
    texts, before = [], ""
    for field in item.fields:
        before = f"{before} {' '.join(split_words(field))}"
        texts.append(before)
    return _Entry(item.place, number_key(item.number), tuple(texts))


def _rank(entry: _Entry, choices: Sequence[Sequence[str]], number: str) -> tuple[int, bool] | None:
    """Smaller is better; None: not found. Words that only lie within others come after those that begin one."""
    if number and entry.number == number:
        return NUMBER, False
    if number and _HAS_DIGIT.search(number) and entry.number.startswith(number):
        return NUMBER_START, False
    for field, text in enumerate(entry.texts):
        if all(any(word in text for word in words) for words in choices):
            begins = all(any(f" {word}" in text for word in words) for words in choices)
            return _FIRST_FIELD + field, not begins
    return None
