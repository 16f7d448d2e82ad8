"""The short way network files write times: `05:30 06:10-20:10/40 25:05`, in minutes after midnight."""

import re
from itertools import pairwise

from gtfs.authoring.network import Headway

TIME = re.compile(r"(\d\d):([0-5]\d)", re.ASCII)
SPAN = re.compile(r"(\d\d:\d\d)-(\d\d:\d\d)/(\d+)", re.ASCII)


class BadTimes(ValueError):
    """The text is not times; the message names the word that is wrong."""


def read_departures(text: str) -> tuple[int, ...]:
    """Single times, and spans such as `06:10-20:10/40` whose both ends are departures."""
    times: list[int] = []
    for word in text.split():
        if "-" in word:
            span = _read_span(word)
            if (span.end - span.start) % span.every:
                raise BadTimes(f"{word!r} does not end on a departure")
            times.extend(range(span.start, span.end + 1, span.every))
        else:
            times.append(_read_time(word))
    if not times or any(second <= first for first, second in pairwise(times)):
        raise BadTimes(f"{text!r} must be one or more ascending times")
    return tuple(times)


def read_headways(text: str) -> tuple[Headway, ...]:
    """Spans that do not overlap; the end of a span is no departure of it."""
    spans = tuple(_read_span(word) for word in text.split())
    if not spans or any(second.start < first.end for first, second in pairwise(spans)):
        raise BadTimes(f"{text!r} must be one or more ascending spans that do not overlap")
    return spans


def _read_span(word: str) -> Headway:
    match = SPAN.fullmatch(word)
    if not match:
        raise BadTimes(f"{word!r} must be written start-end/minutes, such as 06:10-20:10/40")
    span = Headway(_read_time(match[1]), _read_time(match[2]), int(match[3]))
    if span.end <= span.start or span.every == 0:
        raise BadTimes(f"{word!r} must end after it starts and repeat after at least one minute")
    return span


def _read_time(word: str) -> int:
    match = TIME.fullmatch(word)
    if not match:
        raise BadTimes(f"{word!r} is not a time such as 05:30 or 25:10")
    return int(match[1]) * 60 + int(match[2])
