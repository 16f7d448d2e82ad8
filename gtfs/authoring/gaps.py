"""What a sketch still lacks: what keeps it from being made into a feed, and what is worth knowing."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import combinations

from gtfs.authoring.agency_reading import is_site
from gtfs.authoring.sketch import Sketch, SketchDays, SketchLine, SketchWay

WEEKDAYS = ("segundas", "terças", "quartas", "quintas", "sextas", "sábados", "domingos")


@dataclass(frozen=True, slots=True)
class Gap:
    """Something missing, in words; a `serious` one keeps the feed from being made."""

    words: str
    serious: bool


def list_line_gaps(line: SketchLine, sketch: Sketch) -> tuple[Gap, ...]:
    """What one line lacks."""
    if not line.ways:
        return (Gap("sem paradas nem horários: a página dirá «horários a publicar»", serious=False),)
    return tuple(gap for way in line.ways for gap in _judge_way(way, sketch))


def list_gaps(sketch: Sketch, today: date) -> tuple[Gap, ...]:
    """What the sketch as a whole lacks."""
    return tuple(_judge_whole(sketch, today))


def has_serious_gaps(sketch: Sketch, today: date) -> bool:
    """Whether no feed can be made of it yet."""
    gaps = [*list_gaps(sketch, today), *(gap for line in sketch.lines for gap in list_line_gaps(line, sketch))]
    return any(gap.serious for gap in gaps)


def _judge_whole(sketch: Sketch, today: date) -> Iterator[Gap]:
    if not is_site(sketch.agency.url):
        words = f"o site do órgão, {sketch.agency.url or 'em branco'}, não existe fora daqui: corrija-o em Órgão"
        yield Gap(words, serious=True)
    if not sketch.stops:
        yield Gap("nenhuma parada: cadastre as paradas primeiro", serious=True)
    if not sketch.lines:
        yield Gap("nenhuma linha", serious=True)
    elif not any(way.timed for line in sketch.lines for way in line.ways):
        yield Gap("nenhuma linha tem horários: um arquivo GTFS precisa de pelo menos uma", serious=True)
    if not sketch.days.kinds:
        yield Gap("nenhum tipo de dia", serious=True)
    if sketch.days.last_day < today:
        yield Gap(f"os horários valem só até {sketch.days.last_day:%d/%m/%Y}, que já passou", serious=True)
    ids = [line.id for line in sketch.lines]
    if len(set(ids)) < len(ids):
        yield Gap("duas linhas têm a mesma identificação no arquivo: apague uma e faça outra", serious=True)


def _judge_way(way: SketchWay, sketch: Sketch) -> Iterator[Gap]:
    stops = sketch.stops_by_id()
    if missing := [call.stop for call in way.calls if call.stop not in stops]:
        yield Gap(f"{way.key}: a parada «{missing[0]}» não existe mais", serious=True)
    if way.timed and way.calls and way.calls[-1].minute is None:
        yield Gap(f"{way.key}: diga em quantos minutos chega à última parada", serious=True)
    if not way.timed:
        yield Gap(f"{way.key}: sem horários: a página dirá «horários a publicar»", serious=False)
    for id_, times in way.times.items():
        kind = sketch.days.find_kind(id_)
        if kind is None:
            yield Gap(f"{way.key}: o tipo de dia «{id_}» não existe mais", serious=True)
        elif times.unpublished and way.timed:
            yield Gap(f"{way.key}: {kind.name}: horários a publicar", serious=False)
    yield from _find_shared_days(way, sketch.days)


def _find_shared_days(way: SketchWay, days: SketchDays) -> Iterator[Gap]:
    """Two kinds of day with times on one weekday add up on the page."""
    used = [kind for kind in days.kinds if kind.id in way.times and way.times[kind.id].timed]
    for first, second in combinations(used, 2):
        if shared := sorted(set(first.weekdays) & set(second.weekdays)):
            words = f"às {WEEKDAYS[shared[0] - 1]}" if shared[0] < 6 else f"aos {WEEKDAYS[shared[0] - 1]}"
            yield Gap(f"{way.key}: {words} somam-se {first.name} e {second.name}", serious=False)
