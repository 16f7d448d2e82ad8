"""The official text of a law, as an authority loads it to print an article on an act."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADING = re.compile(
    r"(?P<apart>^|(?<=[.;:]\s))?[^\S\n]*\b(?:Art|ART|Artigo)\.?\s*(\d+)(?:\s?[º°o]?-([A-Z])\b)?\s*[º°o]?\.?(?=[\s—–-])",
    re.M,
)
"""An article's heading; one in the middle of a line counts only when its number is the next."""
_DIVISION = re.compile(
    r"^[^\S\n]*(?:T[ÍI]TULO|CAP[ÍI]TULO|SE[ÇC][ÃA]O|SUBSE[ÇC][ÃA]O|LIVRO|Título|Capítulo|Seção|Subseção|Livro)"
    r"\s+(?:[IVXLC]++|[ÚU]NIC[OA]|[Úú]nic[oa])[^\S\n]*(?:$|[—–-]|(?=[A-ZÀ-Ú]))",
    re.M,
)
"""The name of a chapter or a section between two articles; in the middle of a sentence other words follow it."""
MAX_BYTES = 2_000_000


class BadLawText(ValueError):
    """The file is no text of a law; the message says why."""


@dataclass(frozen=True)
class OfficialText:
    """The articles of a law by number (`42`, `45-A`), each as printed, heading included."""

    articles: dict[str, str]

    def find(self, citation: str) -> str | None:
        """Return the article that a citation points to, whole; None when the text does not have it."""
        found = re.match(r"art\. (\d+(?:-[A-Z])?)", citation)
        return None if found is None else self.articles.get(found[1])

    def list_gaps(self) -> list[str]:
        """List the numbers up to the last article that the text does not have."""
        last = max((int(number.partition("-")[0]) for number in self.articles), default=0)
        return [str(number) for number in range(1, last + 1) if str(number) not in self.articles]


def _number(heading: re.Match[str]) -> str:
    """An O after the dash is an ordinal badly read, not a letter."""
    letter = heading[3] if heading[3] != "O" else None
    return f"{heading[2]}-{letter}" if letter else heading[2]


def _find_headings(text: str) -> Iterator[re.Match[str]]:
    last = 0
    for heading in _HEADING.finditer(text):
        if heading["apart"] is not None or int(heading[2]) == last + 1:
            last = int(heading[2])
            yield heading


def read_law_text(content: bytes) -> OfficialText:
    """Split a text into its articles; BadLawText for what is not UTF-8, too big or has no article.

    A number met twice keeps the longer piece: an index or an amending law names articles too.
    """
    if len(content) > MAX_BYTES:
        raise BadLawText(f"more than {MAX_BYTES} bytes")
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise BadLawText(f"not UTF-8 at byte {error.start}; save the file as UTF-8") from None
    if "\x00" in text:
        raise BadLawText("not a text file")
    headings = list(_find_headings(text))
    if not headings:
        raise BadLawText("no article found; articles start with Art. and a number")
    articles: dict[str, str] = {}
    ends = [*(heading.start() for heading in headings[1:]), len(text)]
    for heading, end in zip(headings, ends, strict=True):
        number = _number(heading)
        piece = _DIVISION.split(text[heading.start() : end], maxsplit=1)[0].strip()
        if len(piece) > len(articles.get(number, "")):
            articles[number] = piece
    return OfficialText(articles)
