"""The town's feed for other software: the zip exactly as it was published."""

from email.utils import format_datetime, parsedate_to_datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gtfs.published import PublishedFeed, get_archive
from web.entity_tags import matches
from web.rider.town import get_town
from web.rider.town_feed import get_feed
from web.services import Services

MAX_AGE = 300


def send_feed(request: Request) -> Response:
    """The zip, byte for byte; 304 when the client has it already."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        feed = get_feed(session, town)
        headers = {
            "ETag": f'"{feed.sha256}"',
            "Last-Modified": format_datetime(feed.published_at, usegmt=True),
            "Cache-Control": f"public, max-age={MAX_AGE}",
            "Content-Disposition": f'attachment; filename="{town.slug}-gtfs.zip"',
        }
        if _is_known(request, feed):
            return Response(status_code=304, headers=headers)
        return Response(get_archive(session, feed), media_type="application/zip", headers=headers)


def _is_known(request: Request, feed: PublishedFeed) -> bool:
    """Whether the client's copy is the published one (RFC 9110, 13.1): the tag decides where it is given."""
    tag = request.headers.get("if-none-match")
    if tag is not None:
        return matches(tag, f'"{feed.sha256}"')
    try:
        since = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
        return since >= feed.published_at.replace(microsecond=0)
    except (ValueError, TypeError):
        return False


routes: list[BaseRoute] = [Route("/{a:town}/gtfs.zip", send_feed, name="feed_zip")]
