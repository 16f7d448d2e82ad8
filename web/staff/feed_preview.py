"""A version as riders will see it: the same pages, marked as a draft, leading to each other."""

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from complaints.authorities.tables import Authority
from gtfs.published import PublishedFeed, find_version, list_lines
from web.addresses import town_url
from web.rider.line_sheet import judge_validity
from web.rider.lines import line_page
from web.rider.stops import stop_page
from web.staff.feeds import PERMISSION
from web.staff.routing import PREFIX, Desk, StaffRoute
from web.templating import render

_SHOWN_PARTS = {("linhas", 1), ("linhas", 2), ("paradas", 2)}
"""What a preview has of its own, by the first part of an address and the number of parts."""


@dataclass(frozen=True)
class Preview:
    """The draft that a page shows; `town_url` leads to its own pages, or to public ones it lacks."""

    number: int

    def town_url(self, authority: Authority, *parts: str, **query: str) -> str:
        """As `web.addresses.town_url`, within the preview."""
        public = town_url(authority, *parts, **query)
        if not parts or (parts[0], len(parts)) not in _SHOWN_PARTS:
            return public
        return f"{PREFIX}/horarios/{self.number}/previa/{public.split('/', 2)[2]}"


def show_lines(request: Request, desk: Desk) -> Response:
    """All lines of the draft."""
    with desk.services.database.read() as session:
        feed = _begin(request, desk)
        context = {
            "lines": list_lines(session, feed),
            "similar": False,
            "values": {"q": ""},
            "validity": judge_validity(feed, desk.today),
            "alerts": (),
        }
    return render(request, "lines/list.html", context)


def show_line(request: Request, desk: Desk) -> Response:
    """One line of the draft."""
    with desk.services.database.read() as session:
        return line_page(request, session, desk.authority, _begin(request, desk), desk.today, ())


def show_stop(request: Request, desk: Desk) -> Response:
    """One stop of the draft."""
    with desk.services.database.read() as session:
        return stop_page(request, session, desk.authority, _begin(request, desk), desk.now, ())


def _begin(request: Request, desk: Desk) -> PublishedFeed:
    number = request.path_params["number"]
    with desk.services.database.read() as session:
        feed = find_version(session, desk.authority_id, number)
    if feed is None:
        raise HTTPException(404)
    request.state.preview = Preview(number)
    return feed


ROUTES = (
    StaffRoute("/horarios/{number:int}/previa/linhas", show_lines, PERMISSION),
    StaffRoute("/horarios/{number:int}/previa/linhas/{line}", show_line, PERMISSION),
    StaffRoute("/horarios/{number:int}/previa/paradas/{stop}", show_stop, PERMISSION),
)
