"""Folding and counting of text messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaints.messages.gsm7 import BASIC, EXTENSION, count_segments, count_septets, fit, fold, is_gsm7


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("Sua reclamação não foi esquecida", "Sua reclamacao nao foi esquecida"),
        ("às 7h é até o pé, Ü, ÉÇ", "às 7h é até o pé, Ü, ÉÇ"),
        ("DEMONSTRAÇÃO, até já", "DEMONSTRACAO, até ja"),
        ("Maricá, vovó, vovô, três, maçã, saúde", "Marica, vovo, vovo, tres, maca, saude"),
        ("art. 5º, 2ª via, 30°", "art. 5o, 2a via, 30o"),
        ("“aspas” ‘simples’ – travessão — e… •", "\"aspas\" 'simples' - travessao - e... -"),
        ("R$\u00a02,70", "R$ 2,70"),
        ("obrigado 👏👏🏽 ❤️", "obrigado  "),
        ("cafe\u0301", "café"),
        ("５０％ ①", "50% 1"),
        ("日本", "??"),
        ("€ [ok]", "€ [ok]"),
        ("", ""),
    ],
)
def test_portuguese_folds_to_what_every_phone_shows(typed: str, sent: str) -> None:
    assert fold(typed) == sent


@given(st.text(max_size=200))
def test_what_is_folded_is_gsm7_and_folding_again_changes_nothing(text: str) -> None:
    folded = fold(text)
    assert is_gsm7(folded)
    assert fold(folded) == folded


def test_the_alphabet_has_the_127_characters_of_the_standard_and_ten_more() -> None:
    assert len(BASIC) == 127  # 128 places, one of them the escape
    assert len(EXTENSION) == 10
    assert not BASIC & EXTENSION


@pytest.mark.parametrize(
    ("text", "septets", "segments"),
    [
        ("", 0, 1),
        ("a" * 160, 160, 1),
        ("a" * 161, 161, 2),
        ("a" * 306, 306, 2),
        ("a" * 307, 307, 3),
        ("{" * 80, 160, 1),
        ("a" * 152 + "€" + "a" * 153, 307, 3),
        ("a" * 152 + "€" + "a" * 10, 164, 2),
    ],
)
def test_segments_are_counted_as_the_network_counts_them(text: str, septets: int, segments: int) -> None:
    assert count_septets(text) == septets
    assert count_segments(text) == segments


def test_a_character_outside_the_alphabet_is_not_counted_but_named() -> None:
    with pytest.raises(ValueError, match="ã"):
        count_segments("não")


def test_a_long_text_is_cut_at_a_word() -> None:
    cut = fit("Resposta: " + "a van foi vistoriada e consertada. " * 20, 2)
    assert count_segments(cut) == 2
    assert cut.endswith("...")
    assert cut[:-3].split()[-1] in {"a", "van", "foi", "vistoriada", "e", "consertada"}


@given(st.text(max_size=700), st.integers(1, 3))
def test_a_fitted_text_always_fits(text: str, segments: int) -> None:
    assert count_segments(fit(text, segments)) <= segments


def test_a_text_that_fits_is_left_whole() -> None:
    assert fit("Olá, João.", 1) == "Ola, Joao."
