import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaints.ids import ALPHABET
from complaints.registry.seal_code import (
    LENGTH,
    BadSealCode,
    StrangeCharacter,
    WrongCheck,
    WrongLength,
    check_character,
    check_code,
    format_code,
    new_code,
)

codes = st.text(ALPHABET, min_size=8, max_size=8).map(lambda body: body + check_character(body))
places = st.integers(0, LENGTH - 1)


@pytest.mark.parametrize("code", ["7K2M9PXQV", "K7M29PXQD"])
def test_the_published_examples_are_valid(code: str) -> None:
    assert check_code(code) == code


@pytest.mark.parametrize(
    "typed",
    [
        "7k2m9pxqv",
        "7K2 M9P XQV",
        "  7K2-M9P-XQV\n",
        "7K2\u00a0M9P\u2011XQV",
        "7K2\u2013M9P\u2014XQV",
        "\u200b7K2M9PXQV\ufeff",
        "７Ｋ２Ｍ９ＰＸＱＶ",
    ],
)
def test_a_code_is_read_in_any_case_with_blanks_and_dashes(typed: str) -> None:
    assert check_code(typed) == "7K2M9PXQV"


def test_a_code_is_shown_in_groups_of_three() -> None:
    assert format_code("7K2M9PXQV") == "7K2 M9P XQV"


def test_new_codes_are_valid_and_differ() -> None:
    made = {new_code() for _ in range(200)}
    assert len(made) == 200
    assert all(check_code(code) == code for code in made)


@pytest.mark.parametrize(("typed", "count"), [("", 0), ("7K2M9PXQ", 8), ("7K2M9PXQVV", 10), ("---", 0)])
def test_a_wrong_length_says_how_many_characters_were_read(typed: str, count: int) -> None:
    with pytest.raises(WrongLength, match=f"{count} caracteres; .* tem 9") as caught:
        check_code(typed)
    assert len(caught.value.read) == count
    assert caught.value.suggestion is None


def test_characters_that_no_code_has_are_named_once_each() -> None:
    with pytest.raises(StrangeCharacter) as caught:
        check_code("ç!K2M!PXQ")
    assert caught.value.characters == ("Ç", "!")
    assert caught.value.suggestion is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("7K2M9PXOV", "7K2M9PXQV"),
        ("7K2M9PX0V", "7K2M9PXQV"),
        ("1K2M9PXQV", "7K2M9PXQV"),
        ("7K2M9PXQU", "7K2M9PXQV"),
        ("1k2m9px0v", "7K2M9PXQV"),
    ],
)
def test_a_look_alike_is_traced_to_the_only_code_it_can_be(typed: str, meant: str) -> None:
    with pytest.raises(StrangeCharacter) as caught:
        check_code(typed)
    assert caught.value.suggestion == meant


def test_a_look_alike_that_fits_two_codes_suggests_none() -> None:
    assert check_code("Q8RM9PXQV") != check_code("8GRM9PXQV")
    with pytest.raises(StrangeCharacter) as caught:
        check_code("00RM9PXQV")
    assert caught.value.suggestion is None


def test_many_look_alikes_suggest_nothing() -> None:
    with pytest.raises(StrangeCharacter) as caught:
        check_code("OOOOOOOOO")
    assert caught.value.suggestion is None


def test_a_wrong_check_character_suggests_no_other_code() -> None:
    with pytest.raises(WrongCheck) as caught:
        check_code("7K2M9PXQW")
    assert caught.value.suggestion is None
    assert caught.value.read == "7K2M9PXQW"


@given(codes, places, st.sampled_from(ALPHABET))
def test_every_single_error_is_found(code: str, place: int, other: str) -> None:
    wrong = code[:place] + other + code[place + 1 :]
    if wrong != code:
        with pytest.raises(WrongCheck):
            check_code(wrong)


@given(codes, places, st.integers(1, 2))
def test_every_adjacent_and_jump_swap_is_found(code: str, place: int, distance: int) -> None:
    swapped = list(code)
    second = (place + distance) % LENGTH
    if abs(second - place) != distance:
        return
    swapped[place], swapped[second] = swapped[second], swapped[place]
    wrong = "".join(swapped)
    if wrong != code:
        with pytest.raises(WrongCheck):
            check_code(wrong)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused_with_a_name(text: str) -> None:
    try:
        code = check_code(text)
    except BadSealCode:
        return
    assert len(code) == LENGTH
    assert set(code) <= set(ALPHABET)


@given(codes)
def test_a_suggestion_is_always_a_valid_code(code: str) -> None:
    for place, stranger in itertools.product(range(LENGTH), "O0I1"):
        with pytest.raises(StrangeCharacter) as caught:
            check_code(code[:place] + stranger + code[place + 1 :])
        if caught.value.suggestion:
            assert check_code(caught.value.suggestion)
