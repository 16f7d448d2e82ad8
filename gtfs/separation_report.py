"""What a comparison of departures found: warnings by line, other line, stop, direction and kind of day."""

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from gtfs.checks.report_csv import guard
from gtfs.day_kinds import name_dates, name_weekdays

MOST = 500
"""Warnings a written report holds; the others are only counted."""

_DATES = 60
_HEADER = (
    *("linha", "sentido", "parada", "codigo da parada", "outra linha", "sentido da outra", "dias"),
    *("partidas proximas", "com certeza", "partida", "partida da outra", "minutos entre elas", "exemplos"),
)


@dataclass(frozen=True, slots=True)
class Approach:
    """A departure of ours and the other nearest to it, in seconds of our service day.

    With intervals a departure is some time from `ours` to `ours_until`. `apart` is how near they can be;
    `certain`: they are too near at whatever second the interval line passes.
    """

    ours: int
    ours_until: int | None
    other: int
    other_until: int | None
    apart: int
    certain: bool

    @property
    def order(self) -> tuple[int, bool, int, int]:
        """The nearest first, and of equal ones the certain."""
        return (self.apart, not self.certain, self.ours, self.other)

    @property
    def words(self) -> str:
        """`06:20 e 06:28`; with intervals `06:20 a 06:40`."""
        return f"{_clock_range(self.ours, self.ours_until)} e {_clock_range(self.other, self.other_until)}"


@dataclass(frozen=True, slots=True)
class TooNear:
    """Departures of a line too near those of a line of the other feed, at a stop, on a kind of day.

    `count` is how many of ours; `certain` of them whatever the intervals do.
    """

    line: str
    line_id: str
    direction: str
    stop: str
    stop_id: str
    other_line: str
    other_direction: str
    days: str
    dates: tuple[date, ...]
    count: int
    certain: int
    nearest: Approach
    examples: tuple[Approach, ...]

    @property
    def order(self) -> tuple[Any, ...]:
        """By line, direction and day, then the worst first."""
        return (
            self.line,
            self.direction,
            self.dates[:1],
            self.nearest.apart,
            -self.count,
            self.stop,
            self.other_line,
        )


@dataclass(frozen=True, slots=True)
class SeparationReport:
    """The result; a warning, never a refusal. Without any shared stop there was nothing to compare."""

    minutes: int
    metres: float
    origin_only: bool
    first_day: date | None
    last_day: date | None
    shared_stops: int
    warnings: tuple[TooNear, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values; at most MOST warnings, and how many there are in all. Times are seconds and HH:MM."""
        return {
            "minutes": self.minutes,
            "metres": self.metres,
            "origin_only": self.origin_only,
            "first_day": self.first_day.isoformat() if self.first_day else None,
            "last_day": self.last_day.isoformat() if self.last_day else None,
            "shared_stops": self.shared_stops,
            "total": len(self.warnings),
            "warnings": [_to_json(warning) for warning in self.warnings[:MOST]],
        }

    def to_csv(self) -> bytes:
        """For a spreadsheet: UTF-8 with a byte order mark, semicolons, a row for each of at most MOST warnings."""
        text = io.StringIO()
        writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
        writer.writerow(_HEADER)
        writer.writerows(map(guard, _cells(warning)) for warning in self.warnings[:MOST])
        return b"\xef\xbb\xbf" + text.getvalue().encode()


def name_days(dates: Sequence[date], looked_at: Collection[date]) -> str:
    """Words for some of the days looked at: weekdays with most of theirs, other days by date."""
    chosen, regular = set(dates), []
    for weekday in range(7):
        all_of_it = [day for day in looked_at if day.weekday() == weekday]
        found = sum(day in chosen for day in all_of_it)
        if found > 1 and found * 2 > len(all_of_it):
            regular.append(weekday)
    others = [day for day in dates if day.weekday() not in regular]
    missing = [day for day in sorted(looked_at) if day.weekday() in regular and day not in chosen]
    words = [name_weekdays(tuple(regular))] if regular else []
    words += [name_dates(others)] if others else []
    return "; ".join(words) + (f" (menos {name_dates(missing)})" if missing else "")


def clock(seconds: int) -> str:
    """HH:MM of a service day, with the seconds where there are some; `(véspera)` before it begins."""
    minutes, rest = divmod(abs(seconds) if seconds >= 0 else seconds % 86400, 60)
    text = f"{minutes // 60:02}:{minutes % 60:02}" + (f":{rest:02}" if rest else "")
    return text if seconds >= 0 else f"{text} (véspera)"


def _clock_range(low: int, high: int | None) -> str:
    return clock(low) if high is None else f"{clock(low)} a {clock(high)}"


def _approach_to_json(approach: Approach) -> Mapping[str, Any]:
    return {
        "ours": clock(approach.ours),
        "ours_until": None if approach.ours_until is None else clock(approach.ours_until),
        "other": clock(approach.other),
        "other_until": None if approach.other_until is None else clock(approach.other_until),
        "seconds_apart": approach.apart,
        "certain": approach.certain,
    }


def _to_json(warning: TooNear) -> Mapping[str, Any]:
    return {
        "line": warning.line,
        "line_id": warning.line_id,
        "direction": warning.direction,
        "stop": warning.stop,
        "stop_id": warning.stop_id,
        "other_line": warning.other_line,
        "other_direction": warning.other_direction,
        "days": warning.days,
        "dates": [day.isoformat() for day in warning.dates[:_DATES]],
        "count": warning.count,
        "certain": warning.certain,
        "nearest": _approach_to_json(warning.nearest),
        "examples": [_approach_to_json(approach) for approach in warning.examples],
    }


def _cells(warning: TooNear) -> tuple[str, ...]:
    nearest = warning.nearest
    return (
        warning.line,
        warning.direction,
        warning.stop,
        warning.stop_id,
        warning.other_line,
        warning.other_direction,
        warning.days,
        str(warning.count),
        str(warning.certain),
        _clock_range(nearest.ours, nearest.ours_until),
        _clock_range(nearest.other, nearest.other_until),
        f"{nearest.apart / 60:.1f}".replace(".", ","),
        "; ".join(approach.words for approach in warning.examples),
    )
