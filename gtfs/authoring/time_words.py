"""The ways people write times of departure, found one after the other in a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gtfs.authoring.faults import Fault

LAST_HOUR = 35
"""Hours above 23 count on after midnight; nothing runs until noon of the next day."""

_TIME = r"\d{1,2}(?::[0-5]\d(?::00)?|\s?h\s?[0-5]\d(?:\s?min)?|\.[0-5]\d|\s?h(?:oras?)?)|[0-3]\d[0-5]\d"
_COUNT = r"\d{1,3}(?:\s*(?:horas?|h)(?:\s?[0-5]\d)?|\s*(?:minutos?|min|m|'))?"
_EVERY = rf"(?:(?:a\s+)?cada|de\s+{_COUNT}\s+em)\s+(?P<N>{_COUNT})"
_SPAN = rf"(?P<A>{_TIME})\s*(?:-|–|—|até|ATÉ|ate|às|ÀS|as|à|À|a|e)\s*(?P<B>{_TIME})"
_END = r"(?![\w:])"


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII | re.IGNORECASE)


_GAP = _compile(r"(?:[\s,;|]|(?<![^\s,;|])e(?=\s))+")
_LISTED = _compile(rf"{_SPAN}\s*/\s*(?P<N>{_COUNT}){_END}")
_BEFORE = _compile(rf"{_EVERY}\s*[,:]?\s*(?:(?:das|da|de|entre)\s+)?{_SPAN}{_END}")
_AFTER = _compile(rf"(?:(?:das|da|de|entre)\s+)?{_SPAN}\s*[,:]?\s*{_EVERY}{_END}")
_OPEN = _compile(rf"(?:(?:das|da|de)\s+)?{_SPAN.replace('|a|e)', '|a)')}{_END}")
_SINGLE = _compile(rf"(?P<A>{_TIME}){_END}")
_WORD = _compile(r"[^\s,;|]+")
_NUMBERS = _compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A departure (`every` is 0), or departures from `start` to `end` every so many minutes.

    `listed` ones leave exactly then, both ends included; others follow an interval. Minutes after midnight.
    `row`, `column` and `text` say where it stands.
    """

    start: int
    end: int
    every: int
    listed: bool
    row: int
    column: int
    text: str

    def fault(self, message: str) -> Fault:
        """A fault of this piece."""
        return Fault(self.row, str(self.column), f"{_quote(self.text)} {message}")


def find_pieces(text: str, *, exact: bool = True) -> Iterator[Piece | Fault]:
    """Every departure and span of a text in its order, and a fault for each word that is neither.

    With `exact` a span such as `06:00-20:00/40` must end on a departure.
    """
    for row, line in enumerate(text.split("\n"), 1):
        position = 0
        while position < len(line):
            if gap := _GAP.match(line, position):
                position = gap.end()
                continue
            found, position = _find_next(line, position, row, exact)
            yield found


def _find_next(line: str, position: int, row: int, exact: bool) -> tuple[Piece | Fault, int]:
    for pattern, listed in ((_LISTED, exact), (_BEFORE, False), (_AFTER, False)):
        if match := pattern.match(line, position):
            return _read_span(match, listed, row), match.end()
    place = row, str(position + 1)
    if match := _OPEN.match(line, position):
        advice = "não diz de quanto em quanto tempo: escreva 06:00-20:00/40, ou a cada 40 min das 06:00 às 20:00"
        return Fault(*place, f"{_quote(match[0])} {advice}"), match.end()
    if match := _SINGLE.match(line, position):
        return _read_single(match, row), match.end()
    word = _WORD.match(line, position)
    text = word[0] if word else line[position]
    return Fault(*place, f"{_quote(text)} não é uma hora: escreva como 05:30, 5h30 ou 5h"), position + len(text)


def _read_single(match: re.Match[str], row: int) -> Piece | Fault:
    start = _read_time(match["A"])
    return _check(Piece(start, start, 0, True, row, match.start() + 1, match[0]))


def _read_span(match: re.Match[str], listed: bool, row: int) -> Piece | Fault:
    start, end, every = _read_time(match["A"]), _read_time(match["B"]), _read_count(match["N"])
    piece = Piece(start, end, every, listed, row, match.start() + 1, match[0])
    if every == 0:
        return piece.fault("precisa repetir depois de pelo menos 1 minuto")
    if end <= start:
        return piece.fault(
            "precisa terminar depois de começar; depois da meia-noite, escreva 24:30 em vez de 0:30"
        )
    if listed and (end - start) % every:
        last = end - (end - start) % every
        return piece.fault(f"não acaba numa partida: a última de {every} em {every} minutos é {write_time(last)}")
    return _check(piece)


def _check(piece: Piece) -> Piece | Fault:
    if piece.start >= (LAST_HOUR + 1) * 60 or piece.end >= (LAST_HOUR + 1) * 60:
        return piece.fault(f"passa das {LAST_HOUR}:59: escreva a hora do dia em que a viagem começa")
    return piece


def _read_time(text: str) -> int:
    """Minutes after midnight; four digits are hours and minutes."""
    numbers = [int(number) for number in _NUMBERS.findall(text)]
    if len(numbers) == 1 and len(text) == 4 and text.isdigit():
        return numbers[0] // 100 * 60 + numbers[0] % 100
    return numbers[0] * 60 + (numbers[1] if len(numbers) > 1 else 0)


def _read_count(text: str) -> int:
    """Minutes of `40`, `40 min`, `2 horas` or `1h30`."""
    numbers = [int(number) for number in _NUMBERS.findall(text)]
    return numbers[0] * 60 + sum(numbers[1:]) if "h" in text.lower() else numbers[0]


def write_time(minutes: int) -> str:
    """HH:MM, counting on after midnight."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _quote(text: str) -> str:
    return f"«{text if len(text) <= 40 else text[:39] + '…'}»"
