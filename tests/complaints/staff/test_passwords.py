"""What passwords are accepted, and how they are checked."""

import pytest

from complaints.staff import passwords
from complaints.staff.passwords import WeakPassword, check_password_rules, hash_password, verify_password


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("", "short"),
        ("onze letras", "short"),
        ("x" * 201, "long"),
        ("ana.souza@marica.example", "email"),
        ("ANA.SOUZA@marica.example", "email"),
        (" ana.souza@marica.example ", "email"),
        ("aaaaaaaaaaaa", "repeated"),
        ("121212121212", "repeated"),
    ],
)
def test_a_weak_password_is_refused_with_its_reason(password: str, reason: str) -> None:
    with pytest.raises(WeakPassword) as refused:
        check_password_rules(password, "ana.souza@marica.example")
    assert refused.value.reason == reason


def test_the_name_part_of_the_email_is_no_password() -> None:
    with pytest.raises(WeakPassword) as refused:
        check_password_rules("ana.maria.souza", "ana.maria.souza@marica.example")
    assert refused.value.reason == "email"


@pytest.mark.parametrize("password", ["doze letras!", "açaí com tapioca", "x1y2" * 50])
def test_length_is_what_counts(password: str) -> None:
    check_password_rules(password, "ana@marica.example")


def test_a_hash_is_argon2id_salted_and_fits_only_its_password() -> None:
    first, second = (hash_password("uma frase comprida", "ana@marica.example") for _ in range(2))
    assert first.startswith("$argon2id$")
    assert first != second
    assert verify_password("uma frase comprida", first)
    assert not verify_password("uma frase comprida ", first)


def test_a_weak_password_is_never_hashed() -> None:
    with pytest.raises(WeakPassword):
        hash_password("curta", "ana@marica.example")


def test_an_unknown_account_is_checked_as_slowly_as_a_known_one(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []

    class Counting:
        def hash(self, password: str) -> str:
            return "the hash of nobody"

        def verify(self, password: str, stored: str) -> bool:
            checked.append(stored)
            return True

    monkeypatch.setattr(passwords, "_hasher", Counting())
    passwords._nobody.cache_clear()
    try:
        assert not verify_password("a password that opens nothing", None)
        assert checked == ["the hash of nobody"]
    finally:
        passwords._nobody.cache_clear()


def test_an_endless_password_is_cut_before_the_slow_part() -> None:
    stored = hash_password("x1y2" * 50, "ana@marica.example")
    assert not verify_password("x1y2" * 50_000, stored)
