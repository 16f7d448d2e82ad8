"""How an article of a law is written in a citation, and the check that refuses any other way."""

import re

_ROMAN = r"(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_PARAGRAPH = r"caput|§ [1-9]º|§ [1-9]\d+|par\. único"

CITATION = re.compile(
    r"art\. [1-9]\d*(?:-[A-Z])?"
    rf"(?:, (?:{_PARAGRAPH}))?"
    rf"(?:, {_ROMAN})?"
    r"(?:, [a-z])?"
    r"(?:, [1-9]\d*º item)?"
    r"(?: \([1-9]\d*ª ocorrência\))?"
)
"""One citation, whole: `art. 42, XV, a`, `art. 25, § 3º`, `art. 30, par. único, I, 4º item`."""


def is_citation(text: str) -> bool:
    """Tell whether the whole text is one citation, without the name of the law."""
    return CITATION.fullmatch(text) is not None


def article_of(citation: str) -> str:
    """Return the article alone: `art. 42` for `art. 42, XV, a`."""
    return citation.split(",")[0].split(" (")[0]


def item_of(citation: str) -> str:
    """Return the citation down to its numbered item, without a letter: `art. 42, XV` for `art. 42, XV, a`."""
    return re.sub(r", [a-z]$", "", citation)
