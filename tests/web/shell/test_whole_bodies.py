"""Somebody sends a photo over a weak signal: the others are answered meanwhile."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
import pytest
from anyio.from_thread import start_blocking_portal
from starlette.applications import Starlette
from starlette.types import Message, Scope

import web.whole_bodies
from complaints.authorities.tables import Authority
from web.app import create_app
from web.db import THREADS
from web.services import Services
from web.whole_bodies import take_bodies_whole

T = TypeVar("T")
PATIENCE_SECONDS = 10
FORM = b"relato=a+van+passou+direto"


def request_for(method: str, path: str, length: int = 0) -> Scope:
    """What a server says of a request."""
    headers = [(b"host", b"testserver"), (b"content-type", b"application/x-www-form-urlencoded")]
    if length:
        headers.append((b"content-length", str(length).encode()))
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": b"",
        "headers": headers,
        "client": ("203.0.113.7", 5000),
        "server": ("testserver", 80),
    }


async def ask(
    app: Starlette, scope: Scope, parts: Callable[[int], tuple[bytes, bool] | None]
) -> tuple[int, bytes]:
    """Status and body of the answer; `parts(n)` is the n-th piece and whether more come, None for never again."""
    asked, status, answer = 0, 0, b""

    async def receive() -> Message:
        nonlocal asked
        piece = parts(asked)
        asked += 1
        if piece is None:
            await anyio.sleep(2 * PATIENCE_SECONDS)
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": piece[0], "more_body": piece[1]}

    async def send(message: Message) -> None:
        nonlocal status, answer
        status = message.get("status", status)
        answer += message.get("body", b"")

    await app(scope, receive, send)
    return status, answer


def in_a_loop(run: Callable[..., Awaitable[T]], *values: object) -> T:
    """Run it in an event loop of another thread, as browsers of other tests may have one in this."""
    with start_blocking_portal() as portal:
        return portal.call(run, *values)


def test_forms_that_never_end_keep_nobody_else_waiting(shell_services: Services) -> None:
    app = create_app(shell_services)

    async def run() -> int:
        async with anyio.create_task_group() as group:
            for _ in range(2 * THREADS):
                form = request_for("POST", "/marica/reclamar", 1000)
                group.start_soon(ask, app, form, lambda n: (FORM, True) if n == 0 else None)
            await anyio.wait_all_tasks_blocked()
            with anyio.fail_after(PATIENCE_SECONDS):
                status, _ = await ask(app, request_for("GET", "/marica/acompanhar"), lambda n: (b"", False))
            group.cancel_scope.cancel()
        return status

    assert in_a_loop(run) == 200


def test_a_form_that_stops_coming_is_told_so(shell_services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web.whole_bodies, "SILENCE_SECONDS", 0.01)
    form = request_for("POST", "/marica/reclamar", 1000)
    status, page = in_a_loop(ask, create_app(shell_services), form, lambda n: (FORM, True) if n == 0 else None)
    assert status == 408
    assert "O formulário chegou incompleto" in page.decode()


@pytest.mark.parametrize("size", [1, 60_000, 250_000])
def test_a_form_in_many_pieces_arrives_whole(services: Services, towns: dict[str, Authority], size: int) -> None:
    app = create_app(services)
    assert "marica" in towns
    body = FORM + b"&placa=" + b"A" * size
    pieces = [body[start : start + 1000] for start in range(0, len(body), 1000)]
    scope = request_for("POST", "/marica/reclamar", len(body))
    status, page = in_a_loop(ask, app, scope, lambda n: (pieces[n], n + 1 < len(pieces)))
    assert status == (200 if size == 1 else 422)
    assert size == 1 or "Use no máximo 40 letras aqui" in page.decode()


def test_routes_of_the_program_stay_as_they_are(shell_services: Services) -> None:
    app = create_app(shell_services)
    before = [getattr(route, "app", None) for route in app.router.routes]
    again = take_bodies_whole(app.router.routes)
    assert [getattr(route, "app", None) for route in app.router.routes] == before
    assert len(again) == len(before)
