"""Request bodies are taken in whole before a handler gets its thread: a weak signal holds up nobody else.

Handlers are sync and threads are few. A photo that takes minutes to come up from a telephone waits here, in memory
or in a temporary file, and not in a thread.
"""

from collections.abc import Iterable
from copy import copy
from tempfile import SpooledTemporaryFile

from anyio import fail_after
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import ClientDisconnect
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.csrf import SAFE_METHODS

SILENCE_SECONDS = 60.0
"""How long a body may stand still before its sender is told to try again."""

_MEMORY_BYTES = 256 * 1024
_CHUNK_BYTES = 64 * 1024


class WholeBody:
    """Reads the body of an unsafe request to its end, then hands it over at once. Raises HTTPException 408."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in SAFE_METHODS:
            await self.app(scope, receive, send)
            return
        with SpooledTemporaryFile[bytes](max_size=_MEMORY_BYTES) as kept:
            length = await _take_in(receive, kept)
            kept.seek(0)
            await self.app(scope, _hand_over(kept, length, receive), send)


def take_bodies_whole(routes: Iterable[BaseRoute]) -> list[BaseRoute]:
    """The same routes, each waiting for the whole body, inside its own limit for it."""
    return [_taking_whole(route) if isinstance(route, Route) else route for route in routes]


def _taking_whole(route: Route) -> Route:
    if (route.methods or set()) <= SAFE_METHODS:
        return route
    waiting, app = copy(route), route.app
    if isinstance(app, RequestBodyLimitMiddleware):
        waiting.app = RequestBodyLimitMiddleware(WholeBody(app.app), max_body_size=app.max_body_size)
    else:
        waiting.app = WholeBody(app)
    return waiting


async def _take_in(receive: Receive, kept: "SpooledTemporaryFile[bytes]") -> int:
    length, more = 0, True
    while more:
        try:
            with fail_after(SILENCE_SECONDS):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408) from None
        if message["type"] != "http.request":
            raise ClientDisconnect
        body: bytes = message.get("body", b"")
        more = message.get("more_body", False)
        length += len(body)
        if length > _MEMORY_BYTES:
            await run_in_threadpool(kept.write, body)
        else:
            kept.write(body)
    return length


def _hand_over(kept: "SpooledTemporaryFile[bytes]", length: int, receive: Receive) -> Receive:
    """What the handler receives: the kept body in pieces, then whatever the server says next."""
    left, over = length, False

    async def hand_over() -> Message:
        nonlocal left, over
        if over:
            return await receive()
        body = await run_in_threadpool(kept.read, _CHUNK_BYTES) if length > _MEMORY_BYTES else kept.read()
        left -= len(body)
        over = left <= 0
        return {"type": "http.request", "body": body, "more_body": not over}

    return hand_over
