"""Public pages sent again within half a second, without a thread, a database, a template or a line in the log."""

import asyncio
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.db import Database
from web.entity_tags import matches
from web.reference import UNMATCHED

log = logging.getLogger("selo.access")

KEPT = timedelta(seconds=0.5)
"""Browsers keep a page for a second more; what another process publishes shows within two."""
MOST_PAGES = 500
MOST_BYTES = 4 * 1024 * 1024

_MARK = "web.swift_pages"
_READ = (b"accept-encoding", b"hx-request", b"hx-request-type")
"""The headers that change a public page; whoever sends one of _UNLIKE gets an answer of its own."""
_UNLIKE = (b"range", b"authorization")
_OWN = (b"x-request-id", b"date")
_OF_THE_BODY = (b"content-encoding", b"content-length", b"content-type")
_EMPTY: Message = {"type": "http.response.body", "body": b""}

Key = tuple[bytes, ...]


@dataclass(slots=True)
class _Kept:
    """An answer as it went out, when and after how many writes it was made, and how often it was sent again."""

    start: Message
    unchanged: Message
    body: Message
    tag: str
    since: datetime
    writes: int
    route: str
    times: int = 0


def may_be_sent_again(scope: Scope) -> None:
    """Say of the present request that its answer is the same for everybody for the next half second."""
    if _MARK in scope:
        scope[_MARK]["again"] = True


class SwiftPages:
    """Sends the last answer again to whoever asks for the same page; a write in this process ends all of them."""

    def __init__(self, app: ASGIApp, clock: Callable[[], datetime]) -> None:
        self.app = app
        self.clock = clock
        self._kept: dict[Key, _Kept] = {}
        self._coming: dict[Key, asyncio.Event] = {}
        self._size = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = _key(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        if key is None:
            await self.app(scope, receive, send)
            return
        kept = self._find(key) or await self._wait(key)
        if kept is not None:
            wanted = next((value for name, value in scope["headers"] if name == b"if-none-match"), None)
            if wanted is None or matches(wanted.decode("latin-1"), kept.tag):
                kept.times += 1
                await send(kept.start if wanted is None else kept.unchanged)
                await send(kept.body if wanted is None else _EMPTY)
                return
        if key not in self._kept or key in self._coming:
            await self._make(key, scope, receive, send)
            return
        coming = self._coming[key] = asyncio.Event()
        try:
            await self._make(key, scope, receive, send)
        finally:
            del self._coming[key]
            coming.set()

    async def _wait(self, key: Key) -> _Kept | None:
        """When the time of a page is over, one request makes it anew and the others wait for that."""
        coming = self._coming.get(key)
        if coming is None:
            return None
        await coming.wait()
        return self._find(key)

    def _find(self, key: Key) -> _Kept | None:
        kept = self._kept.get(key)
        if kept is None or kept.writes != Database.writes:
            return None
        return kept if timedelta() <= self.clock() - kept.since < KEPT else None

    async def _make(self, key: Key, scope: Scope, receive: Receive, send: Send) -> None:
        since, writes = self.clock(), Database.writes
        mark = scope[_MARK] = {"again": False}
        sent: list[Message] = []

        async def watch(message: Message) -> None:
            if len(sent) < 3:
                sent.append(message)
            await send(message)

        await self.app(scope, receive, watch)
        if mark["again"] and len(sent) == 2 and sent[0]["status"] == 200:
            start, unchanged = _copy(sent[0], 200, _OWN), _copy(sent[0], 304, (*_OWN, *_OF_THE_BODY))
            tag = Headers(raw=start["headers"]).get("etag", "")
            route = getattr(scope.get("route"), "path", UNMATCHED)
            self._keep(key, _Kept(start, unchanged, sent[1], tag, since, writes, route))

    def _keep(self, key: Key, kept: _Kept) -> None:
        self._drop(key)
        self._size += len(kept.body.get("body", b""))
        self._kept[key] = kept
        while len(self._kept) > MOST_PAGES or self._size > MOST_BYTES:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: Key) -> None:
        kept = self._kept.pop(key, None)
        if kept is None:
            return
        self._size -= len(kept.body.get("body", b""))
        if kept.times:
            log.info("sent again", extra={"route": kept.route, "times": kept.times})


def _key(scope: Scope) -> Key | None:
    read = dict.fromkeys(_READ, b"")
    for name, value in scope["headers"]:
        if name in read:
            read[name] = value
        elif name in _UNLIKE:
            return None
    return (scope["path"].encode("utf-8", "surrogatepass"), scope["query_string"], *read.values())


def _copy(start: Message, status: int, without: Collection[bytes]) -> Message:
    headers = tuple((name, value) for name, value in start["headers"] if name.lower() not in without)
    return {"type": start["type"], "status": status, "headers": headers}
