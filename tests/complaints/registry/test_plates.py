import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaints.registry.plates import (
    BadPlate,
    find_plate,
    format_plate,
    old_form,
    parse_plate,
    plate_in_words,
    plate_start,
)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
old_plates = st.from_regex(r"[A-Z]{3}[0-9]{4}", fullmatch=True).filter(str.isascii)
new_plates = st.from_regex(r"[A-Z]{3}[0-9][A-Z][0-9]{2}", fullmatch=True).filter(str.isascii)


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("ABC1234", "ABC1C34"),
        ("abc-1234", "ABC1C34"),
        (" ABC 1C34 ", "ABC1C34"),
        ("ABC.1C34", "ABC1C34"),
        ("ABC·1C34", "ABC1C34"),
        ("LMX0K11", "LMX0K11"),
        ("ABC1034", "ABC1A34"),
        ("ABC1934", "ABC1J34"),
        ("ABCI234", "ABC1C34"),
        ("ABC12O4", "ABC1C04"),
        ("0BC1234", "OBC1C34"),
        ("ABC1O34", "ABC1O34"),
    ],
)
def test_a_plate_is_read_in_both_forms_however_typed(typed: str, canonical: str) -> None:
    assert parse_plate(typed) == canonical
    assert find_plate(typed) == canonical


@pytest.mark.parametrize(
    "typed", ["", "ABC", "ABC123", "ABC12345", "AB22345", "1234ABC", "ABC1DE3", "ÁBC1234", "7K2M9PXQV"]
)
def test_what_is_no_plate_is_refused_with_what_was_typed(typed: str) -> None:
    with pytest.raises(BadPlate) as caught:
        parse_plate(typed)
    assert caught.value.typed == typed
    assert find_plate(typed) is None


@pytest.mark.parametrize(
    ("typed", "start"),
    [("abc", "ABC"), ("abc1", "ABC1"), ("ABC-12", "ABC1C"), ("ABC1D", "ABC1D"), ("ABC123", "ABC1C3")],
)
def test_the_start_of_a_plate_is_found_in_both_forms(typed: str, start: str) -> None:
    assert plate_start(typed) == start


@pytest.mark.parametrize("typed", ["", "AB", "101", "ABCD", "ABC12345"])
def test_what_cannot_start_a_plate_is_no_start(typed: str) -> None:
    assert plate_start(typed) is None


@pytest.mark.parametrize(("plate", "old"), [("ABC1C34", "ABC1234"), ("ABC1J34", "ABC1934"), ("LMX0K11", None)])
def test_the_old_form_exists_only_for_ten_letters(plate: str, old: str | None) -> None:
    assert old_form(plate) == old


def test_people_see_the_dash_of_the_old_form_and_both_forms() -> None:
    assert format_plate("ABC1234") == "ABC-1234"
    assert format_plate("ABC1C34") == "ABC1C34"
    assert plate_in_words("ABC1C34") == "ABC1C34 (ou ABC-1234)"
    assert plate_in_words("LMX0K11") == "LMX0K11"


@given(old_plates)
def test_both_forms_of_a_plate_are_equal(old: str) -> None:
    canonical = parse_plate(old)
    assert old_form(canonical) == old
    assert parse_plate(canonical) == canonical
    assert parse_plate(format_plate(old)) == canonical


@given(new_plates)
def test_a_canonical_plate_stays_as_it_is(plate: str) -> None:
    assert parse_plate(plate) == plate
    old = old_form(plate)
    assert old is None or parse_plate(old) == plate


@given(st.text(max_size=12))
def test_any_text_is_a_plate_or_none(text: str) -> None:
    plate = find_plate(text)
    assert plate is None or parse_plate(plate) == plate
