"""The GSM 7-bit alphabet of text messages: folding Portuguese into it, counting what it costs, fitting.

Source: 3GPP TS 23.038, default alphabet and its extension table.
"""

import re
import unicodedata

BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
"""Characters that cost one septet."""

EXTENSION = frozenset("^{}\\[~]|€\f")
"""Characters that cost two septets: an escape, then the character; never cut between two segments."""

ONE_SEGMENT = 160
PART_OF_MANY = 153
"""Septets in a lone segment, and in each of several (the rest joins them)."""

_WORDS = re.compile(r"(\W+)")
_REPLACED = str.maketrans(
    {
        "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "´": "'", "`": "'",
        "–": "-", "—": "-", "−": "-", "‑": "-", "•": "-", "·": "-",
        "…": "...", "º": "o", "ª": "a", "°": "o", "\u00a0": " ", "\u202f": " ", "\t": " ",
    }
)  # fmt: skip


def fold(text: str) -> str:
    """The text in GSM-7: a word with an accent that the alphabet lacks loses all its accents, others keep them.

    So `até` stays and `DEMONSTRAÇÃO` becomes `DEMONSTRACAO`. Emojis and other signs without a plain form vanish;
    letters of other scripts become `?`.
    """
    composed = unicodedata.normalize("NFC", text).translate(_REPLACED)
    return "".join(part if is_gsm7(part) else _fold_word(part) for part in _WORDS.split(composed))


def is_gsm7(text: str) -> bool:
    """Whether a telephone company sends the text as GSM-7, without falling back to 70 characters a segment."""
    return all(character in BASIC or character in EXTENSION for character in text)


def count_septets(text: str) -> int:
    """What a GSM-7 text costs; raises ValueError when it is not GSM-7."""
    if not is_gsm7(text):
        strange = next(character for character in text if character not in BASIC and character not in EXTENSION)
        raise ValueError(f"{strange!r} is not in GSM-7")
    return sum(map(_cost, text))


def count_segments(text: str) -> int:
    """In how many segments a GSM-7 text goes out; 1 for an empty one. Raises ValueError as count_septets."""
    if count_septets(text) <= ONE_SEGMENT:
        return 1
    segments, room = 1, PART_OF_MANY
    for cost in map(_cost, text):
        if cost > room:
            segments, room = segments + 1, PART_OF_MANY
        room -= cost
    return segments


def fit(text: str, segments: int) -> str:
    """Fold the text and cut it at a word, with `...`, so that it takes at most so many segments."""
    folded = fold(text)
    if count_segments(folded) <= segments:
        return folded
    end = len(folded)
    while end and count_segments(folded[:end].rstrip() + "...") > segments:
        end -= 1
    at_a_word = folded.rfind(" ", 0, end + 1)
    return folded[: at_a_word if at_a_word > end // 2 else end].rstrip(" ,;:.-") + "..."


def _cost(character: str) -> int:
    return 2 if character in EXTENSION else 1


def _fold_word(word: str) -> str:
    return "".join(map(_fold_character, word))


def _fold_character(character: str) -> str:
    if character.isascii() and is_gsm7(character):
        return character
    plain = "".join(part for part in unicodedata.normalize("NFKD", character) if part in BASIC)
    if plain or character in BASIC:
        return plain or character
    return "?" if unicodedata.category(character).startswith("L") else ""
