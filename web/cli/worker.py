"""`selo worker`: the process that sends messages and does what is due."""

import os
import signal
import threading
from types import FrameType

import click

from web.cli import opened_services

STOP_SECONDS = 12
"""How long the task in hand may take to finish after the order to stop."""


@click.command()
@click.option("--parent", type=int, hidden=True, help="End when this process does.")
def worker(parent: int | None) -> None:
    """Send messages and do what is due, until SIGTERM or Ctrl-C."""
    from web.logs import configure_logs
    from web.worker import TASKS, run_worker
    from web.worker_child import call_when_orphaned

    configure_logs()
    stop = threading.Event()

    def order_stop(_number: int = 0, _frame: FrameType | None = None) -> None:
        if not stop.is_set():
            stop.set()
            timer = threading.Timer(STOP_SECONDS, os._exit, (1,))
            timer.daemon = True
            timer.start()

    signal.signal(signal.SIGTERM, order_stop)
    signal.signal(signal.SIGINT, order_stop)
    if parent is not None:
        call_when_orphaned(parent, order_stop)
    with opened_services() as services:
        run_worker(services, TASKS, stop)
