"""A short reference for every request: in its header, on error pages and in the access log."""

import logging
import time

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from complaints.ids import new_public_id

log = logging.getLogger("selo.access")
UNMATCHED = "(no route)"


def new_reference() -> str:
    """Eight letters and digits that can be read out on the telephone, as `K7M2-9PXQ`."""
    letters = new_public_id(8)
    return f"{letters[:4]}-{letters[4:]}"


class RequestReference:
    """Names each request in `request.state.reference` and logs it by its route, never by what was typed."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        reference = new_reference()
        scope.setdefault("state", {})["reference"] = reference
        started = time.perf_counter()
        status, size = 0, 0

        async def send_with_reference(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = reference
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, send_with_reference)
        finally:
            log.info(
                "request",
                extra={
                    "reference": reference,
                    "method": scope["method"],
                    "route": getattr(scope.get("route"), "path", UNMATCHED),
                    "status": status,
                    "bytes": size,
                    "milliseconds": round((time.perf_counter() - started) * 1000, 1),
                },
            )
