"""A sketch in the database, part by part, so that two clerks may work on two lines at once."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from gtfs.authoring.network import Agency
from gtfs.authoring.sketch import AGENCY, DAYS, LINE, STOPS, Sketch, SketchDays
from gtfs.authoring.sketch_json import agency_from_json, days_from_json, line_from_json, stops_from_json
from gtfs.clerk_tables import FeedSketch
from gtfs.folding import sort_key
from gtfs.versions import lock_feeds


@dataclass(frozen=True, slots=True)
class PartChange:
    """Keep `content` (plain values) as a part, or with None drop it; `expected` is the revision that was seen."""

    part: str
    content: Any
    expected: int


@dataclass(frozen=True, slots=True)
class SketchChange:
    """Changes that are kept together or not at all, on behalf of `by`."""

    authority_id: int
    changes: Sequence[PartChange]
    by: str


class StaleSketch(Exception):
    """A part was changed since it was seen: `part`, and what is there now (None: it is gone), by whom, when."""

    def __init__(self, part: str, found: FeedSketch | None) -> None:
        super().__init__(part)
        self.part = part
        self.revision = found.revision if found else 0
        self.content = json.loads(found.content) if found else None
        self.by = found.updated_by if found else ""
        self.at = found.updated_at if found else None


def read_sketch(session: Session, authority_id: int, agency: Agency, days: SketchDays) -> Sketch:
    """The whole sketch; `agency` and `days` stand in for those nobody has saved. Lines as people count."""
    rows = session.exec(select(FeedSketch).where(FeedSketch.authority_id == authority_id)).all()
    found = {row.part: json.loads(row.content) for row in rows}
    codes = sorted((part.removeprefix(LINE) for part in found if part.startswith(LINE)), key=sort_key)
    return Sketch(
        agency=agency_from_json(found[AGENCY]) if AGENCY in found else agency,
        days=days_from_json(found[DAYS]) if DAYS in found else days,
        stops=stops_from_json(found.get(STOPS, [])),
        lines=tuple(line_from_json(code, found[f"{LINE}{code}"]) for code in codes),
        revisions={row.part: row.revision for row in rows},
    )


def change_sketch(session: Session, values: SketchChange, now: datetime) -> None:
    """Keep all changes; raises StaleSketch when one part is not as it was seen, or UnknownAuthority."""
    lock_feeds(session, values.authority_id)
    parts = [change.part for change in values.changes]
    chosen = select(FeedSketch).where(
        FeedSketch.authority_id == values.authority_id, col(FeedSketch.part).in_(parts)
    )
    rows = {row.part: row for row in session.exec(chosen.execution_options(populate_existing=True)).all()}
    for change in values.changes:
        row = rows.get(change.part)
        if (row.revision if row else 0) != change.expected:
            raise StaleSketch(change.part, row)
    for change in values.changes:
        _apply(session, values, change, rows.get(change.part), now)
    session.flush()


def _apply(
    session: Session, values: SketchChange, change: PartChange, row: FeedSketch | None, now: datetime
) -> None:
    if change.content is None:
        if row is not None:
            session.delete(row)
        return
    content = json.dumps(change.content, ensure_ascii=False, sort_keys=True)
    if row is None:
        row = FeedSketch(
            authority_id=values.authority_id,
            part=change.part,
            content=content,
            revision=1,
            updated_at=now,
            updated_by=values.by[:120],
        )
    else:
        row.content, row.revision = content, row.revision + 1
        row.updated_at, row.updated_by = now, values.by[:120]
    session.add(row)
