"""The application: routes in the order they are tried, and what surrounds every request."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send
from starlette_compress import CompressMiddleware

from web import api, rider, staff
from web.caching import PageMemory
from web.csrf import CrossSiteGuard
from web.errors import ErrorBoundary, answer_error
from web.reference import RequestReference
from web.rider.town import find_town
from web.security import BodyLimit, ReadablePaths, SecurityHeaders, headers_for
from web.services import Services, open_services
from web.settings import read_settings
from web.static_files import load_static_files
from web.swift_pages import SwiftPages
from web.templating import load_environment
from web.warming import warm_up
from web.whole_bodies import take_bodies_whole

MACHINES = ("/webhooks/",)
"""Addresses that other machines post to; they prove themselves by signature."""


def create_app(services: Services) -> Starlette:
    """Build the application on open services."""
    load_environment()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        warm_up()
        yield
        services.close()

    routes: list[BaseRoute] = [*load_static_files().routes, *api.routes, *staff.routes, *rider.routes]
    app = Starlette(
        routes=take_bodies_whole(routes),
        middleware=[
            Middleware(SwiftPages, clock=services.clock),
            Middleware(RequestReference),
            Middleware(SecurityHeaders, headers=headers_for(services.settings.public_url)),
            Middleware(CompressMiddleware),
            Middleware(ErrorBoundary),
            Middleware(BodyLimit),
            Middleware(ReadablePaths),
            Middleware(CrossSiteGuard, public_url=services.settings.public_url, exempt=MACHINES),
        ],
        exception_handlers={HTTPException: answer_error},
        lifespan=lifespan,
    )
    app.state.services = services
    app.state.pages = PageMemory()
    app.state.towns = {}
    app.router.redirect_slashes = False
    app.router.default = OtherSlash(app.router.routes)
    return app


def app_from_environment() -> Starlette:
    """Build the application from the environment; every server process calls this once."""
    return create_app(open_services(read_settings(os.environ)))


class OtherSlash:
    """What no route takes: 308 to the same address with or without its last slash if that exists, else 404.

    The address stays relative: what a request says of the host is never repeated. The 404 page keeps the town.
    """

    def __init__(self, routes: list[BaseRoute]) -> None:
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000, "reason": ""})
            return
        path: str = scope["path"]
        town = await run_in_threadpool(find_town, Request(scope), path.split("/")[1])
        other = path.rstrip("/") if path.endswith("/") else f"{path}/"
        pattern = self._find_pattern({**scope, "path": other})
        if "//" in path or not pattern or (town is None and pattern.startswith("/{a")):
            raise HTTPException(404)
        query = scope["query_string"].decode("latin-1")
        location = quote(other) + (f"?{query}" if query else "")
        await RedirectResponse(location, status_code=308)(scope, receive, send)

    def _find_pattern(self, scope: Scope) -> str:
        for route in self.routes:
            if route.matches(scope)[0] is not Match.NONE:
                return str(getattr(route, "path", ""))
        return ""
