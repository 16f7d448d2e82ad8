"""What a free text names: seal, plate, protocol, line, fleet number; people write them any way they like."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from complaints.cases.protocol import BadProtocol, check_protocol
from complaints.registry.plates import find_plate
from complaints.registry.seal_code import BadSealCode, check_code

_TOKEN = re.compile(r"[A-Za-z0-9]+")
_BETWEEN_GROUPS = re.compile(r"[ \t.\-–—_]{1,3}")
_SEAL_LENGTH = 9
_MOST_GROUPS = 4
_GROUP = range(2, 6)
_NEAR_SEAL = range(8, 11)
_SEAL_WORDS = ("SELO", "CODIGO", "COD")
_NUMBER_WORDS = ("N", "NO", "NR", "NUM", "NUMERO", "DA", "DO", "DE", "E", "EH")
_PLATE = re.compile(r"(?<![A-Z0-9])([A-Z]{3})([ \-.·]?)([0-9][A-Z0-9][0-9]{2})(?![A-Z0-9])")
_PLATE_WORD = re.compile(r"PLACA\W+(\w+\W+){0,3}$")
_TWELVE_DIGITS = re.compile(r"(?<!\d)(?:\d[ .\-–/]{0,2}){11}\d(?!\d)")
_LINE = re.compile(r"\bLINHA\s+(?:N[O.]{0,2}\s*|NUMERO\s+)?([A-Z]{0,2}[0-9]{1,4}[A-Z]?)\b")
_FLEET = re.compile(
    r"\b(?:CARRO|PREFIXO|ORDEM)\s+(?:N[O.]{0,2}\s*|NUMERO\s+)?([0-9]{2,6})\b(?!\s*(?:MIN|H\b|HORA|REA|VEZ|ANO|PESSOA))"
)


@dataclass(frozen=True)
class Found:
    """Something in a text: its value, and the text as typed from `start` to `end`."""

    value: str
    start: int
    end: int


@dataclass(frozen=True)
class _Token:
    text: str
    start: int
    end: int

    @property
    def has_digit(self) -> bool:
        return any(character.isdigit() for character in self.text)

    @property
    def has_letter(self) -> bool:
        return any(character.isalpha() for character in self.text)


def plain_upper(text: str) -> str:
    """Upper case without accents, as long as the text itself, so that places in it are the same."""
    return "".join(map(_plain_character, text))


def find_seal_code(text: str) -> Found | None:
    """The first seal code whose check character holds, in one piece or in groups, anywhere in the text."""
    tokens = _tokens(text)
    for index, token in enumerate(tokens):
        for group in _runs(text, tokens, index):
            joined = "".join(part.text for part in group)
            if len(joined) == _SEAL_LENGTH and _may_be_seal(group, tokens, index) and _checks(joined):
                return Found(check_code(joined), group[0].start, group[-1].end)
        glued = token.text.removeprefix("SELO")
        if glued != token.text and len(glued) == _SEAL_LENGTH and _checks(glued):
            return Found(glued, token.start, token.end)
    return None


def find_seal_attempt(text: str) -> Found | None:
    """What somebody meant as a seal, as typed: after the word, or of the length and the mixture of a code."""
    tokens = _tokens(text)
    for index, token in enumerate(tokens):
        if _follows_seal_word(tokens, index) and token.has_digit and find_plate(token.text) is None:
            end = _attempt_end(text, tokens, index)
            return Found(text[token.start : end], token.start, end)
        letters = sum(character.isalpha() for character in token.text)
        if len(token.text) in _NEAR_SEAL and 2 <= letters <= len(token.text) - 2:
            return Found(text[token.start : token.end], token.start, token.end)
    return None


def find_plate_in(text: str) -> Found | None:
    """The first plate, in its Mercosul form. Written in two words it needs the word `placa` before it."""
    upper = plain_upper(text)
    for match in _PLATE.finditer(upper):
        plate = find_plate(match[1] + match[3])
        apart = match[2] == " " and match[3].isdigit()
        if plate and (not apart or _PLATE_WORD.search(upper[: match.start()])):
            return Found(plate, match.start(), match.end())
    return None


def find_protocol(text: str) -> Found | None:
    """The first 12 digits whose check digit holds."""
    for match in _TWELVE_DIGITS.finditer(text):
        try:
            return Found(check_protocol(match[0]), match.start(), match.end())
        except BadProtocol:
            continue
    return None


def find_line_name(text: str) -> str:
    """`12` of "linha 12", empty without one."""
    match = _LINE.search(plain_upper(text))
    return match[1] if match else ""


def find_fleet_number(text: str) -> str:
    """`304` of "carro 304" or "prefixo 304", empty without one; not "carro 15 minutos atrasado"."""
    match = _FLEET.search(plain_upper(text))
    return match[1] if match else ""


def _tokens(text: str) -> list[_Token]:
    return [_Token(match[0], match.start(), match.end()) for match in _TOKEN.finditer(plain_upper(text))]


def _runs(text: str, tokens: list[_Token], index: int) -> Iterator[list[_Token]]:
    """The token alone, then with each of its next neighbours, as long as only a blank or a dash is between."""
    group = [tokens[index]]
    yield group
    for following in tokens[index + 1 : index + _MOST_GROUPS]:
        if not _BETWEEN_GROUPS.fullmatch(text[group[-1].end : following.start]):
            return
        group = [*group, following]
        yield group


def _may_be_seal(group: list[_Token], tokens: list[_Token], index: int) -> bool:
    """Ordinary words side by side must not become a code: groups are short, and one mixes letters and digits."""
    if len(group) == 1:
        return True
    if any(len(token.text) not in _GROUP for token in group):
        return False
    return _follows_seal_word(tokens, index) or any(token.has_digit and token.has_letter for token in group)


def _follows_seal_word(tokens: list[_Token], index: int) -> bool:
    before = [token.text for token in tokens[max(0, index - 3) : index]]
    while before and before[-1] in _NUMBER_WORDS:
        before.pop()
    return bool(before) and before[-1] in _SEAL_WORDS


def _attempt_end(text: str, tokens: list[_Token], index: int) -> int:
    """Groups that belong together: as many as hold a digit, or as make up the length of a code."""
    groups = list(_runs(text, tokens, index))
    for group in groups:
        if sum(len(token.text) for token in group) == _SEAL_LENGTH:
            return group[-1].end
    with_digits = [group for group in groups if all(token.has_digit for token in group)]
    return with_digits[-1][-1].end


def _checks(code: str) -> bool:
    try:
        check_code(code)
    except BadSealCode:
        return False
    return True


def _plain_character(character: str) -> str:
    base = unicodedata.normalize("NFKD", character)[0].upper()
    return base if len(base) == 1 else character
