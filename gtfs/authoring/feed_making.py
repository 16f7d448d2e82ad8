"""A sketch -> the network that is written as a feed."""

import json
from collections.abc import Iterator
from hashlib import sha256
from types import MappingProxyType

from gtfs.authoring import network
from gtfs.authoring.call_reading import is_reverse
from gtfs.authoring.feed_writing import write_feed
from gtfs.authoring.sketch import BACK, OUT, Sketch, SketchLine, SketchWay
from gtfs.authoring.sketch_json import agency_to_json, days_to_json, line_to_json, stops_to_json

_DIRECTIONS = {BACK: 1}
_LONGEST_WAY = 12
"""Stops named in the words of a line without times; of a longer way every few."""


def make_feed(sketch: Sketch) -> bytes:
    """The zip of a sketch without serious gaps; the same sketch gives the same bytes."""
    return write_feed(make_network(sketch))


def name_version(sketch: Sketch) -> str:
    """A name for what the sketch says now: its first day and a digest of its parts."""
    parts = [
        agency_to_json(sketch.agency),
        days_to_json(sketch.days),
        stops_to_json(sketch.stops),
        [[line.code, line_to_json(line)] for line in sketch.lines],
    ]
    digest = sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:8]
    return f"{sketch.days.first_day:%Y-%m-%d}-{digest}"


def make_network(sketch: Sketch) -> network.Network:
    """Every line and stop, those without times too. A line's words say what the tables cannot."""
    days = sketch.days
    return network.Network(
        publisher=sketch.agency.name,
        version=name_version(sketch),
        first_day=days.first_day,
        last_day=days.last_day,
        agency=sketch.agency,
        holidays=tuple(day for day in days.holidays if days.first_day <= day <= days.last_day),
        services=tuple(network.Service(kind.id, kind.weekdays, kind.holidays) for kind in days.kinds),
        fares=(),
        stops=sketch.stops,
        lines=tuple(_make_line(line, sketch) for line in sketch.lines),
    )


def _make_line(line: SketchLine, sketch: Sketch) -> network.Line:
    return network.Line(
        id=line.id,
        number=line.code,
        name=line.name,
        description=" ".join(filter(None, (line.description, *_tell_unpublished(line, sketch)))),
        patterns=tuple(_make_pattern(way, sketch) for way in line.ways if way.timed),
        colour=line.colour,
        text_colour=line.text_colour,
    )


def _make_pattern(way: SketchWay, sketch: Sketch) -> network.Pattern:
    stops = sketch.stops_by_id()
    times = {kind.id: way.times[kind.id] for kind in sketch.days.kinds if kind.id in way.times}
    return network.Pattern(
        key=way.key,
        direction=_DIRECTIONS.get(way.key, 0),
        headsign=way.headsign,
        calls=tuple(network.Call(stops[call.stop], call.minute) for call in way.calls if call.stop in stops),
        departures=MappingProxyType({id_: day.departures for id_, day in times.items() if day.departures}),
        headways=MappingProxyType({id_: day.headways for id_, day in times.items() if day.headways}),
    )


def _tell_unpublished(line: SketchLine, sketch: Sketch) -> Iterator[str]:
    """A trip without times at its ends is no valid GTFS: what has none is said in words."""
    untimed = [way for way in line.ways if not way.timed]
    if not any(way.timed for way in line.ways):
        yield "Horários a publicar."
    elif untimed:
        yield f"Horários da {untimed[0].key} a publicar."
    turned = len(untimed) == 2 and is_reverse(untimed[0].calls, untimed[1].calls)
    for way in untimed[:1] if turned else untimed:
        label = "Passa por" if turned or len(untimed) == 1 else way.key.capitalize()
        yield f"{label}: {_name_stops(way, sketch)}."
    for kind in sketch.days.kinds:
        ways = [way for way in line.ways if way.timed and kind.id in way.times and way.times[kind.id].unpublished]
        if ways:
            which = "" if len(ways) == len(line.ways) or ways[0].key != OUT else " (ida)"
            yield f"{kind.name}{which}: horários a publicar."


def _name_stops(way: SketchWay, sketch: Sketch) -> str:
    stops = sketch.stops_by_id()
    names = [stops[call.stop].name for call in way.calls if call.stop in stops]
    step = 1 + len(names) // _LONGEST_WAY
    return ", ".join([*names[:-1:step], *names[-1:]])
