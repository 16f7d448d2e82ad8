"""A line as typed, in a form or in the rows of a table -> values, and every fault with its box and line."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gtfs.authoring.call_reading import StopNames, read_calls, reverse_calls
from gtfs.authoring.day_times import DayTimes, read_times
from gtfs.authoring.faults import Fault
from gtfs.authoring.network import Stop
from gtfs.authoring.sketch import BACK, CIRCULAR, OUT, DayKind, SketchCall, SketchLine, SketchWay
from gtfs.folding import fold

LONGEST_CODE, LONGEST_NAME, LONGEST_DESCRIPTION = 20, 120, 1_000
RESERVED_CODES = frozenset(("nova", "paradas", "dias", "orgao", "colar", "gerar", "trazer"))
"""Last words of addresses beside those of lines."""

_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*", re.ASCII)
_SAME = re.compile(
    r"(?:igual|como|mesmos?)(?: horarios?)?(?: (?:a|as|ao|aos|d[aeo]s?|que|em|n[ao]s?))? (?P<kind>.+)"
)


@dataclass(frozen=True, slots=True)
class WayText:
    """One way as typed: destination, stops one per line, and times by id of the kind of day."""

    key: str
    headsign: str = ""
    stops: str = ""
    times: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LineText:
    """A line as typed. A way back without stops is the way out in reverse."""

    code: str
    name: str
    description: str = ""
    ways: tuple[WayText, ...] = ()
    project: Mapping[str, str] = field(default_factory=dict)


def read_line(
    text: LineText, stops: Sequence[Stop], kinds: Sequence[DayKind], old: SketchLine | None = None
) -> tuple[SketchLine, tuple[Fault, ...]]:
    """The line, with the id and colours of the `old` one it replaces. `Fault.field` is `codigo`, `nome`,
    `ida_destino`, `ida_paradas`, `ida_dia_KIND` and so on."""
    faults = list(_judge_names(text))
    names = {stop.id: stop.name for stop in stops}
    known = StopNames(stops)
    ways: list[SketchWay] = []
    for way in text.ways:
        calls, wrong = _read_way_calls(way, known, ways)
        faults.extend(replace(fault, field=f"{way.key}_paradas") for fault in wrong)
        times = _read_way_times(way, kinds, faults)
        headsign = " ".join(way.headsign.split()) or _find_headsign(way.key, calls, names, text.name)
        if len(headsign) > LONGEST_NAME:
            faults.append(Fault(1, "1", f"use até {LONGEST_NAME} letras", f"{way.key}_destino"))
        if calls or times:
            ways.append(SketchWay(way.key, headsign, calls, times))
        if times and not calls and not wrong:
            advice = "há horários, mas nenhuma parada: escreva pelo menos a primeira e a última"
            faults.append(Fault(1, "1", advice, f"{way.key}_paradas"))
    line = SketchLine(
        id=old.id if old else text.code,
        code=text.code,
        name=text.name,
        description=text.description,
        ways=tuple(ways),
        project={key: value for key, value in text.project.items() if value},
        colour=old.colour if old else "",
        text_colour=old.text_colour if old else "",
    )
    return line, tuple(faults)


def _judge_names(text: LineText) -> list[Fault]:
    """The code becomes part of an address and of file ids: plain letters and digits."""
    faults = []
    code = text.code
    if not code:
        faults.append(Fault(1, "1", "escreva o código da linha, como V01", "codigo"))
    elif not _CODE.fullmatch(code) or len(code) > LONGEST_CODE:
        advice = f"use até {LONGEST_CODE} letras sem acento, números e hifens, sem espaço, como V01 ou 10-A"
        faults.append(Fault(1, "1", advice, "codigo"))
    elif code.lower() in RESERVED_CODES:
        faults.append(Fault(1, "1", f"«{code}» não pode ser código: escolha outro", "codigo"))
    if not text.name:
        faults.append(Fault(1, "1", "escreva o nome da linha, como Centro x Araçatiba", "nome"))
    if len(text.name) > LONGEST_NAME:
        faults.append(Fault(1, "1", f"use até {LONGEST_NAME} letras", "nome"))
    if len(text.description) > LONGEST_DESCRIPTION:
        faults.append(Fault(1, "1", f"use até {LONGEST_DESCRIPTION} letras", "descricao"))
    return faults


def _read_way_calls(
    way: WayText, names: StopNames, before: Sequence[SketchWay]
) -> tuple[tuple[SketchCall, ...], tuple[Fault, ...]]:
    if not way.stops.strip() and way.key == BACK:
        out = next((other.calls for other in before if other.key == OUT), ())
        return reverse_calls(out), ()
    calls, faults = read_calls(way.stops.split("\n"), names)
    if way.key == CIRCULAR and len(calls) > 1 and calls[0].stop != calls[-1].stop and not faults:
        advice = "uma linha circular termina onde começa: repita a primeira parada no fim"
        return calls, (Fault(len(way.stops.rstrip().split("\n")), "1", advice),)
    return calls, faults


def _read_way_times(way: WayText, kinds: Sequence[DayKind], faults: list[Fault]) -> dict[str, DayTimes]:
    """Times by kind of day; `igual a dias úteis` copies those of another kind of the same way."""
    times: dict[str, DayTimes] = {}
    copies: dict[str, str] = {}
    for kind in kinds:
        text = way.times.get(kind.id, "")
        same = find_copied(text, kinds)
        if same is not None and same.id != kind.id:
            copies[kind.id] = same.id
            continue
        found, wrong = read_times(text)
        faults.extend(replace(fault, field=f"{way.key}_dia_{kind.id}") for fault in wrong)
        if found.timed or found.unpublished:
            times[kind.id] = found
    for target, source in copies.items():
        if source in copies:
            advice = "copia de um dia que também é cópia: escreva os horários em um dos dois"
            faults.append(Fault(1, "1", advice, f"{way.key}_dia_{target}"))
        elif source in times:
            times[target] = times[source]
    return {kind.id: times[kind.id] for kind in kinds if kind.id in times}


def find_copied(text: str, kinds: Sequence[DayKind]) -> DayKind | None:
    """The kind of day that `igual a sábado` names; None for any other text."""
    match = _SAME.fullmatch(fold(text).strip(" ."))
    return next((kind for kind in kinds if match and fold(kind.name) == match["kind"]), None)


def _find_headsign(key: str, calls: Sequence[SketchCall], names: Mapping[str, str], line: str) -> str:
    """The last stop; a circle has none, and is called after its line."""
    return line if key == CIRCULAR or not calls else names[calls[-1].stop]
