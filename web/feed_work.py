"""Uploads made into versions: what the worker's child process does, one upload after the other.

Only the child imports this: reading a feed may load pandas.
"""

import json
import logging
import resource
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from complaints.authorities.tables import Authority
from gtfs.clerk_tables import FAILED, READY, REFUSED
from gtfs.file_difference import compare_archives
from gtfs.importing import Importing, PreparedFeed, import_feed, prepare_feed
from gtfs.reference_preparing import prepare_reference
from gtfs.references import NewReference, keep_reference
from gtfs.uploads import Ending, finish_upload, note_step, propose_upload, take_upload
from gtfs.versions import get_version_archive
from web.services import Services

READING, PREPARING, KEEPING = "lendo e conferindo", "preparando as páginas", "guardando"
"""Parts of the work, in their order, as the clerk reads them."""

MEMORY_BYTES = 4 * 1024**3
"""Address space of the child: a feed that needs more ends the child, never the machine."""

log = logging.getLogger("selo.feeds")


@dataclass(frozen=True, slots=True)
class Taken:
    """An upload in hand, read out of the database."""

    key: tuple[int, UUID]
    purpose: str
    name: str
    content: bytes
    by: str
    today: date
    base_id: UUID | None


def limit_memory() -> None:
    """Bound this process's address space, so that a monstrous feed ends here."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def work_uploads(services: Services) -> int:
    """Work through everything that waits; the number of uploads that ended."""
    done = 0
    while (taken := _take(services)) is not None:
        try:
            _work(services, taken)
        except MemoryError:
            log.exception("feed needs too much memory")
            _finish(services, taken, None, FAILED)
        done += 1
    return done


def _take(services: Services) -> Taken | None:
    now = services.clock()
    with services.database.write() as session:
        upload = take_upload(session, now)
        if upload is None:
            return None
        zone = ZoneInfo(session.get_one(Authority, upload.authority_id).time_zone)
        return Taken(
            key=(upload.authority_id, upload.id),
            purpose=upload.purpose,
            name=upload.source_name,
            content=upload.content or b"",
            by=upload.created_by,
            today=now.astimezone(zone).date(),
            base_id=upload.base_id,
        )


def _work(services: Services, taken: Taken) -> None:
    """The slow part holds no transaction; a death in it leaves the upload to be taken again."""
    _note(services, taken, READING)
    if taken.purpose == "reference":
        _work_reference(services, taken)
        return
    prepared = prepare_feed(
        taken.content,
        taken.name,
        taken.today,
        on_checked=lambda: _note(services, taken, PREPARING),
        second_opinion=True,
    )
    _note(services, taken, KEEPING)
    report = json.dumps(_describe(services, taken, prepared), ensure_ascii=False, sort_keys=True)
    if prepared.report.accepted and taken.purpose == "file":
        with services.database.write() as session:
            propose_upload(session, taken.key, report, services.clock())
    elif prepared.report.accepted:
        _finish(services, taken, report, READY, _keep_version(services, taken, prepared))
    else:
        _finish(services, taken, report, REFUSED)


def _work_reference(services: Services, taken: Taken) -> None:
    prepared = prepare_reference(taken.content, taken.name, taken.today)
    report = json.dumps(prepared.report.to_json(), ensure_ascii=False, sort_keys=True)
    if prepared.departures is None:
        _finish(services, taken, report, REFUSED)
        return
    with services.database.write() as session:
        keep_reference(session, NewReference(taken.key[0], prepared, taken.by), services.clock())
    _finish(services, taken, report, READY)


def _describe(services: Services, taken: Taken, prepared: PreparedFeed) -> dict[str, Any]:
    """The report, and beside it what a replaced file changes."""
    report = prepared.report.to_json()
    if taken.base_id is None:
        return report
    with services.database.read() as session:
        old = get_version_archive(session, taken.key[0], taken.base_id)
    difference = compare_archives(old, taken.content)
    return {**report, "difference": difference.to_json() if difference else None}


def _keep_version(services: Services, taken: Taken, prepared: PreparedFeed) -> UUID:
    with services.database.write() as session:
        return import_feed(session, Importing(taken.key[0], prepared, taken.by), services.clock()).id


def _finish(
    services: Services, taken: Taken, report: str | None, state: str, version_id: UUID | None = None
) -> None:
    ending = Ending(state, report, version_id)
    with services.database.write() as session:
        finish_upload(session, taken.key, ending, services.clock())
    log.info("upload ended", extra={"state": ending.state, "purpose": taken.purpose})


def _note(services: Services, taken: Taken, step: str) -> None:
    with services.database.write() as session:
        note_step(session, taken.key, step, services.clock())
