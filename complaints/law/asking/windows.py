"""Windows of points or entries, counted backwards from the day of each infraction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from complaints.law.asking.matter import Matter
from complaints.law.asking.proposals import Entry, Proposal

if TYPE_CHECKING:
    from complaints.law.sanctions import Trigger


@dataclass(frozen=True)
class Window:
    """The best sum over all anchors, the sum anchored on the latest entry, and what they lead to.

    `boundary_day` says that the threshold is reached only with an entry exactly on the boundary.
    """

    trigger: "Trigger"
    best: int
    last: int
    unspent: int
    boundary_day: bool
    proposal: Proposal | None

    def as_json(self) -> dict[str, Any]:
        """Return the window as the answer shows it."""
        shown: dict[str, Any] = {
            "rule": self.trigger.rule,
            "days": self.trigger.days,
            "threshold": self.trigger.threshold,
            "best": self.best,
            "last": self.last,
            "boundary_day": self.boundary_day,
        }
        if self.trigger.reuse_setting is not None:
            shown["unspent"] = self.unspent
        return shown


@dataclass(frozen=True)
class _Anchored:
    entries: tuple[Entry, ...]
    total: int
    unspent: int


def find_window(matter: Matter[Any], trigger: "Trigger", entries: Sequence[Entry]) -> Window:
    """Weigh every anchor of a window; entries exactly on the boundary are read as the setting says."""
    counted = _counting(matter, trigger, entries)
    wide = _anchors(trigger, counted, trigger.days or 0)
    narrow = _anchors(trigger, counted, (trigger.days or 0) - 1)
    touches = (_best(wide) >= trigger.threshold) != (_best(narrow) >= trigger.threshold)
    anchors = wide
    if wide != narrow and trigger.boundary_setting is not None:
        anchors = wide if matter.setting(trigger.boundary_setting) == "exclude_start" else narrow
    best = _highest(anchors)
    proposal = _proposal(matter, trigger, counted, anchors)
    return Window(
        trigger=trigger,
        best=best.total,
        last=anchors[-1].total if anchors else 0,
        unspent=best.unspent,
        boundary_day=touches,
        proposal=proposal,
    )


def _counting(matter: Matter[Any], trigger: "Trigger", entries: Sequence[Entry]) -> list[tuple[date, Entry]]:
    """Return the entries that count, each with the day from which it does, by the day of the fact."""
    fitting = [entry for entry in entries if _fits(trigger, entry)]
    applied = False
    if trigger.final_setting is not None and any(entry.applied_on != entry.final_on for entry in fitting):
        applied = matter.setting(trigger.final_setting) == "applied"
    found = []
    for entry in fitting:
        since = entry.applied_on or entry.final_on if applied else entry.final_on
        if since is not None:
            found.append((since, entry))
    return sorted(found, key=lambda pair: pair[1].on)


def _fits(trigger: "Trigger", entry: Entry) -> bool:
    if trigger.classes and entry.class_id not in trigger.classes:
        return False
    return not trigger.annex_items or entry.annex_item in trigger.annex_items


def _weight(trigger: "Trigger", entry: Entry) -> int:
    return entry.points if trigger.counts == "points" else 1


def _anchors(trigger: "Trigger", counted: Sequence[tuple[date, Entry]], days: int) -> list[_Anchored]:
    """Return what each anchor gathers, in the order of the days; one for entries of the same day."""
    found = []
    for anchor in sorted({entry.on for _, entry in counted}):
        inside = tuple(entry for _, entry in counted if 0 <= (anchor - entry.on).days <= days)
        total = sum(_weight(trigger, entry) for entry in inside)
        unspent = sum(_weight(trigger, entry) for entry in inside if not entry.spent)
        found.append(_Anchored(inside, total, unspent))
    return found


def _best(anchors: Sequence[_Anchored]) -> int:
    return max((anchor.total for anchor in anchors), default=0)


def _highest(anchors: Sequence[_Anchored]) -> _Anchored:
    """Return the anchor with the highest sum, of several the latest."""
    best = _Anchored((), 0, 0)
    for anchor in anchors:
        if anchor.total >= best.total:
            best = anchor
    return best


def _proposal(
    matter: Matter[Any],
    trigger: "Trigger",
    counted: Sequence[tuple[date, Entry]],
    anchors: Sequence[_Anchored],
) -> Proposal | None:
    reached = [anchor for anchor in anchors if anchor.total >= trigger.threshold]
    if not reached:
        return None
    unspent_only = trigger.reuse_setting is not None and any(entry.spent for _, entry in counted)
    if unspent_only and not matter.setting(trigger.reuse_setting or ""):
        reached = [anchor for anchor in reached if anchor.unspent >= trigger.threshold]
        if not reached:
            return None
    else:
        unspent_only = False
    best = _highest(reached)
    return Proposal(
        trigger=trigger,
        points=best.total if trigger.counts == "points" else None,
        first=best.entries[0].on,
        last=best.entries[-1].on,
        proposed_on=_holds_since(trigger, counted, anchors, unspent_only=unspent_only),
    )


def _holds_since(
    trigger: "Trigger",
    counted: Sequence[tuple[date, Entry]],
    anchors: Sequence[_Anchored],
    *,
    unspent_only: bool,
) -> date:
    """Return the first day on which enough of some anchor's entries counted."""
    since = {id(entry): day for day, entry in counted}
    days = []
    for anchor in anchors:
        total = 0
        for entry in sorted(anchor.entries, key=lambda entry: since[id(entry)]):
            total += 0 if unspent_only and entry.spent else _weight(trigger, entry)
            if total >= trigger.threshold:
                days.append(since[id(entry)])
                break
    return min(days)
