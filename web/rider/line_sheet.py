"""What a line's page says: departures by kind of day, the stops on the way, how long the times are good for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from gtfs.clock import DAY, write_clock
from gtfs.compiled import Direction
from gtfs.day_kinds import DayKind, active_services, find_day_kinds, name_dates
from gtfs.line_times import Departures, Every, Start, Variant, find_departures, list_variants, list_way
from gtfs.published import PublishedFeed, StopEntry
from gtfs.service_days import ServiceDays
from web.rider.intervals import interval_in_words

MOST_KINDS = 8
"""Kinds of days written out; single dates beyond are left to the choice of a day."""
_NAMED_STOPS = 4


@dataclass(frozen=True)
class Clock:
    """A departure as written, with the letter of its variant."""

    text: str
    mark: str


@dataclass(frozen=True)
class Leaving:
    """What leaves in one direction: clocks of the day, those after midnight, intervals in words."""

    words: str
    clocks: tuple[Clock, ...]
    after_midnight: tuple[Clock, ...]
    intervals: tuple[Clock, ...]
    untimed: bool


@dataclass(frozen=True)
class DaySheet:
    """The departures of one kind of day; `note` tells its single dates, `is_open` whether it shows at once.

    `example` is the next such day, None when there is none to come; not `is_listed`: only a link to it.
    """

    label: str
    note: str
    is_today: bool
    is_open: bool
    leaving: tuple[Leaving, ...]
    example: date | None = None
    is_listed: bool = True
    services: frozenset[int] = frozenset()


@dataclass(frozen=True)
class StopSheet:
    """A stop on the way; `minutes` from the first stop in words, blank without a time."""

    slug: str
    name: str
    minutes: str
    estimated: bool
    closed: bool


@dataclass(frozen=True)
class WaySheet:
    """A direction's usual way, and what is different on the ways with a letter; `is_listed` as in DaySheet.

    `more` counts its last stops that `stops` lacks, since they would make the page too heavy.
    """

    words: str
    km: str
    stops: tuple[StopSheet, ...]
    variants: tuple[Clock, ...]
    is_listed: bool = True
    more: int = 0

    @property
    def stop_count(self) -> int:
        """All its stops."""
        return len(self.stops) + self.more

    @property
    def has_estimates(self) -> bool:
        """Whether some time was filled in."""
        return any(stop.estimated for stop in self.stops)


@dataclass(frozen=True)
class Validity:
    """How long the published times are good: `good`, `future`, `expired`, or `unknown` without any day."""

    state: str
    first: date | None
    last: date | None


def judge_validity(feed: PublishedFeed, today: date) -> Validity:
    """Whether today lies within the days of the feed."""
    if feed.first_day is None or feed.last_day is None:
        return Validity("unknown", None, None)
    state = "expired" if today > feed.last_day else "future" if today < feed.first_day else "good"
    return Validity(state, feed.first_day, feed.last_day)


def list_days(
    directions: Sequence[Direction], services: Sequence[ServiceDays], feed: PublishedFeed, today: date
) -> tuple[tuple[DaySheet, ...], tuple[str, ...]]:
    """The kinds of days with departures, and the words for days without any."""
    if feed.first_day is None or feed.last_day is None:
        return (), ()
    used = {service for way in directions for pattern in way.patterns for service in pattern.services}
    if not used:
        return (), ()
    kinds = find_day_kinds(services, used, today, feed.first_day, feed.last_day)
    running = active_services(services, today) & used
    shown = [kind for kind in kinds if kind.services][:MOST_KINDS]
    first = next((kind for kind in shown if kind.services == running), shown[0] if shown else None)
    sheets = (
        _day_sheet(kind, directions, kind.services == running, kind is first, kind.next_day(today))
        for kind in shown
    )
    return tuple(sheets), tuple(kind.label for kind in kinds if not kind.services)


def show_day(directions: Sequence[Direction], services: Sequence[ServiceDays], day: date) -> tuple[Leaving, ...]:
    """What leaves in each direction on one day; nothing when the line does not run."""
    return _list_leaving(directions, active_services(services, day))


def show_way(direction: Direction, stops: Mapping[int, StopEntry]) -> WaySheet:
    """The usual way of a direction with its stops."""
    on_way = tuple(
        StopSheet(
            slug=stops[step.stop].slug,
            name=stops[step.stop].name,
            minutes=_span(step.least, step.most),
            estimated=step.estimated,
            closed=step.closed,
        )
        for step in list_way(direction)
    )
    main = direction.patterns[0].stops
    variants = tuple(
        Clock(_variant_in_words(variant, main, stops), variant.mark) for variant in list_variants(direction)
    )
    km = f"{direction.km:.1f} km".replace(".", ",") if direction.km else ""
    return WaySheet(_way_in_words(direction), km, on_way, variants)


def list_positions(directions: Sequence[Direction]) -> set[int]:
    """The positions of all stops of all ways."""
    return {stop for way in directions for pattern in way.patterns for stop in pattern.stops}


def _day_sheet(
    kind: DayKind, directions: Sequence[Direction], is_today: bool, is_open: bool, example: date | None
) -> DaySheet:
    note = ""
    if kind.weekdays and kind.dates:
        note = f"{'Feriados deste calendário' if kind.holidays else 'Também'}: {name_dates(kind.dates)}"
    leaving = _list_leaving(directions, kind.services)
    return DaySheet(kind.label, note, is_today, is_open, leaving, example, services=kind.services)


def _list_leaving(directions: Sequence[Direction], services: frozenset[int]) -> tuple[Leaving, ...]:
    found = ((way, find_departures(way, services)) for way in directions)
    return tuple(_leaving(way, departures) for way, departures in found if departures)


def _leaving(way: Direction, departures: Departures) -> Leaving:
    return Leaving(
        words=_way_in_words(way),
        clocks=tuple(_clock(start) for start in departures.starts if start.seconds < DAY),
        after_midnight=tuple(_clock(start) for start in departures.starts if start.seconds >= DAY),
        intervals=tuple(_interval(every) for every in departures.every),
        untimed=departures.untimed,
    )


def _clock(start: Start) -> Clock:
    return Clock(write_clock(start.seconds), start.mark)


def _interval(every: Every) -> Clock:
    return Clock(interval_in_words(every.headway, write_clock(every.start), write_clock(every.end)), every.mark)


def _way_in_words(way: Direction) -> str:
    if not way.circular:
        return f"Sentido {way.label}"
    return way.label if way.label.casefold().startswith("circular") else f"Circular {way.label}"


def _span(least: int | None, most: int | None) -> str:
    if least is None or most is None:
        return ""
    words = f"+{least} min" if least == most else f"+{least} a {most} min"
    return words.replace(" ", "\u00a0")


def _variant_in_words(variant: Variant, main: Sequence[int], stops: Mapping[int, StopEntry]) -> str:
    ends = {variant.first, variant.last, main[0], main[-1]}
    skipped = [stop for stop in variant.skipped if stop not in ends]
    added = [stop for stop in variant.added if stop not in ends]
    parts = [
        variant.headsign,
        f"sai de {stops[variant.first].name}" if variant.first != main[0] else "",
        f"vai até {stops[variant.last].name}" if variant.last != main[-1] else "",
        f"passa também em {_name_stops(added, stops)}" if added else "",
        f"não passa em {_name_stops(skipped, stops)}" if skipped else "",
        f"o horário é o da parada {stops[variant.timed_from].name}" if variant.timed_from is not None else "",
    ]
    return "; ".join(filter(None, parts)) or "as mesmas paradas em outra ordem"


def _name_stops(positions: Sequence[int], stops: Mapping[int, StopEntry]) -> str:
    names = [stops[position].name for position in positions[:_NAMED_STOPS]]
    rest = len(positions) - len(names)
    return ", ".join(names) + (f" e mais {rest} {'paradas' if rest > 1 else 'parada'}" if rest else "")
