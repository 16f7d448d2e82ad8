"""The seal code: eight random characters and one check character that finds every slip of reading or typing."""

import secrets
import unicodedata
from itertools import product

from complaints.ids import ALPHABET

LENGTH = 9
"""Characters of a code, the check character included."""

LOOK_ALIKES = {
    "0": "DQG8",
    "O": "DQG",
    "1": "7JT",
    "I": "JT",
    "E": "FB3",
    "U": "VW",
}
"""Characters that are in no code, and the ones of a code that they may have been on the label."""

_MAX_LOOK_ALIKES = 3
_NOT_READ = {"Zs", "Zl", "Zp", "Pd", "Cc", "Cf"}
_VALUES = {character: value for value, character in enumerate(ALPHABET)}


class BadSealCode(ValueError):
    """A text that cannot be a seal code; the message is a sentence for the person who typed it.

    `read`: its characters without blanks and dashes, in upper case.
    """

    word = "malformed"
    """The kind of problem, for machines."""

    suggestion: str | None = None
    """The only code the person can have meant, when look-alike characters leave exactly one."""

    def __init__(self, read: str, message: str) -> None:
        super().__init__(message)
        self.read = read


class WrongLength(BadSealCode):
    """Characters are missing or too many."""

    word = "wrong_length"

    def __init__(self, read: str) -> None:
        super().__init__(read, f"{_count(len(read))}; o código do selo tem {LENGTH}.")


class StrangeCharacter(BadSealCode):
    """It has characters that no code has, listed once each in the order read."""

    word = "strange_character"

    def __init__(self, read: str, characters: tuple[str, ...], suggestion: str | None) -> None:
        super().__init__(read, f"O código do selo nunca tem {' nem '.join(characters)}.")
        self.characters = characters
        self.suggestion = suggestion


class WrongCheck(BadSealCode):
    """A character is wrong or two changed places; nobody can tell which, so it must be read again."""

    word = "wrong_check"

    def __init__(self, read: str) -> None:
        super().__init__(read, "Há um caractere errado, ou dois trocaram de lugar.")


def new_code() -> str:
    """A random code: one of 29**8, about 500 thousand million."""
    body = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH - 1))
    return body + check_character(body)


def check_code(text: str) -> str:
    """Return the code typed as its nine characters; accepts lower case, blanks and dashes. Raises BadSealCode."""
    read = squeeze(text)
    if len(read) != LENGTH:
        raise WrongLength(read)
    strange = tuple(dict.fromkeys(character for character in read if character not in _VALUES))
    if strange:
        raise StrangeCharacter(read, strange, _find_meant(read))
    if _weighted_sum(read):
        raise WrongCheck(read)
    return read


def check_character(body: str) -> str:
    """The ninth character for eight others of the alphabet: it brings the weighted sum to 0 modulo 29."""
    inverse_of_last_weight = pow(LENGTH, -1, len(ALPHABET))
    return ALPHABET[-_weighted_sum(body) * inverse_of_last_weight % len(ALPHABET)]


def squeeze(text: str) -> str:
    """Upper case, without blanks, dashes of any kind and invisible characters."""
    plain = unicodedata.normalize("NFKC", text).upper()
    return "".join(character for character in plain if unicodedata.category(character) not in _NOT_READ)


def format_code(code: str) -> str:
    """`7K2 M9P XQV`: groups of three, as printed and shown."""
    return " ".join(code[start : start + 3] for start in range(0, len(code), 3))


def _count(number: int) -> str:
    return "Foi lido 1 caractere" if number == 1 else f"Foram lidos {number} caracteres"


def _weighted_sum(characters: str) -> int:
    """Values times 1, 2, 3… from the left, modulo 29: prime, so no single error or swap leaves it as it was."""
    weighted = (weight * _VALUES[character] for weight, character in enumerate(characters, start=1))
    return sum(weighted) % len(ALPHABET)


def _find_meant(read: str) -> str | None:
    """The one code that look-alike characters allow; None when none or several pass the check."""
    strange = [character for character in read if character not in _VALUES]
    if len(strange) > _MAX_LOOK_ALIKES:
        return None
    choices = [character if character in _VALUES else LOOK_ALIKES.get(character, "") for character in read]
    passing = [code for code in map("".join, product(*choices)) if not _weighted_sum(code)]
    return passing[0] if len(passing) == 1 else None
