"""Sealed values: opened only whole, in their own place, with a key of the ring."""

import pytest

from complaints.sealing import CannotOpen, Keyring

OLD, NEW = bytes(range(32)), bytes(range(32, 64))
SECRET = b"a secret of at least 32 characters"


def test_a_value_opens_where_it_was_sealed() -> None:
    ring = Keyring([NEW], SECRET)
    assert ring.open(ring.seal("Maria ção".encode(), "reporter:1"), "reporter:1").decode() == "Maria ção"


def test_the_same_value_never_looks_the_same_twice() -> None:
    ring = Keyring([NEW], SECRET)
    assert ring.seal(b"x", "a") != ring.seal(b"x", "a")


def test_an_older_key_still_opens_and_the_newest_seals() -> None:
    sealed = Keyring([OLD], SECRET).seal(b"x", "a")
    rotated = Keyring([NEW, OLD], SECRET)
    assert rotated.open(sealed, "a") == b"x"
    with pytest.raises(CannotOpen):
        Keyring([OLD], SECRET).open(rotated.seal(b"x", "a"), "a")


def test_another_place_another_key_a_changed_byte_and_a_cut_are_refused() -> None:
    ring = Keyring([NEW], SECRET)
    sealed = ring.seal(b"some text", "a")
    with pytest.raises(CannotOpen):
        ring.open(sealed, "b")
    with pytest.raises(CannotOpen):
        Keyring([OLD], SECRET).open(sealed, "a")
    for place in range(len(sealed)):
        with pytest.raises(CannotOpen):
            ring.open(sealed[:place] + bytes([sealed[place] ^ 1]) + sealed[place + 1 :], "a")
        with pytest.raises(CannotOpen):
            ring.open(sealed[:place], "a")


def test_lookups_are_equal_only_for_the_same_value_purpose_and_secret() -> None:
    ring = Keyring([NEW], SECRET)
    assert ring.lookup("v", "phone") == Keyring([OLD], SECRET).lookup("v", "phone")
    others = {
        ring.lookup("w", "phone"),
        ring.lookup("v", "email"),
        Keyring([NEW], SECRET[::-1]).lookup("v", "phone"),
    }
    assert ring.lookup("v", "phone") not in others
    assert len(others) == 3


@pytest.mark.parametrize("keys", [[], [b"short"], [NEW, b""]])
def test_keys_of_another_length_are_refused(keys: list[bytes]) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Keyring(keys, SECRET)
