"""Forged requests: posts from other sites are refused, and staff forms prove that they were ours."""

import hmac
import secrets
from hashlib import sha256
from urllib.parse import urlsplit

from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

FIELD = "csrf"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
SECRET_BYTES = 32


class ForgedRequest(Exception):
    """A form came from another site, or without the proof that this session's page carried."""


class CrossSiteGuard:
    """Refuses unsafe requests that a browser says come from another site; `exempt` are path prefixes.

    Sec-Fetch-Site decides when present. Otherwise Origin must be ours: the public address, or the host the
    browser asked for. `Origin: null` counts as absent, because our own no-referrer pages send it; the session's
    token covers those. Clients that are no browser send neither.
    """

    def __init__(self, app: ASGIApp, public_url: str, exempt: tuple[str, ...] = ()) -> None:
        self.app = app
        self.public_host = urlsplit(public_url).netloc.lower()
        self.exempt = exempt

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._may_pass(scope):
            raise ForgedRequest
        await self.app(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        if scope["method"] in SAFE_METHODS or scope["path"].startswith(self.exempt):
            return True
        headers = Headers(scope=scope)
        fetch_site = headers.get("sec-fetch-site")
        if fetch_site is not None:
            return fetch_site in ("same-origin", "none")
        origin = headers.get("origin", "null")
        if origin == "null":
            return True
        host = origin.partition("://")[2].lower()
        return host in (self.public_host, headers.get("host", "").lower())


def session_secret(secret_key: bytes, session_id: str) -> bytes:
    """The secret a session's forms carry; put it into `request.state.csrf_secret` when a session is known."""
    return hmac.digest(secret_key, b"csrf:" + session_id.encode(), sha256)


def csrf_field(request: Request) -> Markup:
    """The hidden field of a staff form. Another text in every response, so compression tells nothing of it."""
    token = mask(request.state.csrf_secret)
    return Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, token)


def require_csrf(request: Request, token: str) -> None:
    """Raise ForgedRequest unless `token`, read from the form, was made for this session."""
    secret: bytes | None = getattr(request.state, "csrf_secret", None)
    if secret is None or not hmac.compare_digest(unmask(token), secret):
        raise ForgedRequest


def mask(secret: bytes) -> str:
    """Return a fresh pad and the secret under it, in hexadecimal."""
    pad = secrets.token_bytes(len(secret))
    return (pad + _xor(pad, secret)).hex()


def unmask(token: str) -> bytes:
    """Return what `mask` hid; empty for what it did not make."""
    try:
        raw = bytes.fromhex(token)
    except ValueError:
        return b""
    if len(raw) != 2 * SECRET_BYTES:
        return b""
    return _xor(raw[:SECRET_BYTES], raw[SECRET_BYTES:])


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))
