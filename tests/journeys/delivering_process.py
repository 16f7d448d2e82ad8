"""A worker process for test_delivery_kill: the real worker, whose clock runs ahead by some seconds.

So leases of a process that was killed have ended when the next one starts, and no test waits for them.
"""

import os
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from web.logs import configure_logs
from web.messaging import deliver_messages, reconcile_messages
from web.services import open_services
from web.settings import read_settings
from web.worker import run_worker


def main(ahead: timedelta) -> None:
    """Work until killed."""
    configure_logs()
    services = open_services(read_settings(os.environ))
    services = replace(services, clock=lambda: datetime.now(UTC) + ahead)
    run_worker(services, (deliver_messages, reconcile_messages), threading.Event())


if __name__ == "__main__":
    main(timedelta(seconds=float(sys.argv[1])))
