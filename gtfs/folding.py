"""Text made comparable: without accents and case, as an address, and in the order people count in."""

import re
import unicodedata

SLUG_LENGTH = 60

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_DIGITS = re.compile(r"[0-9]+")
_SPACES = re.compile(r"\s+")


def fold(text: str) -> str:
    """Lower case, accents and double spaces removed: `Itaipuaçu ` -> `itaipuacu`."""
    spread = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    plain = "".join(letter for letter in spread if not unicodedata.combining(letter))
    return _SPACES.sub(" ", plain).strip()


def slugify(text: str) -> str:
    """Lower-case ASCII letters, digits and single hyphens, at most SLUG_LENGTH; blank when nothing is left."""
    slug = _NOT_SLUG.sub("-", fold(text)).strip("-")
    return slug[:SLUG_LENGTH].rstrip("-")


def sort_key(text: str) -> str:
    """Folded text with its numbers padded, so that line 9 comes before line 10 and 10 before 10A."""
    return _DIGITS.sub(lambda match: match.group().lstrip("0").rjust(8, "0"), fold(text))
