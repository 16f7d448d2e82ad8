"""A small feed while a clerk is making it: parts that may still be incomplete, as frozen values and as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from gtfs.authoring.day_times import DayTimes
from gtfs.authoring.network import Agency, Stop

OUT, BACK, CIRCULAR = "ida", "volta", "circular"
WAYS = (OUT, BACK, CIRCULAR)

AGENCY, DAYS, STOPS, LINE = "agency", "days", "stops", "line:"
"""Names of the parts of a sketch; that of a line is followed by its code."""


@dataclass(frozen=True, slots=True)
class DayKind:
    """A kind of day: ISO weekdays (1 is Monday), and whether its times hold on the holidays of the sketch."""

    id: str
    name: str
    weekdays: tuple[int, ...]
    holidays: bool


@dataclass(frozen=True, slots=True)
class SketchDays:
    """From when to when the times hold (both included), the kinds of day, and the holidays."""

    first_day: date
    last_day: date
    kinds: tuple[DayKind, ...]
    holidays: tuple[date, ...]

    def find_kind(self, id_: str) -> DayKind | None:
        """The kind of that id."""
        return next((kind for kind in self.kinds if kind.id == id_), None)


@dataclass(frozen=True, slots=True)
class SketchCall:
    """A stop on the way by its id, and the minutes since the first stop (None: not said)."""

    stop: str
    minute: int | None


@dataclass(frozen=True, slots=True)
class SketchWay:
    """One way of a line, `key` one of WAYS; `times` by id of the kind of day, none for days without trips."""

    key: str
    headsign: str
    calls: tuple[SketchCall, ...]
    times: Mapping[str, DayTimes] = field(default_factory=dict)

    @property
    def timed(self) -> bool:
        """Whether some day has departures."""
        return any(times.timed for times in self.times.values())


@dataclass(frozen=True, slots=True)
class SketchLine:
    """One line. `id` is its route_id and stays when the code changes, so that its address does.

    `project` holds the items of its technical project by key; colours are RRGGBB or blank.
    """

    id: str
    code: str
    name: str
    description: str = ""
    ways: tuple[SketchWay, ...] = ()
    project: Mapping[str, str] = field(default_factory=dict)
    colour: str = ""
    text_colour: str = ""

    @property
    def part(self) -> str:
        """The name of its part of the sketch."""
        return f"{LINE}{self.code}"


@dataclass(frozen=True, slots=True)
class Sketch:
    """All parts; `revisions` by name of the part, 0 for one that nobody has saved yet."""

    agency: Agency
    days: SketchDays
    stops: tuple[Stop, ...] = ()
    lines: tuple[SketchLine, ...] = ()
    revisions: Mapping[str, int] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether there is neither a stop nor a line."""
        return not self.stops and not self.lines

    def revision(self, part: str) -> int:
        """The revision of a part."""
        return self.revisions.get(part, 0)

    def find_line(self, code: str) -> SketchLine | None:
        """The line of that code, letter case aside."""
        return next((line for line in self.lines if line.code.casefold() == code.casefold()), None)

    def stops_by_id(self) -> dict[str, Stop]:
        """The stops by id."""
        return {stop.id: stop for stop in self.stops}
