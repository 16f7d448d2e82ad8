"""`/robots.txt`: what search engines leave alone."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

RULES = """\
User-agent: *
Disallow: /equipe/
Disallow: /webhooks/
Disallow: /*/acompanhar
"""


def show_robots(request: Request) -> Response:
    """The rules; nothing of a person is public anyway."""
    return PlainTextResponse(RULES, headers={"Cache-Control": "public, max-age=86400"})


routes: list[BaseRoute] = [Route("/robots.txt", show_robots, name="robots")]
