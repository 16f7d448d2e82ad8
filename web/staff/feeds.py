"""The clerk's first page on feeds: what riders see, what waits, what there was, and the form for a new file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gtfs.archive import MEGABYTE, Limits
from gtfs.clerk_tables import FAILED, PROPOSED, REFUSED, WAITING, WORKING
from gtfs.history import list_history
from gtfs.publishing import find_published_version
from gtfs.tables import DRAFT, PUBLISHED, RETIRED, FeedVersion
from gtfs.uploads import NewUpload, Purpose, TooManyUploads, add_upload, list_uploads
from gtfs.versions import list_versions
from web.forms import FormErrors, query_text
from web.staff.feed_words import DONE, FEED_WORDS
from web.staff.routing import Desk, StaffRoute, render_desk

PERMISSION = "feed.publish"
LARGEST = Limits().archive
_SHOWN_ACTS = 20


@dataclass(frozen=True)
class VersionRow:
    """A version as lists show it, with the numbers of its summary."""

    version: FeedVersion
    summary: Mapping[str, Any]


def show_feeds(request: Request, desk: Desk) -> Response:
    """What riders see now, what waits to be published, what was retired, and the last acts."""
    return _page(request, desk, FormErrors())


def send_feed(request: Request, desk: Desk) -> Response:
    """Take a zip and leave the rest to the worker; the answer is the page that follows it."""
    errors = FormErrors()
    return read_upload(desk, "feed", errors) or _page(request, desk, errors)


def read_upload(desk: Desk, purpose: Purpose, errors: FormErrors) -> Response | None:
    """Keep the zip of the form's field `arquivo` and go to its page; None with the reason in `errors`."""
    files = desk.form.files("arquivo")
    if not files:
        errors.add("arquivo", "Escolha o arquivo .zip. Um arquivo vazio não serve.")
    elif len(files[0].content) > LARGEST:
        errors.add("arquivo", f"O arquivo passa de {LARGEST // MEGABYTE} MB. Tire dele o que não é GTFS.")
    if errors:
        return None
    name = files[0].filename or "gtfs.zip"
    return keep_upload(desk, NewUpload(desk.authority_id, purpose, name, files[0].content, who(desk)), errors)


def keep_upload(desk: Desk, values: NewUpload, errors: FormErrors) -> Response | None:
    """Store an upload and go to its page; when too many wait, None with the reason in `errors`."""
    try:
        with desk.services.database.write() as session:
            number = add_upload(session, values, desk.now).number
    except TooManyUploads:
        errors.add("arquivo", "Há arquivos demais na fila. Espere que terminem e envie de novo.")
        return None
    return RedirectResponse(f"/equipe/horarios/envios/{number}", status_code=303)


def who(desk: Desk) -> str:
    """The person as the history of feeds names them."""
    return desk.member.name[:120]


def describe(version: FeedVersion) -> VersionRow:
    """A version with its summary read."""
    return VersionRow(version, json.loads(version.summary))


def _page(request: Request, desk: Desk, errors: FormErrors) -> Response:
    with desk.services.database.read() as session:
        rows = [describe(version) for version in list_versions(session, desk.authority_id)]
        context = {
            **FEED_WORDS,
            **{
                state: [row for row in rows if row.version.state == state] for state in (DRAFT, PUBLISHED, RETIRED)
            },
            "uploads": list_uploads(session, desk.authority_id, (WAITING, WORKING, PROPOSED)),
            "stopped": list_uploads(session, desk.authority_id, (REFUSED, FAILED), limit=5),
            "acts": list_history(session, desk.authority_id)[::-1][:_SHOWN_ACTS],
            "largest": LARGEST // MEGABYTE,
            "done": DONE.get(query_text(request, "feito", 20), ""),
            "errors": errors,
        }
    return render_desk(request, desk, "staff/feeds/list.html", context, 422 if errors else 200)


def published_number(session: Session, authority_id: int) -> int | None:
    """The number riders see now; None when nothing is published."""
    version = find_published_version(session, authority_id)
    return version.number if version else None


ROUTES = (
    StaffRoute("/horarios", show_feeds, PERMISSION),
    StaffRoute(
        "/horarios/enviar",
        send_feed,
        PERMISSION,
        ("POST",),
        max_files=1,
        max_body_size=LARGEST + 2 * MEGABYTE,
    ),
)
