"""The transition table of a case: which event may happen when, where it leads, and its words for the rider."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources


class ForbiddenMove(Exception):
    """The event may not happen to a case in this status."""

    def __init__(self, event: str, status: str) -> None:
        super().__init__(f"{event} may not happen to a case that is {status}")
        self.event = event
        self.status = status


@dataclass(frozen=True)
class Status:
    """A stored status, with its words for the rider."""

    name: str
    open: bool
    label: str
    meaning: str
    next: str


@dataclass(frozen=True)
class EventKind:
    """A kind of event: `sources` empty means it opens the case; `target` None leaves the status as it is."""

    name: str
    sources: frozenset[str]
    target: str | None
    rider: str | None


@dataclass(frozen=True)
class Workflow:
    """Both tables, by name, in the order of the file."""

    statuses: dict[str, Status]
    events: dict[str, EventKind]


@cache
def get_workflow() -> Workflow:
    """The table of workflow.toml."""
    data = tomllib.loads(resources.files(__package__).joinpath("workflow.toml").read_text("utf-8"))
    statuses = {name: Status(name=name, **row) for name, row in data["status"].items()}
    events = {
        name: EventKind(name, frozenset(row["from"]), row.get("to"), row.get("rider"))
        for name, row in data["event"].items()
    }
    return Workflow(statuses, events)


def status_after(event: str, status: str | None) -> str:
    """The status once `event` has happened to a case that was `status` (None: not yet a case).

    Raises ForbiddenMove, and KeyError for an event the table does not know.
    """
    kind = get_workflow().events[event]
    allowed = status is None if not kind.sources else status in kind.sources
    if not allowed:
        raise ForbiddenMove(event, status or "not yet filed")
    return kind.target or status or "received"


def review_after(event: str, status: str | None, review: bool) -> bool:
    """Whether the rider waits for a review once `event` has happened to a case that was `status`.

    Words or files of the rider after the end ask for one and bring the case back to the desk; reopening it, or a
    reason to leave it, settles it.
    """
    if event == "review_requested":
        return True
    if event in ("text_added", "evidence_added") and status is not None and not is_open(status):
        return True
    return review and event not in ("reopened", "review_settled")


def queue_rank(status: str, *, urgent: bool, review: bool) -> int | None:
    """The place of a case at the desk: 0 urgent, 1 ordinary, None when nobody waits for anything."""
    if not is_open(status) and not review:
        return None
    return 0 if urgent else 1


def may_happen(event: str, status: str) -> bool:
    """Whether `event` may happen to a case that is `status`."""
    return status in get_workflow().events[event].sources


def is_open(status: str) -> bool:
    """Whether staff still owe the rider something."""
    return get_workflow().statuses[status].open
