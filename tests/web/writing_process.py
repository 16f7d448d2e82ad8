"""A process that adds one to the same counter from several threads, for test_writers.

Arguments: database address, number of threads, additions of each thread. Prints how long the slowest
write took, in seconds.
"""

import sys
import threading
import time

from sqlmodel import select

from complaints.authorities.tables import Authority
from web.db import Database


def count_up(database: Database, times: int, took: list[float]) -> None:
    """Read the counter, add one, write it back, each time in one write block."""
    for _ in range(times):
        started = time.monotonic()
        with database.write() as session:
            row = session.exec(select(Authority).with_for_update()).one()
            row.slug = str(int(row.slug) + 1)
        took.append(time.monotonic() - started)


def main(url: str, threads: int, times: int) -> None:
    """Run all threads to their end; an error in one of them makes the exit code 1."""
    database = Database(url)
    took: list[float] = []
    running = [threading.Thread(target=count_up, args=(database, times, took)) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    database.dispose()
    print(f"slowest {max(took):.3f}")
    sys.exit(0 if len(took) == threads * times else 1)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
