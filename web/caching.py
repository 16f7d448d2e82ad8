"""What may be kept, by whom and how long: entity tags, remembered public pages, and pages never stored."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from starlette.requests import Request
from starlette.responses import Response

from web.encodings import choose_encoding, compress
from web.entity_tags import entity_tag, matches
from web.htmx import VARY, is_fragment_request
from web.swift_pages import may_be_sent_again
from web.templating import fingerprint

MAX_AGE = 1
"""Seconds for which a browser may show a public page again without asking: what is published shows within two."""


class PageMemory:
    """A bounded memory of rendered public pages, each body already compressed. Safe between threads."""

    def __init__(self, limit_bytes: int = 32 * 1024 * 1024) -> None:
        self.limit_bytes = limit_bytes
        self._size = 0
        self._bodies: OrderedDict[str, tuple[bytes, str]] = OrderedDict()
        self._lock = Lock()

    def find(self, tag: str) -> tuple[bytes, str] | None:
        """Return (body, media type) remembered under a tag, or None."""
        with self._lock:
            found = self._bodies.get(tag)
            if found:
                self._bodies.move_to_end(tag)
            return found

    def keep(self, tag: str, body: bytes, media_type: str) -> None:
        """Remember a body; the ones unused longest make room."""
        with self._lock:
            old = self._bodies.pop(tag, None)
            self._size += len(body) - (len(old[0]) if old else 0)
            self._bodies[tag] = (body, media_type)
            while self._size > self.limit_bytes:
                _, (dropped, _) = self._bodies.popitem(last=False)
                self._size -= len(dropped)


def cached(
    request: Request, key: str, max_age: int, build: Callable[[], Response], *, reads: tuple[str, ...] = ()
) -> Response:
    """Answer a public page from the browser's copy (304), from memory, or by building it.

    `key` names everything that changes the page beside its path: version of the published data, the day, the
    minute if it shows one. `reads` are the query parameters the page reads; all others make no difference.
    `max_age` is in seconds. Only a 200 without cookies is kept.
    """
    if request.method not in ("GET", "HEAD"):
        return build()
    encoding = choose_encoding(request.headers.get("accept-encoding", ""))
    identity = _identity(request, key, reads)
    tag = entity_tag(identity)
    headers = {"ETag": tag, "Cache-Control": f"public, max-age={max_age}", "Vary": f"Accept-Encoding, {VARY}"}
    if matches(request.headers.get("if-none-match"), tag):
        return Response(status_code=304, headers=headers)
    memory: PageMemory = request.app.state.pages
    remembered = memory.find(f"{identity}/{encoding}")
    if remembered is None:
        response = build()
        if response.status_code != 200 or "set-cookie" in response.headers:
            return response
        remembered = compress(bytes(response.body), encoding), response.headers["content-type"]
        memory.keep(f"{identity}/{encoding}", *remembered)
    may_be_sent_again(request.scope)
    body, media_type = remembered
    if encoding != "identity":
        headers["Content-Encoding"] = encoding
    return Response(body, headers={**headers, "Content-Type": media_type})


def no_store(response: Response) -> Response:
    """Mark a page with somebody's case, receipt, evidence or desk: kept nowhere, its address told to nobody."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _identity(request: Request, key: str, reads: tuple[str, ...]) -> str:
    query = [(name, request.query_params.getlist(name)) for name in reads]
    text = repr((fingerprint(), request.url.path, query, key, is_fragment_request(request)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]
