"""Coordinates as people write and copy them, and what is told about wrong ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtfs.authoring.coordinates import BadPlace, find_far, read_pair, read_place, write_place

PLACE = (-22.9168, -42.8205)


@pytest.mark.parametrize(
    "text",
    [
        "-22.9168, -42.8205",
        "-22.9168,-42.8205",
        "-22.9168 -42.8205",
        "-22,9168; -42,8205",
        "-22,9168, -42,8205",
        "(-22.9168, -42.8205)",
        "−22.9168, −42.8205",
        "geo:-22.9168,-42.8205",
        "https://www.google.com/maps/@-22.9168,-42.8205,17z",
        "https://maps.google.com/?q=-22.9168,-42.8205",
        "https://www.google.com/maps/place/X/@-22.9,-42.8,17z/data=!3m1!3d-22.9168!4d-42.8205",
        "https://www.openstreetmap.org/?mlat=-22.9168&mlon=-42.8205#map=17/-22.9/-42.8",
        "https://www.openstreetmap.org/#map=17/-22.9168/-42.8205",
        "https://www.google.com/maps/search/-22.9168%2C-42.8205",
        "22°55'00.48\"S 42°49'13.8\"W",
        "22° 55' 0.48\" S, 42° 49' 13.8\" O",
    ],
)
def test_a_place_is_read_however_it_is_written(text: str) -> None:
    assert read_pair(text) == PLACE


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [
        ("-22.9168", "-42.8205"),
        ("-22,9168", "-42,8205"),
        ("S 22.9168", "42.8205 W"),
        ("22°55'0.48\"S", "42°49'13.8\"O"),
    ],
)
def test_a_place_is_read_from_two_cells(latitude: str, longitude: str) -> None:
    assert read_place(latitude, longitude) == PLACE


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("-42.8205, -22.9168", "coordenadas", "latitude e longitude estão trocadas; seria -22.9168, -42.8205?"),
        ("22.9168, 42.8205", "coordenadas", "falta o sinal de menos; seria -22.9168, -42.8205?"),
        ("-22.9168, 42.8205", "coordenadas", "falta o sinal de menos; seria -22.9168, -42.8205?"),
        ("-91.5, -142", "latitude", "vai de -90 a 90"),
        ("-60.5, -190", "longitude", "vai de -180 a 180"),
        ("-60.5, -90.5", "coordenadas", "fica fora do Brasil"),
        ("na esquina", "coordenadas", "escreva latitude e longitude, como -22.9168, -42.8205"),
        ("", "coordenadas", "não são coordenadas"),
        ("https://maps.app.goo.gl/abc", "coordenadas", "não traz as coordenadas: abra-o"),
    ],
)
def test_a_wrong_place_is_told_with_what_to_do(text: str, column: str, words: str) -> None:
    with pytest.raises(BadPlace) as caught:
        read_pair(text)
    assert caught.value.column == column
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("latitude", "longitude", "column", "words"),
    [
        ("", "-42.8", "latitude", "falta a latitude: escreva como -22.9168"),
        ("-22.9", "", "longitude", "falta a longitude: escreva como -42.8205"),
        ("norte", "-42.8", "latitude", "«norte» não é uma latitude"),
    ],
)
def test_a_missing_or_odd_cell_is_told_by_its_column(
    latitude: str, longitude: str, column: str, words: str
) -> None:
    with pytest.raises(BadPlace) as caught:
        read_place(latitude, longitude)
    assert (caught.value.column, words in caught.value.message) == (column, True)


def test_a_stop_far_from_the_others_is_noticed() -> None:
    others = [(-22.9, -42.8), (-22.91, -42.81), (-22.92, -42.82)]
    assert find_far((-22.95, -42.9), others) is None
    assert find_far((-23.9, -42.8), others) == pytest.approx(110, abs=2)


def test_nothing_is_far_from_too_few_others() -> None:
    assert find_far((-23.9, -42.8), [(-22.9, -42.8), (-22.91, -42.81)]) is None


@given(st.floats(-33.9, 5.9), st.floats(-73.9, -28.1))
def test_any_place_in_brazil_is_read_back_as_written(latitude: float, longitude: float) -> None:
    place = read_place(f"{latitude:.6f}", f"{longitude:.6f}")
    assert read_pair(write_place(place)) == place


@given(st.text(max_size=80) | st.text(alphabet="-0123456789., ;°'\"SWNO@/:?=!d", max_size=40))
def test_any_text_is_a_place_in_brazil_or_told(text: str) -> None:
    try:
        latitude, longitude = read_pair(text)
    except BadPlace:
        return
    assert -34 <= latitude <= 6
    assert -74 <= longitude <= -28
