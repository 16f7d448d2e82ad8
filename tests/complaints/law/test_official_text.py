"""Reading the official text of a law, as messy as it is printed."""

from pathlib import Path

import pytest

from complaints.law.official_text import BadLawText, read_law_text

LAWS = Path(__file__).parents[4] / "shared" / "laws"
SMALL = """LEI 1
Art. 1º Fica criado o serviço.
Parágrafo único. Só de dia.
Art.2º  O preço é de decreto. Art. 3 - Cabe recurso.
Art. 45-A. Fica proibido.
"""


def test_articles_are_found_even_when_they_share_a_line() -> None:
    found = read_law_text(SMALL.encode())
    assert list(found.articles) == ["1", "2", "3", "45-A"]
    assert found.find("art. 1, par. único") == "Art. 1º Fica criado o serviço.\nParágrafo único. Só de dia."
    assert found.find("art. 45-A") == "Art. 45-A. Fica proibido."
    assert found.find("art. 9") is None


def test_the_name_of_the_next_chapter_is_not_printed_with_an_article() -> None:
    text = """Art. 1º Vale o disposto no
Capítulo II desta lei e na
Seção I.
CAPÍTULO II
DAS MULTAS
Seção I - Das leves
Art. 2º Paga-se.
TÍTULO ÚNICO DO FIM
Art. 3º Acaba.
"""
    assert read_law_text(text.encode()).articles == {
        "1": "Art. 1º Vale o disposto no\nCapítulo II desta lei e na\nSeção I.",
        "2": "Art. 2º Paga-se.",
        "3": "Art. 3º Acaba.",
    }


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"nada", "no article"),
        (b"Art. 1 \x00", "not a text"),
        (b"a" * 2_000_001, "more than"),
    ],
)
def test_what_is_no_text_of_a_law_is_refused(content: bytes, told: str) -> None:
    with pytest.raises(BadLawText, match=told):
        read_law_text(content)


@pytest.mark.skipif(not LAWS.is_dir(), reason="this machine has no ../shared/laws")
@pytest.mark.parametrize(
    ("name", "least"),
    [("marica-2627-2015", 75), ("marechal-floriano-955-2009", 55), ("rio-das-ostras-2358-2020", 48)],
)
def test_the_published_texts_give_nearly_all_their_articles(name: str, least: int) -> None:
    assert len(read_law_text((LAWS / f"{name}.txt").read_bytes()).articles) >= least
