"""Numbers, folded text, slugs and sort keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.folding import SLUG_LENGTH, fold, slugify, sort_key
from gtfs.numbers import parse_integer, parse_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("-22.9", -22.9), ("5", 5.0), ("5.", 5.0), (".5", 0.5), ("1e3", 1000.0), ("+1", 1.0)],
)
def test_numbers_are_read(text: str, number: float) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize("text", ["", "-22,9", "nan", "inf", "1_0", "0x10", "٥", "1e400", "--1"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert parse_number(text) is None
    assert parse_integer(text) is None


@pytest.mark.parametrize("text", ["1.0", "9" * 19])
def test_what_is_no_integer_is_none(text: str) -> None:
    assert parse_integer(text) is None


def test_integers_are_read() -> None:
    assert [parse_integer(text) for text in ("0", "-3", "007")] == [0, -3, 7]


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Centro x Araçatiba", "centro-x-aracatiba"),
        ("  E30A  ", "e30a"),
        ("804-Aldeota", "804-aldeota"),
        ("São José / Praça", "sao-jose-praca"),
        ("Nº 5 – 2ª", "no-5-2a"),
        ("室蘭港", ""),
        ("★☆", ""),
        ("../../etc", "etc"),
    ],
)
def test_slugs_are_plain(text: str, slug: str) -> None:
    assert slugify(text) == slug


@given(st.text())
def test_every_slug_is_ascii_and_bounded(text: str) -> None:
    slug = slugify(text)
    assert len(slug) <= SLUG_LENGTH
    assert all(
        part and part.isascii() and part.isalnum() and part == part.lower() for part in slug.split("-") if slug
    )
    assert slugify(slug) == slug


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_accents_and_case_are_folded_away() -> None:
    assert fold("  Itaipuaçu \u00a0ÓBVIO ") == "itaipuacu obvio"


def test_lines_sort_as_people_count() -> None:
    names = ["E11", "E2", "100", "20", "E30A", "E30", "Árvore", "Bairro"]
    assert sorted(names, key=sort_key) == ["20", "100", "Árvore", "Bairro", "E2", "E11", "E30", "E30A"]
