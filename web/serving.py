"""The HTTP server: a listening socket of our own, one process or several, and a stop that ends in time."""

import errno
import logging
import os
import signal
import socket
import sys
import threading
from multiprocessing import parent_process
from types import FrameType
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config, Server
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from web.db import THREADS
from web.logs import configure_logs

STOP_SECONDS = 10.0
"""How long running requests may take to finish after the order to stop."""

_BACKLOG = 2048
_REASONS = {
    errno.EADDRINUSE: "another program is using it; choose another one with PORT or --port",
    errno.EACCES: "no permission (ports below 1024 belong to root); choose another one with PORT or --port",
    errno.EADDRNOTAVAIL: "this machine does not have that address (HOST or --host)",
}
log = logging.getLogger("selo.serving")


class CannotListen(Exception):
    """The address cannot be listened on; the message says why and what to do."""


def open_socket(host: str, port: int) -> socket.socket:
    """Listen, so that connections queue while the server starts. Raises CannotListen.

    The protocol is named because asyncio turns Nagle's delay off only on sockets that say they are TCP.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as problem:
        raise CannotListen(f"cannot listen on {host}: {problem.strerror} (HOST or --host)") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as problem:
        listener.close()
        reason = _REASONS.get(problem.errno or 0, problem.strerror)
        raise CannotListen(f"cannot listen on {host} port {port}: {reason}") from None
    return listener


def serve(listener: socket.socket, workers: int, app: str = "web.serving:build_app") -> None:
    """Answer requests on `listener` until SIGTERM or SIGINT, then finish what is running.

    `app` names the factory that each process calls. Raises SystemExit only when it cannot start.
    """
    config = Config(
        app,
        factory=True,
        workers=workers,
        loop="asyncio",
        http="httptools",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=round(STOP_SECONDS),
    )
    for stopping in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stopping, _leave)
    try:
        if workers == 1:
            Server(config).run(sockets=[listener])
        else:
            _Processes(config, [listener]).run()
    except SystemExit as leaving:
        if leaving.code:
            raise
    LAST_RESORT.call_off()


def build_app() -> ASGIApp:
    """The application of one server process; a process that cannot have it ends for good."""
    configure_logs()
    stop_with_parent()
    try:
        from web.app import app_from_environment

        return ServerProcess(app_from_environment())
    except Exception:
        log.exception("cannot start")
        sys.exit(STARTUP_FAILURE)


class LastResort:
    """Ends the process even if a request's thread never returns (a thread cannot be cancelled)."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def exit_within(self, seconds: float) -> None:
        """End the process after so many seconds, unless it ends by itself or this is called off."""
        self.call_off()
        self._timer = threading.Timer(seconds, os._exit, (0,))
        self._timer.daemon = True
        self._timer.start()

    def call_off(self) -> None:
        """What was feared did not happen."""
        if self._timer is not None:
            self._timer.cancel()


LAST_RESORT = LastResort()


class ServerProcess:
    """Around the application: as many threads as connections to the database, and an end that cannot hang."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        current_default_thread_limiter().total_tokens = THREADS

        async def receive_and_watch() -> Any:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                LAST_RESORT.exit_within(STOP_SECONDS / 5)
            return message

        await self.app(scope, receive_and_watch, send)


class _Processes(Multiprocess):
    """Several server processes on one socket; one that does not end in time is killed."""

    def terminate_all(self) -> None:
        for listener in self.sockets:
            listener.close()
        super().terminate_all()

    def join_all(self) -> None:
        for process in self.processes:
            process.process.join(STOP_SECONDS + 5)
            if process.process.is_alive():
                log.error("server process killed", extra={"pid": process.pid})
                process.process.kill()
                process.process.join()

    def run(self) -> None:
        super().run()
        if any(process.exitcode == STARTUP_FAILURE for process in self.processes):
            sys.exit(STARTUP_FAILURE)


def _leave(_number: int, _frame: FrameType | None) -> None:
    """Before uvicorn listens to signals, and when it repeats the one that ended it: a clean exit."""
    raise SystemExit(0)


def stop_with_parent() -> None:
    """A server process whose supervisor was killed stops too, and so frees the port."""
    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        log.error("the supervisor died; stopping")
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent watch", daemon=True).start()
