"""What people type and what feeds print made comparable: words without accents, one form for each abbreviation."""

import re

from gtfs.folding import fold

FIELD_END = "\n"
"""Stands in the stored search text of a line between its names, its destinations, and the stops on the way."""

SHORT_FORMS = {
    "al": "alameda",
    "av": "avenida",
    "avda": "avenida",
    "bco": "beco",
    "est": "estrada",
    "estr": "estrada",
    "hosp": "hospital",
    "jd": "jardim",
    "lg": "largo",
    "lgo": "largo",
    "pca": "praca",
    "pc": "praca",
    "pq": "parque",
    "pque": "parque",
    "r": "rua",
    "rod": "rodovia",
    "sta": "santa",
    "sto": "santo",
    "term": "terminal",
    "trav": "travessa",
    "tv": "travessa",
    "vl": "vila",
}
"""Abbreviations on signs and in feeds, with what they stand for, without accents."""

NAMES_OF_THINGS = frozenset(("linha", "linhas", "onibus", "van", "vans", "parada", "paradas", "ponto", "pontos"))
"""Words that say what is looked for, not which: left out when others stay."""

_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"[0-9]+")


def split_words(text: str) -> list[str]:
    """Folded words and numbers without punctuation, abbreviations written out: `Av. Itaipuaçu, 9`."""
    return [SHORT_FORMS.get(word, word) for word in _WORD.findall(fold(text))]


def split_query(text: str) -> list[str]:
    """The words that matter of what a person typed: `linha 12` is `12`; at least one stays."""
    words = split_words(text)
    return [word for word in words if word not in NAMES_OF_THINGS] or words


def number_key(text: str) -> str:
    """A line's number or a stop's code however it is written: `E-030`, `e 30` and `E30` are `e30`."""
    squeezed = "".join(_WORD.findall(fold(text)))
    return _DIGITS.sub(lambda digits: digits.group().lstrip("0") or "0", squeezed)
