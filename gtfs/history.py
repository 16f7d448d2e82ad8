"""Who published what and when, with the plans that led to it."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlmodel import Session, select

from gtfs.planning import Plan, find_plan
from gtfs.publishing import list_publications
from gtfs.tables import FeedPublication, FeedVersion


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One act on the published version; `replaced` is the number shown before, None for no version.

    `plan` is there when the act carried one out; it is `overtaken` when another version than the one its maker had
    seen was published meanwhile.
    """

    action: str
    number: int
    replaced: int | None
    done_at: datetime
    by: str
    plan: Plan | None = None

    @property
    def overtaken(self) -> bool:
        """Whether the plan was carried out over a version its maker had not seen."""
        return self.plan is not None and self.plan.expected != self.replaced


def list_history(session: Session, authority_id: int) -> tuple[HistoryEntry, ...]:
    """Every publication and roll-back of an authority, the oldest first."""
    acts = list_publications(session, authority_id)
    used = {act.version_id for act in acts}
    chosen = select(FeedVersion).where(FeedVersion.authority_id == authority_id)
    versions = {version.id: version for version in session.exec(chosen).all()}
    plans = {version: find_plan(session, versions[version]) for version in used}
    entries = []
    for act in acts:
        version, plan = versions[act.version_id], plans[act.version_id]
        carried_out = plan is not None and _carries_out(act, version, plan)
        if carried_out:
            plans[act.version_id] = None
        replaced = versions[act.replaced_id].number if act.replaced_id else None
        entries.append(
            HistoryEntry(
                act.action, version.number, replaced, act.done_at, act.done_by, plan if carried_out else None
            )
        )
    return tuple(entries)


def _carries_out(act: FeedPublication, version: FeedVersion, plan: Plan) -> bool:
    """Whether it is the first publication after the plan was made, on its day or, with a late worker, after it."""
    on_day = act.done_at.astimezone(ZoneInfo(version.zone)).date() >= plan.on
    return act.action == "publish" and act.done_by == plan.by and act.done_at >= plan.made_at and on_day
