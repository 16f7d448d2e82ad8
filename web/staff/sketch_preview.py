"""A line of the feed being made, exactly as riders will see it, and the items of its project."""

from dataclasses import replace
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session, select
from starlette.requests import Request
from starlette.responses import Response

from gtfs.authoring.feed_making import make_feed
from gtfs.authoring.gaps import list_line_gaps
from gtfs.authoring.projects import show_items
from gtfs.authoring.sketch import Sketch, SketchLine
from gtfs.checks.notices import Notices, Report
from gtfs.compiled_feed import CompiledFeed
from gtfs.compiling import compile_feed
from gtfs.published import PublishedFeed
from gtfs.tables import FeedLine
from gtfs.versions import NewVersion, keep_version
from gtfs.zip_reading import read_feed
from web.rider.lines import line_context
from web.staff.routing import Desk, StaffRoute
from web.staff.sketch_desk import load_sketch
from web.staff.sketch_lines import get_line
from web.templating import render

NAME = "previa.zip"


class _Enough(Exception):
    """Ends the transaction of a preview, so that nothing of it is kept."""


def show_preview(request: Request, desk: Desk) -> Response:
    """The rider's page of one line of the sketch."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
    line = get_line(request, sketch)
    context = {
        "preview_of": line,
        "gaps": list_line_gaps(line, sketch),
        "project": tuple(show_items(desk.authority.law_id, line, sketch)),
        **_read_page(request, desk, sketch, line),
    }
    return render(request, "staff/lines/preview.html", context)


def _read_page(request: Request, desk: Desk, sketch: Sketch, line: SketchLine) -> dict[str, Any]:
    """What the line's page says. The line is kept as a version for a moment, and taken back with it.

    So the page is built by what builds it for riders, with the address the line will have.
    """
    called = {call.stop for way in line.ways for call in way.calls}
    alone = replace(sketch, lines=(line,), stops=tuple(stop for stop in sketch.stops if stop.id in called))
    raw = make_feed(alone)
    compiled = compile_feed(read_feed(raw, NAME, Notices()))
    context: dict[str, Any] = {}
    try:
        with desk.services.database.write() as session:
            feed = _keep(session, desk, raw, compiled)
            chosen = select(FeedLine.slug).where(
                FeedLine.authority_id == feed.authority_id, FeedLine.version_id == feed.version_id
            )
            slug = session.exec(chosen).one()
            context |= line_context(request, session, desk.authority, feed, slug, desk.today, ()) or {}
            raise _Enough
    except _Enough:
        return context


def _keep(session: Session, desk: Desk, raw: bytes, compiled: CompiledFeed) -> PublishedFeed:
    """The version as pages take a published one."""
    digest = sha256(b"preview" + raw).hexdigest()
    new = NewVersion(desk.authority_id, NAME, raw, digest, Report(NAME), compiled, desk.member.email)
    version = keep_version(session, new, desk.now)
    return PublishedFeed(
        authority_id=desk.authority_id,
        version_id=version.id,
        number=version.number,
        sha256=digest,
        zone=ZoneInfo(version.zone),
        first_day=version.first_day,
        last_day=version.last_day,
        published_at=desk.now,
    )


ROUTES = (StaffRoute("/linhas/{code}/previa", show_preview, "feed.publish"),)
