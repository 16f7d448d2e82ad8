"""Number plates: the old and the Mercosul form of one plate, told apart from everything else people type."""

import re

from complaints.registry.seal_code import squeeze

_LETTER_FOR_DIGIT = dict(zip("0123456789", "ABCDEFGHIJ", strict=True))
_DIGIT_FOR_LETTER = {letter: digit for digit, letter in _LETTER_FOR_DIGIT.items()}
_PLATE = re.compile(r"[A-Z]{3}[0-9][A-Z0-9][0-9]{2}")
_START = re.compile(r"[A-Z]{3}([0-9]([A-Z0-9][0-9]{0,2})?)?")
_AS_LETTER = str.maketrans("01", "OI")
_AS_DIGIT = str.maketrans("OI", "01")


class BadPlate(ValueError):
    """A text that is no Brazilian plate. `typed`: the text as it came."""

    def __init__(self, typed: str) -> None:
        super().__init__(f"“{typed}” não é uma placa (ABC-1234 ou ABC1D23).")
        self.typed = typed


def parse_plate(text: str) -> str:
    """Return the canonical (Mercosul) form, `ABC1D23`, of a plate in either form.

    Accepts lower case, blanks, dashes and dots, and the digits 0 and 1 for the letters O and I, or the other
    way round, where the place leaves no doubt. Raises BadPlate.
    """
    read = _unmix(_read(text))
    if not _PLATE.fullmatch(read):
        raise BadPlate(text)
    return _with_letter(read)


def find_plate(text: str) -> str | None:
    """As parse_plate, None when the text is no plate."""
    try:
        return parse_plate(text)
    except BadPlate:
        return None


def plate_start(text: str) -> str | None:
    """The canonical form of the first 3 to 7 characters of a plate, to search by; None when it cannot be one."""
    read = _read(text)
    return _with_letter(read) if _START.fullmatch(read) else None


def old_form(plate: str) -> str | None:
    """`ABC1234` for the canonical `ABC1C34`; None for a plate that never had an old form (fifth K to Z)."""
    digit = _DIGIT_FOR_LETTER.get(plate[4])
    return f"{plate[:4]}{digit}{plate[5:]}" if digit else None


def format_plate(plate: str) -> str:
    """Either form for people: `ABC1D23`, and the old one with its dash, `ABC-1234`."""
    return f"{plate[:3]}-{plate[3:]}" if plate[4].isdigit() else plate


def plate_in_words(plate: str) -> str:
    """Both forms of a canonical plate, since a vehicle may wear either: `ABC1C34 (ou ABC-1234)`."""
    old = old_form(plate)
    return f"{plate} (ou {format_plate(old)})" if old else plate


def _read(text: str) -> str:
    return squeeze(text).replace(".", "").replace("·", "")


def _unmix(read: str) -> str:
    """Three letters, a digit, then either, then two digits."""
    return (
        read[:3].translate(_AS_LETTER) + read[3:4].translate(_AS_DIGIT) + read[4:5] + read[5:].translate(_AS_DIGIT)
    )


def _with_letter(read: str) -> str:
    return read[:4] + _LETTER_FOR_DIGIT.get(read[4:5], read[4:5]) + read[5:]
