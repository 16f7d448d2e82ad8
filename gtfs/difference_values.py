"""What differs between two versions of a feed, as values: lines, their ways and times, and stops."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

State = Literal["begins", "ends", "changes"]
Pair = tuple[str, str]
"""As it was before and as it is after."""


@dataclass(frozen=True, slots=True)
class Named:
    """A line or stop: its address in the later version (in the earlier one if it ends) and what it is called."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class NearStop:
    """A stop of the later version that stands in for one that ends: metres away, and the lines that call there."""

    stop: Named
    metres: int
    lines: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class OtherLine:
    """A line of the later version that serves `served` of the `total` stops of a line that ends, or near them."""

    line: Named
    served: int
    total: int


@dataclass(frozen=True, slots=True)
class WayChange:
    """One direction that begins, ends or takes another way.

    `label` is its destination in the later version (in the earlier one if it ends), `renamed` both if it changed.
    `opened` and `closed` are the stops where boarding becomes possible or impossible. `reordered`: some trips
    call at the same stops in another order, or leave out stops that other trips serve.
    """

    label: str
    state: State = "changes"
    renamed: Pair | None = None
    added: tuple[Named, ...] = ()
    removed: tuple[Named, ...] = ()
    start: Pair | None = None
    end: Pair | None = None
    opened: tuple[Named, ...] = ()
    closed: tuple[Named, ...] = ()
    reordered: bool = False


@dataclass(frozen=True, slots=True)
class DaySpan:
    """The departures of a direction on one kind of day: how many, the first and the last (service-day seconds)."""

    departures: int = 0
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True, slots=True)
class TimesChange:
    """The departures of a direction on some days, before and after; times are seconds of the service day.

    `new`, `dropped`: departures. `rerouted`, `retimed`: departures that stay but take another way, or other times
    at stops on the way. An interval is (start, end, headway). `untimed` tells whether there are trips without
    published times.
    """

    label: str
    days: str
    before: DaySpan
    after: DaySpan
    new: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    rerouted: tuple[int, ...] = ()
    retimed: tuple[int, ...] = ()
    intervals_before: tuple[tuple[int, int, int], ...] = ()
    intervals_after: tuple[tuple[int, int, int], ...] = ()
    untimed: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True)
class LineChange:
    """What changes for one line; `old_slug` is its earlier address when that is another one.

    `kind` are two values of route_type. `instead` says what serves the stops of a line that ends or stops running.
    """

    slug: str
    name: str
    state: State = "changes"
    old_slug: str = ""
    renamed: Pair | None = None
    kind: tuple[int, int] | None = None
    ways: tuple[WayChange, ...] = ()
    times: tuple[TimesChange, ...] = ()
    instead: tuple[OtherLine, ...] = ()


@dataclass(frozen=True, slots=True)
class StopChange:
    """What changes for one stop; `moved` is in metres, 0 within the threshold.

    `instead` says what is near a stop that ends, or that no line calls at any more (`abandoned`).
    """

    slug: str
    name: str
    state: State = "changes"
    old_slug: str = ""
    renamed: Pair | None = None
    code: Pair | None = None
    moved: int = 0
    gained: tuple[Named, ...] = ()
    lost: tuple[Named, ...] = ()
    abandoned: bool = False
    instead: tuple[NearStop, ...] = ()


@dataclass(frozen=True, slots=True)
class Differences:
    """Everything that differs, lines and stops in the order of the later version, those that end last."""

    lines: tuple[LineChange, ...] = ()
    stops: tuple[StopChange, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.lines or self.stops)

    def to_json(self) -> dict[str, Any]:
        """Plain values with the names of the fields."""
        return asdict(self)


def line_change_from_json(values: Mapping[str, Any]) -> LineChange:
    """The change that `dataclasses.asdict` wrote, after a way through JSON."""
    return LineChange(
        **{
            **values,
            "renamed": _pair(values["renamed"]),
            "kind": _pair(values["kind"]),
            "ways": _each(_way_from_json, values["ways"]),
            "times": _each(_times_from_json, values["times"]),
            "instead": _each(_other_from_json, values["instead"]),
        }
    )


def stop_change_from_json(values: Mapping[str, Any]) -> StopChange:
    """The change that `dataclasses.asdict` wrote, after a way through JSON."""
    return StopChange(
        **{
            **values,
            "renamed": _pair(values["renamed"]),
            "code": _pair(values["code"]),
            "gained": _names(values["gained"]),
            "lost": _names(values["lost"]),
            "instead": _each(_near_from_json, values["instead"]),
        }
    )


def _way_from_json(values: Mapping[str, Any]) -> WayChange:
    pairs = {name: _pair(values[name]) for name in ("renamed", "start", "end")}
    names = {name: _names(values[name]) for name in ("added", "removed", "opened", "closed")}
    return WayChange(**{**values, **pairs, **names})


def _times_from_json(values: Mapping[str, Any]) -> TimesChange:
    spans = {name: DaySpan(**values[name]) for name in ("before", "after")}
    tuples = {name: tuple(values[name]) for name in ("new", "dropped", "rerouted", "retimed", "untimed")}
    intervals = {name: _each(tuple, values[name]) for name in ("intervals_before", "intervals_after")}
    return TimesChange(**{**values, **spans, **tuples, **intervals})


def _other_from_json(values: Mapping[str, Any]) -> OtherLine:
    return OtherLine(**{**values, "line": Named(**values["line"])})


def _near_from_json(values: Mapping[str, Any]) -> NearStop:
    return NearStop(**{**values, "stop": Named(**values["stop"]), "lines": _names(values["lines"])})


def _names(values: list[dict[str, str]]) -> tuple[Named, ...]:
    return tuple(Named(**one) for one in values)


def _each(read: Callable[[Any], Any], values: list[Any]) -> tuple[Any, ...]:
    return tuple(read(one) for one in values)


def _pair(values: list[Any] | None) -> Any:
    return None if values is None else tuple(values)
