"""Times in network files, written as a clerk may write them: `05:30 06:10-20:10/40`; minutes after midnight."""

from gtfs.authoring.day_times import read_times
from gtfs.authoring.faults import Fault
from gtfs.authoring.network import Headway
from gtfs.authoring.time_words import Piece, find_pieces


class BadTimes(ValueError):
    """The text is not times; the message names the word that is wrong."""


def read_departures(text: str) -> tuple[int, ...]:
    """Single times, and spans such as `06:10-20:10/40` whose both ends are departures."""
    times, faults = read_times(text)
    if faults or not times.departures or times.headways:
        raise BadTimes(faults[0].words if faults else f"{text!r} must be one or more ascending times")
    return times.departures


def read_headways(text: str) -> tuple[Headway, ...]:
    """Spans that do not overlap, written as those of departures are; the end of a span is no departure of it."""
    spans: list[Headway] = []
    for piece in find_pieces(text, exact=False):
        if isinstance(piece, Fault):
            raise BadTimes(piece.words)
        spans.append(_read_span(piece, spans))
    if not spans:
        raise BadTimes(f"{text!r} must be one or more ascending spans that do not overlap")
    return tuple(spans)


def _read_span(piece: Piece, earlier: list[Headway]) -> Headway:
    if not piece.every:
        raise BadTimes(f"{piece.text!r} must be a span such as 06:10-20:10/40")
    if earlier and piece.start < earlier[-1].end:
        raise BadTimes(f"{piece.text!r} starts before the span before it ends")
    return Headway(piece.start, piece.end, piece.every)
