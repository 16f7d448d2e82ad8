"""The stops of a way as typed: one per line, by name, with the minutes since the first stop."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from gtfs.authoring.faults import Fault
from gtfs.authoring.network import Stop
from gtfs.authoring.sketch import SketchCall
from gtfs.folding import fold

MOST_CALLS = 200
LONGEST_MINUTES = 600

_MINUTE = re.compile(r"(?P<name>.*?)[\s,;:|+]+(?P<minute>\d{1,3})\s*(?:minutos?|min\.?|m|')?\s*", re.ASCII)
_HOURS = re.compile(r"(?P<name>.*?)[\s,;:|+]+(?P<hours>\d{1,2})(?:h|:)(?P<minute>[0-5]\d)\s*", re.ASCII)
_ENDS = " \t,;:|+"


class StopNames:
    """Finds stops by name, accents and letter case aside, or by id."""

    def __init__(self, stops: Iterable[Stop]) -> None:
        self._ids: dict[str, str] = {}
        self._names: dict[str, str] = {}
        for stop in stops:
            self._ids.setdefault(fold(stop.id), stop.id)
            self._ids[fold(stop.name)] = stop.id
            self._names[fold(stop.name)] = stop.name

    def find(self, text: str) -> str | None:
        """The id of the stop of that name."""
        return self._ids.get(fold(text.strip(_ENDS)))

    def explain(self, text: str) -> str:
        """What to do about a name that is none."""
        name = text.strip(_ENDS)
        close = get_close_matches(fold(name), self._names, n=2, cutoff=0.6)
        start = [key for key in self._names if fold(name) and key.startswith(fold(name))]
        told = " ou ".join(f"«{self._names[key]}»" for key in dict.fromkeys((*close, *start[:2])))
        question = f"você quis dizer {told}?" if told else "cadastre-a antes em Paradas"
        return f"não há parada «{name[:60]}»: {question}"


def read_calls(lines: Sequence[str], names: StopNames) -> tuple[tuple[SketchCall, ...], tuple[Fault, ...]]:
    """The calls of one stop per line; blank lines are skipped, faults name the line."""
    calls: list[SketchCall] = []
    faults: list[Fault] = []
    for row, line in enumerate(lines, 1):
        if not line.strip():
            continue
        stop, minute, where = _split(line, names)
        if stop is None:
            faults.append(Fault(row, "1", names.explain(where)))
            continue
        if fault := _judge(calls, stop, minute, line):
            faults.append(Fault(row, "1", fault))
        calls.append(SketchCall(stop, minute))
    if calls and calls[0].minute is None:
        calls[0] = SketchCall(calls[0].stop, 0)
    if len(calls) == 1 and not faults:
        faults.append(Fault(1, "1", "o caminho precisa de pelo menos duas paradas"))
    if len(calls) > MOST_CALLS:
        faults.append(Fault(MOST_CALLS + 1, "1", f"o caminho passa de {MOST_CALLS} paradas"))
    return tuple(calls), tuple(faults)


def write_calls(calls: Iterable[SketchCall], stops: dict[str, Stop]) -> str:
    """One stop per line that `read_calls` reads as the same calls."""
    return "\n".join(
        stops[call.stop].name if call.minute is None else f"{stops[call.stop].name}; {call.minute}"
        for call in calls
        if call.stop in stops
    )


def reverse_calls(calls: Sequence[SketchCall]) -> tuple[SketchCall, ...]:
    """The way back: the same stops in the other order, with the same minutes between them where they are known."""
    total = calls[-1].minute if calls else None
    if total is None:
        turned = [SketchCall(call.stop, None) for call in reversed(calls)]
        return (SketchCall(turned[0].stop, 0), *turned[1:]) if turned else ()
    return tuple(
        SketchCall(call.stop, None if call.minute is None else total - call.minute) for call in reversed(calls)
    )


def is_reverse(first: Sequence[SketchCall], second: Sequence[SketchCall]) -> bool:
    """Whether one way is the other in reverse."""
    return bool(first) and tuple(second) == reverse_calls(first)


def _split(line: str, names: StopNames) -> tuple[str | None, int | None, str]:
    """The stop, the minutes, and the text that should be a name. A name may end in a number, as `Rua 128`."""
    if (whole := names.find(line)) is not None:
        return whole, None, line
    for pattern in (_HOURS, _MINUTE):
        if match := pattern.fullmatch(line):
            minute = int(match["minute"]) + 60 * int(match.groupdict().get("hours") or 0)
            found = names.find(match["name"])
            if found is not None or pattern is _MINUTE:
                return found, minute, match["name"]
    return None, None, line


def _judge(calls: Sequence[SketchCall], stop: str, minute: int | None, line: str) -> str:
    known = [call.minute for call in calls if call.minute is not None]
    if calls and calls[-1].stop == stop:
        return f"«{line.strip()[:60]}» repete a parada da linha anterior: apague uma das duas"
    if not calls and minute:
        return "a primeira parada é o minuto 0: conte os minutos desde a saída dela"
    if minute is not None and known and minute < known[-1]:
        return f"o minuto {minute} vem depois do minuto {known[-1]}: conte sempre desde a primeira parada"
    if minute is not None and minute > LONGEST_MINUTES:
        return f"{minute} minutos passam de {LONGEST_MINUTES // 60} horas: confira"
    return ""
