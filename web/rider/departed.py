"""Addresses of lines and stops that ended, have another address now, or are still to come."""

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from complaints.authorities.tables import Authority
from gtfs.departed import Ended, Moved, find_departed, list_slugs
from gtfs.published import PublishedFeed
from gtfs.version_rows import AddressKind
from web.addresses import town_url
from web.forms import query_text
from web.templating import render

READ = ("dia", "hora")
MAX_TEXT = 40
KINDS: tuple[AddressKind, ...] = ("line", "stop")
PARTS = {"line": "linhas", "stop": "paradas"}


def answer_departed(
    request: Request, session: Session, town: Authority, feed: PublishedFeed, kind: AddressKind, slug: str
) -> Response:
    """Lead on to the new address (301), to what serves instead (410), or tell when it begins (404).

    Raises HTTPException 404 for what never was an address. No answer is stored: a roll-back may make the address
    good again.
    """
    found = find_departed(session, feed, kind, slug)
    headers = {"Cache-Control": "no-store"}
    if isinstance(found, Moved):
        asked = {name: text for name in READ if (text := query_text(request, name, MAX_TEXT))}
        target = town_url(town, PARTS[kind], found.slug, **asked)
        return RedirectResponse(target, status_code=301, headers=headers)
    if found is None:
        raise HTTPException(404)
    context: dict[str, object] = {"found": found, "kind": kind}
    if isinstance(found, Ended):
        context |= {f"{one}_slugs": list_slugs(session, feed, one) for one in KINDS}
        return render(request, "lines/ended.html", context, status_code=410, headers=headers)
    return render(request, "lines/coming.html", context, status_code=404, headers=headers)
