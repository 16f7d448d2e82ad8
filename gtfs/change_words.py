"""What differs between two versions, in plain Portuguese sentences."""

from collections.abc import Iterator, Sequence

from gtfs.clock import DAY, write_clock
from gtfs.difference_values import DaySpan, LineChange, Named, Pair, StopChange, TimesChange, WayChange

MOST_NAMES = 6
MOST_CLOCKS = 16

_KINDS = {0: "bonde", 1: "metrô", 2: "trem", 3: "ônibus", 4: "barca", 5: "bonde a cabo", 6: "teleférico",
          7: "funicular", 11: "trólebus", 12: "monotrilho"}  # fmt: skip


def name_line_state(change: LineChange) -> str:
    """In few words what happens to a line: `termina`, `começa`, or what changes: `nome e horários`."""
    if change.state != "changes":
        return "termina" if change.state == "ends" else "começa"
    parts = [
        "nome" if change.renamed else "",
        "veículo" if change.kind else "",
        "caminho" if change.ways else "",
        "horários" if change.times else "",
    ]
    return f"muda: {_join([part for part in parts if part]) or 'endereço da página'}"


def name_stop_state(change: StopChange) -> str:
    """In few words what happens to a stop."""
    if change.state != "changes":
        return "termina" if change.state == "ends" else "começa"
    if change.abandoned:
        return "fica sem linhas"
    parts = [
        "nome" if change.renamed else "",
        "número" if change.code else "",
        "lugar" if change.moved else "",
        "linhas" if change.gained or change.lost else "",
    ]
    return f"muda: {_join([part for part in parts if part]) or 'endereço da página'}"


def tell_line(change: LineChange) -> tuple[str, ...]:
    """A sentence for each fact of a line; what serves instead is told by `tell_instead`."""
    return tuple(_line_sentences(change))


def tell_stop(change: StopChange) -> tuple[str, ...]:
    """A sentence for each fact of a stop; what is near instead is told by `tell_instead`."""
    return tuple(_stop_sentences(change))


def tell_instead(change: LineChange | StopChange) -> tuple[str, ...]:
    """What serves instead, a sentence for each line or stop."""
    if isinstance(change, LineChange):
        return tuple(
            f"No lugar: linha {other.line.name}, em {other.served} das {_count(other.total, 'parada')}."
            for other in change.instead
        )
    return tuple(
        f"No lugar: {near.stop.name}, a {near.metres} m"
        + (f" (linhas: {_names(near.lines)})." if near.lines else ".")
        for near in change.instead
    )


def _line_sentences(change: LineChange) -> Iterator[str]:
    if change.state == "ends":
        yield "A linha termina."
    if change.state == "begins":
        yield "A linha começa." if change.times or change.ways else "A linha começa, com horários a publicar."
    if change.renamed:
        yield f"O nome passa de {change.renamed[0]} para {change.renamed[1]}."
    if change.kind:
        before, after = (_KINDS.get(kind, "outro veículo") for kind in change.kind)
        yield f"O veículo passa de {before} para {after}."
    for way in change.ways:
        yield from _way_sentences(way, change.state == "begins")
    for times in change.times:
        yield _tell_times(times)


def _way_sentences(way: WayChange, line_begins: bool) -> Iterator[str]:
    where = f"Sentido {way.label}"
    if way.state == "begins":
        yield f"{where}: {'passa' if line_begins else 'começa, e passa'} em {_names(way.added)}."
    if way.state == "ends":
        yield f"{where}: termina."
    if way.state != "changes":
        return
    if way.renamed:
        yield f"O sentido {way.renamed[0]} passa a se chamar {way.renamed[1]}."
    if way.start:
        yield f"{where}: sai de {way.start[1]}, e não mais de {way.start[0]}."
    if way.end:
        yield f"{where}: vai até {way.end[1]}, e não mais até {way.end[0]}."
    if way.removed:
        yield f"{where}: deixa de passar em {_names(way.removed)}."
    if way.added:
        yield f"{where}: passa também em {_names(way.added)}."
    if way.reordered:
        yield f"{where}: algumas viagens passam nas paradas em outra ordem, ou não passam em todas."
    if way.closed:
        yield f"{where}: não se embarca mais em {_names(way.closed)}."
    if way.opened:
        yield f"{where}: passa a ser possível embarcar em {_names(way.opened)}."


def _tell_times(times: TimesChange) -> str:
    facts = [
        _tell_count(times.before, times.after),
        _tell_end("a primeira", times.before.first, times.after.first),
        _tell_end("a última", times.before.last, times.after.last),
        f"horários novos: {_clocks(times.new)}" if times.new and times.before.departures else "",
        f"horários: {_clocks(times.new)}" if times.new and not times.before.departures else "",
        f"deixam de sair: {_clocks(times.dropped)}" if times.dropped and times.after.departures else "",
        f"fazem outro caminho: {_clocks(times.rerouted)}" if times.rerouted else "",
        f"passam nas paradas em outros horários: {_clocks(times.retimed)}" if times.retimed else "",
        _tell_intervals(times),
        _tell_untimed(*times.untimed),
    ]
    return f"Sentido {times.label}, {times.days[:1].lower()}{times.days[1:]}: {'; '.join(filter(None, facts))}."


def _tell_count(before: DaySpan, after: DaySpan) -> str:
    if before.departures == after.departures:
        return ""
    if not before.departures:
        return _count(after.departures, "partida")
    if not after.departures:
        return f"sem partidas (eram {before.departures})"
    return f"{_count(after.departures, 'partida')} (eram {before.departures})"


def _tell_end(words: str, before: int | None, after: int | None) -> str:
    if after is None or before == after:
        return ""
    return f"{words} às {_clock(after)}" + (f" (era às {_clock(before)})" if before is not None else "")


def _tell_intervals(times: TimesChange) -> str:
    after, before = map(_intervals, (times.intervals_after, times.intervals_before))
    if after:
        return after + (f" (era {before})" if before else "")
    return f"não há mais saídas {before}" if before and times.after.departures else ""


def _intervals(found: Sequence[tuple[int, int, int]]) -> str:
    return _join(
        [f"a cada {headway // 60 or 1} min das {_clock(start)} às {_clock(end)}" for start, end, headway in found]
    )


def _tell_untimed(before: bool, after: bool) -> str:
    if before == after:
        return ""
    return "há viagens com horários a publicar" if after else "não há mais horários a publicar"


def _stop_sentences(change: StopChange) -> Iterator[str]:
    if change.state == "ends":
        yield "A parada termina."
    if change.state == "begins":
        yield "A parada começa."
    if change.renamed:
        yield f"O nome passa de {change.renamed[0]} para {change.renamed[1]}."
    if change.code:
        yield _tell_code(change.code)
    if change.moved:
        yield f"A parada muda de lugar: {change.moved} m."
    if change.gained:
        yield f"Passa{'m' if len(change.gained) > 1 else ''} a parar aqui: {_names(change.gained)}."
    if change.lost:
        yield f"Deixa{'m' if len(change.lost) > 1 else ''} de parar aqui: {_names(change.lost)}."
    if change.abandoned:
        yield "Nenhuma linha passa mais aqui."


def _tell_code(code: Pair) -> str:
    if not code[0]:
        return f"O número da parada é {code[1]}."
    return f"O número da parada passa de {code[0]} para {code[1]}." if code[1] else "A parada fica sem número."


def _names(named: Sequence[Named]) -> str:
    names = [one.name for one in named[:MOST_NAMES]]
    rest = len(named) - len(names)
    return _join([*names, *([f"mais {rest}"] if rest else [])])


def _clocks(seconds: Sequence[int]) -> str:
    texts = [_clock(one) for one in seconds[:MOST_CLOCKS]]
    rest = len(seconds) - len(texts)
    return _join([*texts, *([f"mais {rest}"] if rest else [])])


def _clock(seconds: int) -> str:
    return write_clock(seconds) + (" (depois da meia-noite)" if seconds >= DAY else "")


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _join(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} e {words[-1]}" if len(words) > 1 else "".join(words)
