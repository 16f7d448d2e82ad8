"""A server process for test_serving: the real server around an application whose requests can be held.

Arguments: number of server processes, seconds a stop may take. Prints the port it listens on.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from web import serving
from web.logs import configure_logs


def show_pid(_request: Request) -> PlainTextResponse:
    """Which process answers."""
    return PlainTextResponse(str(os.getpid()))


def hold(request: Request) -> PlainTextResponse:
    """Answer once the file named in the query is gone; says that it runs by making the file."""
    path = Path(request.query_params["file"])
    path.touch()
    while path.exists():
        time.sleep(0.005)
    return PlainTextResponse("done")


@asynccontextmanager
async def lifespan(_app: Starlette) -> AsyncIterator[None]:
    """Says that the application was closed properly."""
    await asyncio.sleep(0)
    yield
    print("closed", flush=True)


def build_app() -> ASGIApp:
    """The application of one server process."""
    configure_logs()
    serving.stop_with_parent()
    app = Starlette(routes=[Route("/", show_pid), Route("/hold", hold)], lifespan=lifespan)
    return serving.ServerProcess(app)


def main(processes: int, stop_seconds: float) -> None:
    """Serve until told to stop."""
    configure_logs()
    serving.STOP_SECONDS = stop_seconds
    listener = serving.open_socket("127.0.0.1", 0)
    print(f"port {listener.getsockname()[1]} .", flush=True)
    serving.serve(listener, processes, app="tests.web.serving_process:build_app")
    print("stopped", flush=True)
    serving.LAST_RESORT.exit_within(1)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
