"""When a line leaves on one kind of day, as typed: `05:30 6h10 06:30-20:10/40`, intervals, or to be published."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gtfs.authoring.faults import Fault
from gtfs.authoring.network import Headway
from gtfs.authoring.time_words import Piece, find_pieces, write_time
from gtfs.folding import fold

UNPUBLISHED = "horário a publicar"
MOST_DEPARTURES = 600

_IDLE_WORDS = frozenset(("", "-", "–", "—", "nao circula", "nao ha", "nao tem", "sem viagens"))
_UNPUBLISHED_WORDS = frozenset(
    f"{start}{times} a {verb}".strip()
    for start in ("", "com ")
    for times in ("", "horario", "horarios")
    for verb in ("publicar", "definir", "divulgar")
)


@dataclass(frozen=True, slots=True)
class DayTimes:
    """Departures (minutes after midnight, ascending) and intervals; neither, and it does not run.

    `unpublished`: it runs, but nobody has said when.
    """

    departures: tuple[int, ...] = ()
    headways: tuple[Headway, ...] = ()
    unpublished: bool = False

    @property
    def timed(self) -> bool:
        """Whether there is anything a rider can go by."""
        return bool(self.departures or self.headways)


def read_times(text: str) -> tuple[DayTimes, tuple[Fault, ...]]:
    """The times of a text, and every fault in it; what is wrong is left out of the times."""
    words = fold(text).strip(" .")
    if words in _IDLE_WORDS:
        return DayTimes(), ()
    if words in _UNPUBLISHED_WORDS:
        return DayTimes(unpublished=True), ()
    found = list(find_pieces(text))
    pieces = [item for item in found if isinstance(item, Piece)]
    faults = [item for item in found if isinstance(item, Fault)]
    times = DayTimes(_list_departures(pieces, faults), _list_headways(pieces, faults))
    return times, tuple(sorted(faults, key=lambda fault: (fault.row, int(fault.column))))


def write_times(times: DayTimes) -> str:
    """The text that `read_times` reads as the same times."""
    if times.unpublished:
        return UNPUBLISHED
    spans = [
        f"a cada {span.every} min das {write_time(span.start)} às {write_time(span.end)}"
        for span in times.headways
    ]
    return "\n".join(filter(None, (" ".join(map(write_time, times.departures)), *spans)))


def _list_departures(pieces: Sequence[Piece], faults: list[Fault]) -> tuple[int, ...]:
    starts: list[int] = []
    for piece in pieces:
        if not piece.listed:
            continue
        if starts and piece.start <= starts[-1]:
            faults.append(piece.fault(_explain_order(piece.start, starts[-1])))
            continue
        starts.extend(range(piece.start, piece.end + 1, piece.every or 1))
        if len(starts) > MOST_DEPARTURES:
            faults.append(piece.fault(f"passa de {MOST_DEPARTURES} partidas num dia: escreva um intervalo"))
            return ()
    return tuple(starts)


def _explain_order(start: int, latest: int) -> str:
    if start == latest:
        return "está repetida: apague uma das duas"
    words = f"vem depois de {write_time(latest)}: ponha em ordem"
    if start < 6 * 60 and latest >= 18 * 60:
        return f"{words}; se é depois da meia-noite, escreva {write_time(start + 24 * 60)}"
    return words


def _list_headways(pieces: Iterable[Piece], faults: list[Fault]) -> tuple[Headway, ...]:
    spans = sorted((piece for piece in pieces if not piece.listed), key=lambda piece: piece.start)
    for earlier, later in pairwise(spans):
        if later.start < earlier.end:
            faults.append(later.fault(f"começa antes de acabar o intervalo das {write_time(earlier.start)}"))
    return tuple(Headway(piece.start, piece.end, piece.every) for piece in spans)
