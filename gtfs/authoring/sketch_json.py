"""The parts of a sketch as plain values for JSON, and back."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from gtfs.authoring.day_times import DayTimes
from gtfs.authoring.network import Agency, Headway, Stop
from gtfs.authoring.sketch import DayKind, SketchCall, SketchDays, SketchLine, SketchWay


def agency_to_json(agency: Agency) -> dict[str, Any]:
    """The agency by the names of its fields."""
    return asdict(agency)


def agency_from_json(values: Mapping[str, Any]) -> Agency:
    """The agency that `agency_to_json` wrote."""
    return Agency(**values)


def days_to_json(days: SketchDays) -> dict[str, Any]:
    """The days, dates as YYYY-MM-DD."""
    return {
        "first_day": days.first_day.isoformat(),
        "last_day": days.last_day.isoformat(),
        "kinds": [[kind.id, kind.name, kind.weekdays, kind.holidays] for kind in days.kinds],
        "holidays": [day.isoformat() for day in days.holidays],
    }


def days_from_json(values: Mapping[str, Any]) -> SketchDays:
    """The days that `days_to_json` wrote."""
    return SketchDays(
        first_day=date.fromisoformat(values["first_day"]),
        last_day=date.fromisoformat(values["last_day"]),
        kinds=tuple(DayKind(id_, name, tuple(days), holidays) for id_, name, days, holidays in values["kinds"]),
        holidays=tuple(map(date.fromisoformat, values["holidays"])),
    )


def stops_to_json(stops: Sequence[Stop]) -> list[dict[str, Any]]:
    """The stops by the names of their fields."""
    return [asdict(stop) for stop in stops]


def stops_from_json(values: Sequence[Mapping[str, Any]]) -> tuple[Stop, ...]:
    """The stops that `stops_to_json` wrote."""
    return tuple(Stop(**stop) for stop in values)


def line_to_json(line: SketchLine) -> dict[str, Any]:
    """A line; its code is the name of its part."""
    return {
        "id": line.id,
        "name": line.name,
        "description": line.description,
        "ways": [_way_to_json(way) for way in line.ways],
        "project": dict(line.project),
        "colours": [line.colour, line.text_colour],
    }


def line_from_json(code: str, values: Mapping[str, Any]) -> SketchLine:
    """The line that `line_to_json` wrote."""
    colour, text_colour = values["colours"]
    ways = tuple(map(_way_from_json, values["ways"]))
    project = values["project"]
    return SketchLine(
        values["id"], code, values["name"], values["description"], ways, project, colour, text_colour
    )


def _way_to_json(way: SketchWay) -> dict[str, Any]:
    return {
        "key": way.key,
        "headsign": way.headsign,
        "calls": [[call.stop, call.minute] for call in way.calls],
        "times": {kind: _times_to_json(times) for kind, times in way.times.items()},
    }


def _way_from_json(values: Mapping[str, Any]) -> SketchWay:
    return SketchWay(
        key=values["key"],
        headsign=values["headsign"],
        calls=tuple(SketchCall(stop, minute) for stop, minute in values["calls"]),
        times={kind: _times_from_json(times) for kind, times in values["times"].items()},
    )


def _times_to_json(times: DayTimes) -> list[Any]:
    return [times.departures, [[span.start, span.end, span.every] for span in times.headways], times.unpublished]


def _times_from_json(values: Sequence[Any]) -> DayTimes:
    departures, spans, unpublished = values
    return DayTimes(tuple(departures), tuple(Headway(*span) for span in spans), unpublished)
