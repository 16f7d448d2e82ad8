"""A published feed -> a sketch, so that one line can be corrected, and in words what the sketch cannot hold."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gtfs.authoring.calendar_carrying import carry_days
from gtfs.authoring.day_times import DayTimes
from gtfs.authoring.line_reading import LONGEST_CODE, RESERVED_CODES
from gtfs.authoring.network import Agency, Headway, Stop
from gtfs.authoring.sketch import BACK, CIRCULAR, OUT, Sketch, SketchCall, SketchLine, SketchWay
from gtfs.authoring.time_words import write_time
from gtfs.clock import parse_time
from gtfs.folding import fold, slugify
from gtfs.numbers import parse_integer, parse_number
from gtfs.raw import RawFeed

MOST_STOPS, MOST_TRIPS = 2_000, 20_000

_HELD = {
    "agency.txt": "agency_id agency_name agency_url agency_timezone agency_lang agency_phone agency_email",
    "calendar.txt": "service_id monday tuesday wednesday thursday friday saturday sunday start_date end_date",
    "calendar_dates.txt": "service_id date exception_type",
    "feed_info.txt": "feed_publisher_name feed_publisher_url feed_lang feed_start_date feed_end_date feed_version "
    "feed_contact_url",
    "frequencies.txt": "trip_id start_time end_time headway_secs exact_times",
    "routes.txt": "route_id agency_id route_short_name route_long_name route_desc route_type route_color "
    "route_text_color",
    "stop_times.txt": "trip_id stop_sequence stop_id arrival_time departure_time timepoint shape_dist_traveled",
    "stops.txt": "stop_id stop_name stop_desc stop_lat stop_lon",
    "trips.txt": "trip_id route_id service_id trip_headsign direction_id shape_id",
}
"""What of a feed has a place in a sketch, or is made again."""

_UNTIMED = re.compile(r"\s*Horários a publicar\.(?: Passa por: .*)?")
"""Words that are added again to a line without times."""

_TOLD_TIMES = 8

_FARES = ("fare_attributes.txt", "fare_rules.txt")
Calls = tuple[tuple[str, int | None], ...]


class TooBig(ValueError):
    """The feed is too big to be worked on by hand; the message says what is too many."""


@dataclass(slots=True)
class _Course:
    """Trips of one line that call at the same stops after the same minutes; times by service."""

    direction: str
    calls: Calls
    signs: Counter[str] = field(default_factory=Counter)
    departures: dict[str, set[int]] = field(default_factory=dict)
    headways: dict[str, set[Headway]] = field(default_factory=dict)
    services: set[str] = field(default_factory=set)

    @property
    def weight(self) -> int:
        """How much it runs, to find the usual course."""
        return sum(map(len, self.departures.values())) + 10 * sum(map(len, self.headways.values()))


def carry_feed(feed: RawFeed, agency: Agency, empty: Sketch) -> tuple[Sketch, tuple[str, ...]]:
    """The sketch of an accepted feed, and what it cannot hold; ids stay, and with them the addresses.

    `agency` fills in what agency.txt lacks; `empty` gives the days of a feed without any. Raises TooBig.
    """
    _judge_size(feed)
    losses = list(_tell_left_out(feed))
    stops = _carry_stops(feed, losses)
    courses = _gather_courses(feed, losses)
    used = set(feed.table("trips.txt").column("service_id"))
    days = carry_days(feed, used, losses) or empty.days
    kinds = {kind.id for kind in days.kinds}
    lines = tuple(_carry_lines(feed, courses, {stop.id for stop in stops}, kinds, losses))
    sketch = Sketch(_carry_agency(feed, agency), days, stops, lines)
    return sketch, tuple(dict.fromkeys(losses))


def _judge_size(feed: RawFeed) -> None:
    if len(feed.table("stops.txt")) > MOST_STOPS:
        raise TooBig(f"são mais de {MOST_STOPS} paradas")
    if len(feed.table("trips.txt")) > MOST_TRIPS:
        raise TooBig(f"são mais de {MOST_TRIPS} viagens")


def _tell_left_out(feed: RawFeed) -> Iterator[str]:
    for name in feed.members:
        if name in _FARES:
            yield f"As tarifas de {name}: elas saem dos atos de tarifa."
        elif name == "shapes.txt":
            yield "Os traçados do mapa (shapes.txt)."
        elif name not in _HELD:
            yield f"O arquivo {name}."
    for name, columns in _HELD.items():
        table = feed.table(name)
        lost = [column for column in table.header if column not in columns.split() and any(table.column(column))]
        if lost:
            yield f"De {name}, as colunas {', '.join(lost)}."
    if len(feed.table("agency.txt")) > 1:
        yield "Mais de uma operadora: fica a primeira."


def _carry_agency(feed: RawFeed, agency: Agency) -> Agency:
    table = feed.table("agency.txt")
    names = ("agency_id", "agency_name", "agency_url", "agency_timezone", "agency_phone", "agency_email")
    id_, name, url, zone, phone, email = (table.column(column)[0] for column in names)
    return Agency(id_ or agency.id, name or agency.name, url or agency.url, zone or agency.time_zone, phone, email)


def _carry_stops(feed: RawFeed, losses: list[str]) -> tuple[Stop, ...]:
    """The stops that trips call at and others with a place; of two with one name the later gets a number."""
    table = feed.table("stops.txt")
    called = set(feed.table("stop_times.txt").column("stop_id"))
    kinds = table.column("location_type")
    seen: Counter[str] = Counter()
    stops = []
    columns = (table.column(name) for name in ("stop_id", "stop_name", "stop_lat", "stop_lon", "stop_desc"))
    for kind, id_, name, lat, lon, words in zip(kinds, *columns, strict=True):
        latitude, longitude = parse_number(lat), parse_number(lon)
        if (kind in ("", "0") or id_ in called) and latitude is not None and longitude is not None:
            label = name or id_
            seen[fold(label)] += 1
            if seen[fold(label)] > 1:
                losses.append("Paradas com o mesmo nome ganharam um número: troque por um nome melhor.")
                label = f"{label} ({seen[fold(label)]})"
            stops.append(Stop(id_, label, latitude, longitude, words))
        else:
            losses.append(f"A parada ou estação «{name or id_}».")
    return tuple(stops)


def _gather_courses(feed: RawFeed, losses: list[str]) -> dict[str, list[_Course]]:
    """By route_id, its courses."""
    trips, times = feed.table("trips.txt"), feed.table("stop_times.txt")
    clock = [
        parse_time(b or a) for a, b in zip(*map(times.column, ("arrival_time", "departure_time")), strict=True)
    ]
    stops, spans = times.column("stop_id"), _read_frequencies(feed)
    found: dict[str, dict[tuple[str, Calls], _Course]] = {}
    names = ("trip_id", "route_id", "service_id", "direction_id", "trip_headsign")
    for trip, route, service, direction, sign in zip(*map(trips.column, names), strict=True):
        calls = feed.calls.get(trip, [])
        seconds = [clock[call] for call in calls]
        start = next((second for second in seconds if second is not None), None)
        if any(second is not None and second % 60 for second in seconds):
            losses.append("Os segundos dos horários: ficam só os minutos.")
        minutes = [None if second is None or start is None else second // 60 - start // 60 for second in seconds]
        profile = tuple(zip((stops[call] for call in calls), minutes, strict=True))
        course = found.setdefault(route, {}).setdefault((direction, profile), _Course(direction, profile))
        course.signs[sign] += 1
        course.services.add(service)
        _add_times(course, service, start, spans.get(trip, []))
    return {route: list(courses.values()) for route, courses in found.items()}


def _add_times(course: _Course, service: str, start: int | None, spans: Sequence[tuple[Headway, bool]]) -> None:
    for span, exact in spans:
        if exact:
            course.departures.setdefault(service, set()).update(range(span.start, span.end, span.every))
        else:
            course.headways.setdefault(service, set()).add(span)
    if not spans and start is not None:
        course.departures.setdefault(service, set()).add(start // 60)


def _read_frequencies(feed: RawFeed) -> dict[str, list[tuple[Headway, bool]]]:
    table = feed.table("frequencies.txt")
    found: dict[str, list[tuple[Headway, bool]]] = {}
    names = ("trip_id", "start_time", "end_time", "headway_secs", "exact_times")
    for trip, *texts, exact in zip(*map(table.column, names), strict=True):
        start, end, every = parse_time(texts[0]), parse_time(texts[1]), parse_integer(texts[2])
        if start is not None and end is not None and every:
            span = Headway(start // 60, end // 60, max(1, round(every / 60)))
            found.setdefault(trip, []).append((span, exact == "1"))
    return found


def _carry_lines(
    feed: RawFeed, courses: Mapping[str, list[_Course]], stops: set[str], kinds: set[str], losses: list[str]
) -> Iterator[SketchLine]:
    table = feed.table("routes.txt")
    names = ("route_id", "route_short_name", "route_long_name", "route_desc", "route_color", "route_text_color")
    taken: set[str] = set()
    for kind, id_, short, long, words, *colours in zip(
        table.column("route_type"), *map(table.column, names), strict=True
    ):
        code = _find_code(short, id_, taken)
        if code != short:
            losses.append(f"O número da linha «{short or long or id_}» ficou {code}.")
        if kind not in ("3", ""):
            losses.append(f"O tipo de veículo da linha {code}: fica ônibus.")
        line = SketchLine(id_, code, long or short or id_, _UNTIMED.sub("", words), (), {}, *colours)
        yield replace(line, ways=tuple(_carry_ways(courses.get(id_, []), code, stops, kinds, losses)))


def _find_code(short: str, id_: str, taken: set[str]) -> str:
    base = next((text for text in (short, slugify(short), slugify(id_), "linha") if _is_code(text)), "linha")
    code = next(
        code for number in range(1, len(taken) + 2) if (code := _number(base, number)).casefold() not in taken
    )
    taken.add(code.casefold())
    return code


def _number(base: str, number: int) -> str:
    return base if number == 1 else f"{base[: LONGEST_CODE - 4]}-{number}"


def _is_code(text: str) -> bool:
    plain = text.replace("-", "")
    return (
        0 < len(text) <= LONGEST_CODE
        and plain.isascii()
        and plain.isalnum()
        and text[0] != "-"
        and text.lower() not in RESERVED_CODES
    )


def _carry_ways(
    courses: Sequence[_Course], code: str, stops: set[str], kinds: set[str], losses: list[str]
) -> Iterator[SketchWay]:
    """The usual course of each direction; what differs from it is told."""
    good = [course for course in courses if len(course.calls) > 1 and {stop for stop, _ in course.calls} <= stops]
    usual: dict[str, _Course] = {}
    for course in sorted(good, key=lambda course: -course.weight):
        usual.setdefault(course.direction or "0", course)
    losses.extend(f"Da linha {code}, {_tell_course(course)}" for course in courses if course not in usual.values())
    circular = len(usual) == 1 and all(course.calls[0][0] == course.calls[-1][0] for course in usual.values())
    for direction, course in sorted(usual.items()):
        key = CIRCULAR if circular else BACK if direction == "1" else OUT
        yield _make_way(key, course, kinds, losses)


def _tell_course(course: _Course) -> str:
    starts = sorted(start for found in course.departures.values() for start in found)
    told = ", ".join(map(write_time, starts[:_TOLD_TIMES])) + (" e outras" if len(starts) > _TOLD_TIMES else "")
    count = f"{len(starts)} {'partida' if len(starts) == 1 else 'partidas'} ({told})" if starts else "viagens"
    return f"{count} com outro caminho, outros tempos ou sem paradas conhecidas."


def _make_way(key: str, course: _Course, kinds: set[str], losses: list[str]) -> SketchWay:
    times = {}
    for service in sorted(course.services & kinds):
        spans = sorted(course.headways.get(service, ()), key=lambda span: span.start)
        departures = tuple(sorted(course.departures.get(service, ())))
        times[service] = DayTimes(departures, tuple(spans), unpublished=not departures and not spans)
    calls = [SketchCall(stop, minute) for stop, minute in course.calls]
    return SketchWay(key, course.signs.most_common(1)[0][0], tuple(calls), times)
