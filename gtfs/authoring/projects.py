"""The items of a line's technical project, as a law lists them, and what the line itself answers."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import ceil

from gtfs.authoring.distances import measure_km
from gtfs.authoring.sketch import CIRCULAR, Sketch, SketchLine, SketchWay

LONGEST_ITEM = 2_000


@dataclass(frozen=True, slots=True)
class ProjectItem:
    """One item; `typed` ones take text, `shown` names what is read from the line (keys of SHOWN)."""

    key: str
    text: str
    citation: str
    hint: str = ""
    shown: tuple[str, ...] = ()
    typed: bool = True


def list_items(law_id: str) -> tuple[ProjectItem, ...]:
    """The items the law of that id lists, in its order; none when it lists none."""
    return _load_items().get(law_id, ())


def show_items(law_id: str, line: SketchLine, sketch: Sketch) -> Iterator[tuple[ProjectItem, tuple[str, ...]]]:
    """Each item with its texts: what the line answers, then what was typed. Without either: no texts."""
    for item in list_items(law_id):
        answered = [words for name in item.shown for words in SHOWN[name](line, sketch)]
        typed = line.project.get(item.key, "")
        yield item, tuple([*answered, typed] if typed else answered)


@cache
def _load_items() -> Mapping[str, tuple[ProjectItem, ...]]:
    text = files("gtfs.authoring").joinpath("projects.toml").read_text(encoding="utf-8")
    return {
        law: tuple(ProjectItem(**{**row, "shown": tuple(row.get("shown", ()))}) for row in rows)
        for law, rows in tomllib.loads(text).items()
    }


def _show_code(line: SketchLine, sketch: Sketch) -> Iterator[str]:
    yield line.code


def _show_terminals(line: SketchLine, sketch: Sketch) -> Iterator[str]:
    ends = dict.fromkeys(
        name for way in line.ways if (names := _names(way, sketch)) for name in names[:: len(names) - 1 or 1]
    )
    if ends:
        yield " e ".join(ends)


def _show_stops(line: SketchLine, sketch: Sketch) -> Iterator[str]:
    for way in line.ways:
        if names := _names(way, sketch):
            yield f"{way.key.capitalize()}: {' → '.join(names)}"


def _show_length(line: SketchLine, sketch: Sketch) -> Iterator[str]:
    stops = sketch.stops_by_id()
    for way in line.ways:
        places = [(stop.latitude, stop.longitude) for call in way.calls if (stop := stops.get(call.stop))]
        if len(places) > 1:
            km = sum(measure_km(first, second) for first, second in pairwise(places))
            yield f"{way.key.capitalize()}: {km:.1f} km em linha reta de parada em parada.".replace(".", ",", 1)


def _show_departures(line: SketchLine, sketch: Sketch) -> Iterator[str]:
    for kind in sketch.days.kinds:
        counted = [_count(way, kind.id) for way in line.ways if kind.id in way.times]
        if counted:
            yield f"{kind.name}: {'; '.join(counted)}."


def _show_travel_time(line: SketchLine, sketch: Sketch) -> Iterator[str]:
    for way in line.ways:
        if minutes := _minutes(way):
            yield f"{way.key.capitalize()}: {minutes} min."


def _show_vehicles(line: SketchLine, sketch: Sketch) -> Iterator[str]:
    """Vehicles that intervals need at least: round trip over interval, without a pause at the ends."""
    total = sum(_minutes(way) for way in line.ways)
    spans = [span.every for way in line.ways for times in way.times.values() for span in times.headways]
    if total and spans:
        count = ceil(total / min(spans))
        yield f"Pelo menos {count} {'veículo' if count == 1 else 'veículos'}, pelo menor intervalo, sem pausas."


def _count(way: SketchWay, kind: str) -> str:
    times = way.times[kind]
    if not times.timed:
        return f"{way.key}, horários a publicar"
    parts = [f"{len(times.departures)} partidas marcadas" if times.departures else ""]
    parts += [f"a cada {span.every} min" for span in times.headways]
    return f"{way.key}, {', '.join(filter(None, dict.fromkeys(parts)))}"


def _minutes(way: SketchWay) -> int:
    return (way.calls[-1].minute or 0) if way.calls else 0


def _names(way: SketchWay, sketch: Sketch) -> list[str]:
    stops = sketch.stops_by_id()
    names = [stops[call.stop].name for call in way.calls if call.stop in stops]
    return names[:-1] if way.key == CIRCULAR and len(names) > 1 and names[0] == names[-1] else names


SHOWN: Mapping[str, Callable[[SketchLine, Sketch], Iterator[str]]] = {
    "code": _show_code,
    "terminals": _show_terminals,
    "stops": _show_stops,
    "length": _show_length,
    "departures": _show_departures,
    "travel_time": _show_travel_time,
    "vehicles": _show_vehicles,
}
