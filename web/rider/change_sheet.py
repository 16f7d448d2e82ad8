"""What the pages of changes say: successions with their days, and each line or stop with its sentences."""

import time
from dataclasses import dataclass
from datetime import date, timedelta

from sqlmodel import Session, select
from starlette.requests import Request

from gtfs.change_words import name_line_state, name_stop_state, tell_line, tell_stop
from gtfs.changes import (
    Succession,
    find_line_change,
    find_stop_change,
    is_compared,
    list_comparisons,
    list_line_changes,
    list_stop_changes,
    list_successions,
)
from gtfs.difference_values import LineChange, StopChange
from gtfs.tables import FeedVersion
from gtfs.version_rows import AddressKind

SHOWN = timedelta(days=30)
"""How long a change is told after its day."""
MEMORY_SECONDS = 1
DETAILED = 40
"""Lines and stops whose sentences stand on one page; of more only the names, each with a link to its own."""
LISTED = 300


@dataclass(frozen=True)
class ChangeSheet:
    """One line or stop: `state` in few words, `sentences` unless the page would be too long."""

    kind: AddressKind
    change: LineChange | StopChange
    state: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class SuccessionSheet:
    """What changes on a day with version `number`; not `ready` until the versions were compared.

    `more` counts what is not listed.
    """

    number: int
    day: date
    planned: bool
    ready: bool
    lines: tuple[ChangeSheet, ...]
    stops: tuple[ChangeSheet, ...]
    more: int


@dataclass(frozen=True)
class ChangeNote:
    """A short note on the page of a line or stop."""

    day: date
    planned: bool
    state: str


def name_comparisons(request: Request, session: Session, authority_id: int) -> tuple[str, ...]:
    """What belongs into the key of a page that tells changes: another tuple when a plan or a comparison changed.

    A process asks at most once in MEMORY_SECONDS; with the second that browsers keep a page this makes two.
    """
    state = request.app.state
    if not hasattr(state, "comparisons"):
        state.comparisons = {}
    memory: dict[int, tuple[float, tuple[str, ...]]] = state.comparisons
    read_at, names = memory.get(authority_id, (0.0, ()))
    if not read_at or time.monotonic() - read_at >= MEMORY_SECONDS:
        names = list_comparisons(session, authority_id)
        memory[authority_id] = time.monotonic(), names
    return names


def list_told(session: Session, authority_id: int, today: date) -> tuple[Succession, ...]:
    """The successions that riders are told of: planned ones, those of the last 30 days, at least the latest.

    What a roll-back took back is told no more, only the roll-back.
    """
    found = list_successions(session, authority_id)
    told = [one for one in found if one.planned]
    past = [one for one in found if not one.planned]
    for place, one in enumerate(past):
        taken_back = any(
            (later.base_id, later.version_id) == (one.version_id, one.base_id) for later in past[:place]
        )
        if not place or (today - one.from_day <= SHOWN and not taken_back):
            told.append(one)
    return tuple(told)


def show_succession(session: Session, succession: Succession) -> SuccessionSheet:
    """Everything that a succession changes."""
    lines, stops = list_line_changes(session, succession), list_stop_changes(session, succession)
    brief = len(lines) + len(stops) > DETAILED
    return SuccessionSheet(
        number=_read_number(session, succession),
        day=succession.from_day,
        planned=succession.planned,
        ready=is_compared(session, succession),
        lines=tuple(_line_sheet(change, brief) for change in lines[:LISTED]),
        stops=tuple(_stop_sheet(change, brief) for change in stops[:LISTED]),
        more=max(0, len(lines) - LISTED) + max(0, len(stops) - LISTED),
    )


def show_one(session: Session, succession: Succession, kind: AddressKind, slug: str) -> SuccessionSheet:
    """What a succession changes for one line or stop."""
    change = _find(session, succession, kind, slug)
    sheets = () if change is None else (_sheet(change),)
    ready = is_compared(session, succession)
    lines, stops = (sheets, ()) if kind == "line" else ((), sheets)
    number = _read_number(session, succession)
    return SuccessionSheet(number, succession.from_day, succession.planned, ready, lines, stops, 0)


def list_notes(
    session: Session, authority_id: int, kind: AddressKind, slug: str, today: date
) -> tuple[ChangeNote, ...]:
    """The notes for the page of a line or stop: what is planned first, then what changed within 30 days."""
    found = (
        (one, _find(session, one, kind, slug))
        for one in list_told(session, authority_id, today)
        if one.planned or today - one.from_day <= SHOWN
    )
    return tuple(ChangeNote(one.from_day, one.planned, _state(change)) for one, change in found if change)


def _find(
    session: Session, succession: Succession, kind: AddressKind, slug: str
) -> LineChange | StopChange | None:
    if kind == "line":
        return find_line_change(session, succession, slug)
    return find_stop_change(session, succession, slug)


def _read_number(session: Session, succession: Succession) -> int:
    chosen = select(FeedVersion.number).where(
        FeedVersion.authority_id == succession.authority_id, FeedVersion.id == succession.version_id
    )
    return session.exec(chosen).one()


def _sheet(change: LineChange | StopChange) -> ChangeSheet:
    return _line_sheet(change, False) if isinstance(change, LineChange) else _stop_sheet(change, False)


def _state(change: LineChange | StopChange) -> str:
    return name_line_state(change) if isinstance(change, LineChange) else name_stop_state(change)


def _line_sheet(change: LineChange, brief: bool) -> ChangeSheet:
    return ChangeSheet("line", change, name_line_state(change), () if brief else tell_line(change))


def _stop_sheet(change: StopChange, brief: bool) -> ChangeSheet:
    return ChangeSheet("stop", change, name_stop_state(change), () if brief else tell_stop(change))
