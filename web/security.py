"""What every answer forbids the browser, how large a request may be, and who a request comes from."""

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from anyio import move_on_after
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.settings import Settings

BODY_BYTES = 256 * 1024
"""Largest request body, unless a route says otherwise with `max_body_size`."""
PATIENCE_BYTES = 64 * 1024 * 1024
PATIENCE_SECONDS = 20
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def headers_for(public_url: str) -> Mapping[str, str]:
    """The headers of every answer; HTTPS is only insisted on where the public address has it."""
    if urlsplit(public_url).scheme == "https":
        return {**HEADERS, "Strict-Transport-Security": "max-age=31536000"}
    return HEADERS


class SecurityHeaders:
    """Adds the headers that an answer does not set itself."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self.app = app
        self.headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    present.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class ReadablePaths:
    """Answers 404 to paths with control characters or broken UTF-8 before any page or database sees them."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not is_readable(scope["path"]):
            raise HTTPException(404)
        await self.app(scope, receive, send)


def is_readable(path: str) -> bool:
    """Tell whether a decoded path has only characters that an address of ours may carry."""
    return path.startswith("/") and path.isprintable() and "\ufffd" not in path and "\\" not in path


class BodyLimit:
    """Limits request bodies, with a page instead of Starlette's bare text.

    A browser shows an answer only after its upload was taken, so what is too large is read and thrown away, up
    to PATIENCE_BYTES and PATIENCE_SECONDS.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.limited = RequestBodyLimitMiddleware(app, max_body_size=BODY_BYTES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = False

        async def send_unless_bare(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] == 413:
                refused = MutableHeaders(scope=message).get("content-type", "").startswith("text/plain")
            if not refused:
                await send(message)

        await self.limited(scope, receive, send_unless_bare)
        if refused:
            await _drain(receive)
            raise HTTPException(413)


async def _drain(receive: Receive) -> None:
    left = PATIENCE_BYTES
    with move_on_after(PATIENCE_SECONDS):
        while left > 0:
            message = await receive()
            if message["type"] != "http.request" or not message.get("more_body", False):
                return
            left -= len(message.get("body", b""))


def client_address(request: Request) -> str:
    """The address of the person's device, for throttling.

    X-Forwarded-For counts only as far as `settings.trusted_proxies` vouch for it, read from the right.
    """
    settings: Settings = request.app.state.services.settings
    address = request.client.host if request.client else "unix"
    hops = [hop.strip() for hop in ",".join(request.headers.getlist("x-forwarded-for")).split(",")]
    while hops and _is_trusted(address, settings):
        hop = hops.pop()
        if _parse(hop) is None:
            break
        address = hop
    parsed = _parse(address)
    return str(parsed) if parsed else address


def address_block(address: str) -> str:
    """The /24 or /48 that an address is in; what is no address stays as it is."""
    parsed = _parse(address)
    if parsed is None:
        return address
    return str(ip_network(f"{parsed}/{24 if parsed.version == 4 else 48}", strict=False))


def _is_trusted(address: str, settings: Settings) -> bool:
    parsed = _parse(address)
    return parsed is not None and any(parsed in network for network in settings.trusted_proxies)


def _parse(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
