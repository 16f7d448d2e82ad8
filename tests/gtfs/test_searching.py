"""Search by words: exact before alike, numbers in any spelling, slips of the pen within bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.search_words import number_key, split_query, split_words
from gtfs.searching import Found, Searchable, SearchIndex, tolerated_slips

LINES = (
    Searchable(
        0, "12", ("12 Centro x Itaipuaçu", "Itaipuaçu Centro", "Rodoviária R. das Flores Hospital Che Guevara")
    ),
    Searchable(1, "E30", ("E30 Ponta Negra", "Ponta Negra", "Rodoviária Av. Roberto Silveira Praça")),
    Searchable(2, "120", ("120 Inoã", "Inoã", "Rodoviária São José do Imbassaí")),
    Searchable(3, "12A", ("12A Expresso", "Ponta Negra via Inoã", "Rodoviária")),
    Searchable(4, "V03", ("Circular", "Barra de Maricá", "Linha Vermelha 12")),
)
INDEX = SearchIndex(LINES)


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        ("12", (0, 2, 3, 4)),
        ("linha 12", (0, 2, 3, 4)),
        ("Linha 120", (2,)),
        ("e30", (1,)),
        ("E-30", (1,)),
        ("E 30", (1,)),
        ("ônibus e 030", (1,)),
        ("v3", (4,)),
        ("V-03", (4,)),
        ("inoa", (2, 3)),
        ("PONTA NEGRA", (1, 3)),
        ("itaipu", (0,)),
        ("rua das flores", (0,)),
        ("R. das Flores", (0,)),
        ("avenida roberto", (1,)),
        ("flores 12", (0,)),
        ("linha vermelha", (4,)),
        ("vermelha", (4,)),
        ("rodoviaria", (0, 1, 2, 3)),
        ("rodoviaria inoa", (2, 3)),
    ],
)
def test_exact_words_are_found_in_order_of_number_name_destination_stop(
    wanted: str, places: tuple[int, ...]
) -> None:
    assert INDEX.search(wanted) == Found(places)


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        ("itaipuassu", (0,)),
        ("Itaipoaçu", (0,)),
        ("itaipuasu", (0,)),
        ("imbasai", (2,)),
        ("sao joze", (2,)),
        ("hospitau", (0,)),
        ("ponta nergra", (1, 3)),
        ("robrto silvera", (1,)),
        ("itapuacu", (0,)),
        ("rodoviairia flores", (0,)),
        ("hosptal 12", (0,)),
    ],
)
def test_slips_are_forgiven_and_said_to_be_only_alike(wanted: str, places: tuple[int, ...]) -> None:
    assert INDEX.search(wanted) == Found(places, similar=True)


@pytest.mark.parametrize(
    "wanted", ["%", "_", "'", "", " ", "13", "e31", "xyz", "ino", "metro", "12 itabuna", "🚌"]
)
def test_numbers_and_short_words_must_be_right(wanted: str) -> None:
    found = INDEX.search(wanted)
    assert found == (Found((2, 3)) if wanted == "ino" else Found(()))


def test_number_of_results_is_bounded() -> None:
    assert INDEX.search("rodoviaria", 2) == Found((0, 1))
    assert INDEX.search("rodoviairia", 2) == Found((0, 1), similar=True)


@pytest.mark.parametrize(
    ("word", "slips"),
    [("sao", 0), ("inoa", 1), ("centro", 2), ("e30abc", 0), ("araruama", 2), ("imbassaimirim", 3)],
)
def test_longer_words_may_have_more_slips(word: str, slips: int) -> None:
    assert tolerated_slips(word) == slips


@pytest.mark.parametrize(
    ("typed", "key"), [("E-30", "e30"), ("e 030", "e30"), ("000", "0"), ("12-A", "12a"), ("", ""), ("Ç1", "c1")]
)
def test_numbers_have_one_key(typed: str, key: str) -> None:
    assert number_key(typed) == key


def test_abbreviations_are_written_out() -> None:
    assert split_words("Av. Sta. Rita, 9 (Pça.)") == ["avenida", "santa", "rita", "9", "praca"]
    assert split_query("Linha") == ["linha"]
    assert split_query("ponto do Mercado") == ["do", "mercado"]


@given(st.text(max_size=40))
def test_no_text_breaks_the_search(wanted: str) -> None:
    found = INDEX.search(wanted)
    assert set(found.places) <= set(range(5))


@given(
    st.sampled_from(["itaipuacu", "roberto", "imbassai", "hospital"]), st.integers(0, 8), st.sampled_from("aeqz")
)
def test_one_wrong_letter_finds_the_same_lines(word: str, at: int, letter: str) -> None:
    slipped = word[: at % len(word)] + letter + word[at % len(word) + 1 :]
    assert set(INDEX.search(word).places) <= set(INDEX.search(slipped).places)
