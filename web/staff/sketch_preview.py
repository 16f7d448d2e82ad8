"""A line of the feed being made, exactly as riders will see it, and the items of its project."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from sqlmodel import Session, select
from starlette.requests import Request
from starlette.responses import Response

from complaints.authorities.tables import Authority
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
from web.addresses import town_url
from web.rider.lines import line_page
from web.staff.routing import Desk, StaffRoute
from web.staff.sketch_desk import HOME, load_sketch
from web.staff.sketch_lines import get_line

NAME, TEMPLATE = "previa.zip", "staff/lines/preview.html"


class _Enough(Exception):
    """Ends the transaction of a preview, so that nothing of it is kept."""


def show_preview(request: Request, desk: Desk) -> Response:
    """The rider's page of one line of the sketch.

    The line is kept as a version for a moment, and taken back: so the page is built by what builds it for riders,
    and shows the address the line will have.
    """
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
    line = get_line(request, sketch)
    raw = make_feed(_leave_alone(line, sketch))
    compiled = compile_feed(read_feed(raw, NAME, Notices()))
    extra = {
        "preview_of": line,
        "gaps": list_line_gaps(line, sketch),
        "project": tuple(show_items(desk.authority.law_id, line, sketch)),
        "town_url": partial(_stay_here, line.code),
    }
    pages = []
    with suppress(_Enough), desk.services.database.write() as session:
        pages.append(_show(request, session, desk, _keep(session, desk, raw, compiled), extra))
        raise _Enough
    return pages[0]


def _show(request: Request, session: Session, desk: Desk, feed: PublishedFeed, extra: dict[str, Any]) -> Response:
    """The page of the version's only line."""
    chosen = select(FeedLine.slug).where(
        FeedLine.authority_id == feed.authority_id, FeedLine.version_id == feed.version_id
    )
    slug = request.path_params["line"] = session.exec(chosen).one()
    extra["public_address"] = town_url(desk.authority, "linhas", slug)
    return line_page(request, session, desk.authority, feed, desk.today, (), TEMPLATE, extra)


def _leave_alone(line: SketchLine, sketch: Sketch) -> Sketch:
    """The sketch with one line and its stops."""
    called = {call.stop for way in line.ways for call in way.calls}
    return replace(sketch, lines=(line,), stops=tuple(stop for stop in sketch.stops if stop.id in called))


def _stay_here(code: str, authority: Authority, *parts: str, **query: str) -> str:
    """As `web.addresses.town_url`; the line's own address is that of its preview."""
    if len(parts) != 2 or parts[0] != "linhas":
        return town_url(authority, *parts, **query)
    return f"{HOME}/{code}/previa{f'?{urlencode(query)}' if query else ''}"


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
