"""`selo serve`: the web server, with the worker beside it when asked."""

import logging
import os

import click

from web.cli import BadInput, opened_services


@click.command()
@click.option("--host", help="Address to listen on (HOST; default 127.0.0.1).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on (PORT; default 8000).")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Server processes.")
@click.option("--with-worker", is_flag=True, help="Run `selo worker` as a child of this process.")
def serve(host: str | None, port: int | None, workers: int, with_worker: bool) -> None:
    """Answer HTTP requests until SIGTERM or Ctrl-C."""
    from web.logs import configure_logs
    from web.serving import LAST_RESORT, CannotListen, open_socket
    from web.serving import serve as serve_on
    from web.worker_child import WorkerChild, worker_command

    if host is not None:
        os.environ["HOST"] = host
    if port is not None:
        os.environ["PORT"] = str(port)
    with opened_services() as services:
        settings = services.settings
    try:
        listener = open_socket(settings.host, settings.port)
    except CannotListen as problem:
        raise BadInput(str(problem)) from None
    configure_logs()
    bound_host, bound_port = listener.getsockname()[:2]
    os.environ["PORT"] = str(bound_port)
    log = logging.getLogger("selo.serving")
    log.info("listening", extra={"host": bound_host, "port": bound_port, "processes": workers})
    child = WorkerChild(worker_command()) if with_worker else None
    try:
        serve_on(listener, workers)
    finally:
        if child is not None:
            child.stop()
    log.info("stopped")
    LAST_RESORT.exit_within(1)
