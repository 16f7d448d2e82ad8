"""Fares as dated acts of the authority: one for all lines, or one for a line, in force from a day on."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlmodel import Session

from complaints.authorities.choices import Choice, list_choices

FARE = "fare"
ALL_LINES = "all"
_OF_LINE = "line:"
LONGEST_LINE_ID = 120 - len(_OF_LINE)
"""Characters of a line's id that an act can name."""


class LineIdTooLong(ValueError):
    """An act cannot name a line with so long an id."""


@dataclass(frozen=True)
class FareAct:
    """An act on the fare: cents, whether nobody pays, who decided, by which act, from which day.

    `line` is the GTFS route_id, None for all lines. `kind` and `bodies` are words of the law or of the act.
    """

    cents: int
    free: bool
    instrument: str
    since: date
    line: str | None = None
    kind: str = ""
    bodies: tuple[str, ...] = ()
    number: str = ""
    document: str | None = None


def fare_key(line: str | None) -> str:
    """The key of the act for a line, or for all; raises LineIdTooLong."""
    if line is None:
        return ALL_LINES
    if len(line) > LONGEST_LINE_ID:
        raise LineIdTooLong(line)
    return f"{_OF_LINE}{line}"


def fare_value(cents: int, kind: str = "", bodies: tuple[str, ...] = (), number: str = "") -> dict[str, Any]:
    """The value to store for an act; zero cents means that nobody pays."""
    value: dict[str, Any] = {"cents": cents, "everyone": cents == 0}
    return value | {
        name: words for name, words in (("kind", kind), ("bodies", list(bodies)), ("number", number)) if words
    }


def read_fare(choice: Choice | None, key: str = ALL_LINES) -> FareAct | None:
    """An act as it was stored; None for none."""
    if choice is None:
        return None
    value = choice.value
    cents = int(value["cents"])
    return FareAct(
        cents=cents,
        free=cents == 0 and bool(value.get("everyone")),
        instrument=choice.instrument,
        since=choice.effective_from,
        line=key.removeprefix(_OF_LINE) if key.startswith(_OF_LINE) else None,
        kind=value.get("kind", ""),
        bodies=tuple(value.get("bodies", ())),
        number=value.get("number", ""),
        document=choice.document,
    )


def fares_on(session: Session, authority_id: int, day: date) -> "Fares":
    """The acts in force on a day."""
    chosen = list_choices(session, authority_id, FARE, day)
    acts = {key: act for key, choice in chosen.items() if (act := read_fare(choice, key)) is not None}
    return Fares(acts)


@dataclass(frozen=True)
class Fares:
    """The acts in force, by key."""

    acts: Mapping[str, FareAct]

    @property
    def general(self) -> FareAct | None:
        """The act for all lines."""
        return self.acts.get(ALL_LINES)

    def of_line(self, line: str) -> FareAct | None:
        """The fare of a line: of its own act and the one for all lines, the one that took effect last.

        An act for all lines sets aside the older ones for single lines.
        """
        own = self.acts.get(f"{_OF_LINE}{line}")
        general = self.general
        if own is None or general is None:
            return own or general
        return own if own.since >= general.since else general

    def of_lines(self) -> tuple[FareAct, ...]:
        """The acts for single lines that are not set aside, by line."""
        own = (act for key, act in sorted(self.acts.items()) if key != ALL_LINES)
        return tuple(act for act in own if act.line is not None and self.of_line(act.line) is act)
