"""Citations follow the grammar of the contract, and nothing else passes."""

import pytest

from complaints.law.citations import article_of, is_citation

GOOD = (
    "art. 1",
    "art. 42, XV, a",
    "art. 25, § 3º",
    "art. 10, § 10",
    "art. 27, caput",
    "art. 38, par. único",
    "art. 34, § 1º, a",
    "art. 45-A",
    "art. 30, par. único, I, 4º item",
    "art. 39, 14º item",
    "art. 15, VII (2ª ocorrência)",
    "art. 40, XXXVIII",
    "art. 40, XL",
)
BAD = (
    "",
    "art. 0",
    "Art. 42",
    "art.42",
    "art. 42,XV",
    "art. 42, XV a",
    "art. 42, iv",
    "art. 42, IIII",
    "art. 42, ",
    "art. 1º",
    "art. 10, § 1",
    "art. 10, § 10º",
    "art. 10, §1º",
    "art. 26, p.ú.",
    "arts. 24, 25",
    "art. 42, XV, A",
    "art. 42, VIII da Lei 2.627/2015",
    "art. 42, VIII\n",
)


@pytest.mark.parametrize("text", GOOD)
def test_grammar_accepts_every_form_the_laws_need(text: str) -> None:
    assert is_citation(text)


@pytest.mark.parametrize("text", BAD)
def test_grammar_refuses_other_ways_of_writing_an_article(text: str) -> None:
    assert not is_citation(text)


@pytest.mark.parametrize(
    ("citation", "article"),
    [("art. 42, XV, a", "art. 42"), ("art. 11", "art. 11"), ("art. 4 (2ª ocorrência)", "art. 4")],
)
def test_article_of_a_citation_is_its_first_part(citation: str, article: str) -> None:
    assert article_of(citation) == article
