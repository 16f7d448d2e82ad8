"""The protocol number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaints.cases.protocol import BadProtocol, check_protocol, format_protocol, new_protocol

digits = st.text("0123456789", min_size=11, max_size=11)


def test_new_protocols_are_twelve_digits_that_check() -> None:
    protocols = {new_protocol() for _ in range(200)}
    assert len(protocols) == 200
    assert all(check_protocol(protocol) == protocol for protocol in protocols)


def test_damm_example_of_the_literature() -> None:
    assert check_protocol("000000005724") == "000000005724"


def test_protocol_is_written_four_four_four() -> None:
    assert format_protocol("123456789012") == "1234 5678 9012"


@pytest.mark.parametrize("blank", [" ", "-", ".", "/", "–", " - "])
def test_blanks_and_dashes_are_forgiven(blank: str) -> None:
    protocol = new_protocol()
    assert check_protocol(blank.join((protocol[:4], protocol[4:8], protocol[8:]))) == protocol


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "length"),
        ("1234", "length"),
        ("0" * 13, "length"),
        ("K7M29PXQD", "characters"),
        ("١" * 12, "characters"),
    ],
)
def test_what_is_no_protocol_says_why(typed: str, reason: str) -> None:
    with pytest.raises(BadProtocol) as caught:
        check_protocol(typed)
    assert caught.value.reason == reason


@given(st.integers(0, 11), st.integers(1, 9))
def test_every_single_error_is_found(place: int, shift: int) -> None:
    protocol = new_protocol()
    wrong = str((int(protocol[place]) + shift) % 10)
    with pytest.raises(BadProtocol):
        check_protocol(protocol[:place] + wrong + protocol[place + 1 :])


@given(st.integers(0, 10))
def test_every_swap_of_neighbours_is_found(place: int) -> None:
    protocol = new_protocol()
    swapped = protocol[:place] + protocol[place + 1] + protocol[place] + protocol[place + 2 :]
    if swapped == protocol:
        return
    with pytest.raises(BadProtocol):
        check_protocol(swapped)
