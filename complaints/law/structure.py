"""The articles a law has, and the parts each of them has: what a citation may point to."""

import re
from typing import Annotated

from pydantic import Field, StringConstraints

from complaints.law.provisions import Row

ArticleNumber = Annotated[str, StringConstraints(pattern=r"^[1-9]\d*(-[A-Z])?$")]
_PARTS = re.compile(
    r"art\. (?P<article>\d+(?:-[A-Z])?)"
    r"(?:, (?P<paragraph>caput|§ (?P<number>\d+)º?|par\. único))?"
    r"(?:, (?P<item>[IVXLC]+))?"
    r"(?:, (?P<letter>[a-z]))?"
)
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


class Article(Row):
    """What an article has: numbered paragraphs, a single one, numbered items, letters up to a last one.

    Items and letters are the most found anywhere in the article, in the caput or in a paragraph.
    """

    paragraphs: Annotated[int, Field(ge=0)] = 0
    single: bool = False
    items: Annotated[int, Field(ge=0)] = 0
    letters: Annotated[str, StringConstraints(pattern=r"^[a-z]?$")] = ""


def find_missing_part(articles: dict[str, Article], citation: str) -> str | None:
    """Return what the law does not have of a citation, in Portuguese; None when it is all there."""
    parts = _PARTS.match(citation)
    if parts is None or parts["article"] not in articles:
        return "a lei não tem este artigo"
    article = articles[parts["article"]]
    paragraph = parts["paragraph"]
    if paragraph == "par. único" and not article.single:
        return "o artigo não tem parágrafo único"
    if parts["number"] is not None and int(parts["number"]) > article.paragraphs:
        return f"o artigo só tem {article.paragraphs} parágrafos"
    if paragraph == "caput" and not (article.single or article.paragraphs):
        return "o artigo não tem parágrafos; cite sem caput"
    if parts["item"] is not None and roman_value(parts["item"]) > article.items:
        return f"o artigo só tem {article.items} incisos"
    if parts["letter"] is not None and parts["letter"] > article.letters:
        return "o artigo não tem esta alínea"
    return None


def roman_value(numeral: str) -> int:
    """Return the number of a Roman numeral."""
    values = [_VALUES[letter] for letter in numeral]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)
