"""Which version riders see: published and rolled back in one transaction, with a history nobody edits."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlmodel import Session, col, select

from gtfs.tables import DRAFT, PUBLISHED, RETIRED, FeedPublication, FeedVersion
from gtfs.versions import get_version, lock_feeds

Action = Literal["publish", "rollback"]


class NothingToRollBack(Exception):
    """No version was published before the present one."""


class NeverPublished(Exception):
    """The version asked for was never published, so there is no way back to it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class StalePublication(Exception):
    """Another version was published since the one that was looked at; both numbers, None for no version."""

    def __init__(self, expected: int | None, found: int | None) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Stands for not having looked at what is published."""


UNCHECKED = Unchecked()


@dataclass(frozen=True, slots=True)
class Publishing:
    """Publish version `number`; `expected` is the number that was published when the person decided.

    With `expected` (None: nothing was published) two people cannot publish over each other unseen.
    """

    authority_id: int
    number: int
    by: str
    expected: int | Unchecked | None = UNCHECKED


@dataclass(frozen=True, slots=True)
class RollingBack:
    """Show version `number` again, or without a number the one published before the present one."""

    authority_id: int
    by: str
    number: int | None = None
    expected: int | Unchecked | None = UNCHECKED


def publish(session: Session, values: Publishing, now: datetime) -> FeedVersion:
    """Make a version the published one and retire the one before; the published version again changes nothing.

    Raises UnknownVersion, UnknownAuthority or StalePublication.
    """
    present = _lock(session, values.authority_id, values.expected)
    chosen = get_version(session, values.authority_id, values.number)
    return _show(session, present, chosen, "publish", values.by, now)


def rollback(session: Session, values: RollingBack, now: datetime) -> FeedVersion:
    """Make an earlier version the published one; again without a number goes further back.

    Raises NothingToRollBack, NeverPublished, UnknownVersion, UnknownAuthority or StalePublication.
    """
    present = _lock(session, values.authority_id, values.expected)
    history = list_publications(session, values.authority_id)
    if values.number is None:
        trail = find_trail((act.action, act.version_id) for act in history)
        if len(trail) < 2:
            raise NothingToRollBack
        chosen = session.get_one(FeedVersion, (values.authority_id, trail[-2]))
    else:
        chosen = get_version(session, values.authority_id, values.number)
        if chosen.state == DRAFT:
            raise NeverPublished(values.number)
    return _show(session, present, chosen, "rollback", values.by, now)


def list_publications(session: Session, authority_id: int) -> tuple[FeedPublication, ...]:
    """Every publication and roll-back of an authority, the oldest first."""
    chosen = select(FeedPublication).where(FeedPublication.authority_id == authority_id)
    return tuple(session.exec(chosen.order_by(col(FeedPublication.number))).all())


def find_published_version(session: Session, authority_id: int) -> FeedVersion | None:
    """The version riders see; None when nothing is published."""
    return session.exec(
        select(FeedVersion).where(FeedVersion.authority_id == authority_id, FeedVersion.state == PUBLISHED)
    ).first()


def find_trail(acts: Iterable[tuple[str, UUID]]) -> list[UUID]:
    """The versions one can still go back through, the present one last: (action, version) from the oldest on."""
    trail: list[UUID] = []
    for action, version in acts:
        if action == "rollback" and version in trail:
            del trail[trail.index(version) :]
        elif version in trail:
            trail.remove(version)
        trail.append(version)
    return trail


def _lock(session: Session, authority_id: int, expected: int | Unchecked | None) -> FeedVersion | None:
    lock_feeds(session, authority_id)
    present = find_published_version(session, authority_id)
    found = present.number if present else None
    if not isinstance(expected, Unchecked) and expected != found:
        raise StalePublication(expected, found)
    return present


def _show(
    session: Session, present: FeedVersion | None, chosen: FeedVersion, action: Action, by: str, now: datetime
) -> FeedVersion:
    """Flip the pointer; the old version is retired first, since the database allows one published version."""
    if present is not None and present.id == chosen.id:
        return chosen
    if present is not None:
        present.state, present.retired_at = RETIRED, now
        session.add(present)
        session.flush()
    chosen.state, chosen.retired_at = PUBLISHED, None
    chosen.published_at, chosen.published_by = now, by
    chosen.publish_on = chosen.planned_by = None
    session.add(chosen)
    session.add(
        FeedPublication(
            authority_id=chosen.authority_id,
            number=len(list_publications(session, chosen.authority_id)) + 1,
            version_id=chosen.id,
            replaced_id=present.id if present else None,
            action=action,
            done_at=now,
            done_by=by,
        )
    )
    session.flush()
    return chosen
