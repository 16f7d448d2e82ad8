"""How days are counted: one by one, each with the reason why it counted or did not."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from complaints.law.calendars import Calendar

Unit = Literal["calendar", "business"]

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class TermSettings:
    """How the authority counts; the words are those of the rulebooks' settings.

    `complement` says what asking the rider for more does to the clock. While `optional_days` is undecided, a
    day on which offices may close is a working day for what is due, and is not for what is late.
    """

    unit: Unit = "calendar"
    first_day: Literal["excluded", "included"] = "excluded"
    rollover: Literal["next_business_day", "none"] = "next_business_day"
    optional_days: Literal["undecided", "working", "non_working"] = "undecided"
    complement: Literal["suspend", "interrupt"] = "suspend"


@dataclass(frozen=True)
class Pause:
    """The wait for a complement, in local dates; `answered_on` is None while it lasts.

    The day of the request no longer counts, the day of the answer counts again.
    """

    requested_on: date
    answered_on: date | None = None

    def __post_init__(self) -> None:
        if self.answered_on is not None and self.answered_on < self.requested_on:
            raise ValueError(f"answered on {self.answered_on}, before {self.requested_on}")

    def covers(self, day: date) -> bool:
        """Tell whether the clock stands still on this day."""
        return self.requested_on <= day and (self.answered_on is None or day < self.answered_on)


@dataclass(frozen=True)
class DerivationDay:
    """One day of the count: counted or not, and why, in Portuguese."""

    day: date
    counted: bool
    reason: str


@dataclass(frozen=True)
class Count:
    """The days gone through from `start`; `due` is None when an open pause stopped the clock.

    `restarted` says that a complement made the count begin again on `start`.
    """

    start: date
    due: date | None
    days: tuple[DerivationDay, ...]
    restarted: bool = False

    @property
    def last_counted(self) -> date | None:
        """The day the number of days was reached, before moving on to a working day."""
        counted = [row.day for row in self.days if row.counted]
        return counted[-1] if counted else None


@dataclass(frozen=True)
class Counter:
    """A number of days, with the calendar and settings to count them by."""

    days: int
    calendar: Calendar
    settings: TermSettings
    optional_works: bool = True

    def count(self, start: date, pauses: tuple[Pause, ...] = ()) -> Count:
        """Count from `start` through the pauses, which suspend or interrupt as the settings say."""
        if self.settings.complement == "suspend":
            return self._run(start, pauses)
        return self._run_interrupted(start, tuple(sorted(pauses, key=lambda pause: pause.requested_on)))

    def _run_interrupted(self, start: date, pauses: tuple[Pause, ...]) -> Count:
        origin = start
        for pause in pauses:
            due = self._run(origin, ()).due
            if due is None or pause.requested_on > due:
                break
            if pause.answered_on is None:
                return Count(origin, None, self._run(origin, (pause,)).days, restarted=origin != start)
            origin = max(origin, pause.answered_on)
        finished = self._run(origin, ())
        return Count(origin, finished.due, finished.days, restarted=origin != start)

    def _run(self, start: date, pauses: tuple[Pause, ...]) -> Count:
        rows = tuple(self._walk(start, pauses))
        stopped = any(pause.answered_on is None and pause.covers(rows[-1].day) for pause in pauses)
        return Count(start, None if stopped else rows[-1].day, rows)

    def _walk(self, start: date, pauses: tuple[Pause, ...]) -> Iterator[DerivationDay]:
        """Go through the days up to the last of the term, or to the first of an open pause."""
        day, reached = start, 0
        if self.settings.first_day == "excluded":
            yield DerivationDay(start, False, "dia do começo, não conta")
            day += _DAY
        while True:
            row = self._look_at(day, reached, pauses)
            reached += row.counted
            yield row
            if reached == self.days and self._may_end(day) and not _is_paused(day, pauses):
                return
            if any(pause.answered_on is None and pause.covers(day) for pause in pauses):
                return
            day += _DAY

    def _look_at(self, day: date, reached: int, pauses: tuple[Pause, ...]) -> DerivationDay:
        works, reason = self.calendar.is_working(day, optional_counts=self.optional_works)
        if _is_paused(day, pauses):
            return DerivationDay(day, False, "à espera de complemento")
        if reached == self.days:
            return DerivationDay(day, False, "primeiro dia útil depois do fim da contagem" if works else reason)
        if self.settings.unit == "business" and not works:
            return DerivationDay(day, False, reason)
        return DerivationDay(day, True, f"{reached + 1}º dia, {reason}")

    def _may_end(self, day: date) -> bool:
        if self.settings.rollover == "none":
            return True
        return self.calendar.is_working(day, optional_counts=self.optional_works)[0]


def _is_paused(day: date, pauses: tuple[Pause, ...]) -> bool:
    return any(pause.covers(day) for pause in pauses)
