"""The lock that threads get in the order in which they asked."""

import threading

import pytest

from web.fair_lock import FairLock


def start_and_wait_in_line(lock: FairLock, name: int, got: list[int]) -> threading.Thread:
    """Start a thread that wants the lock and return once it stands in the queue."""

    def want() -> None:
        with lock:
            got.append(name)

    thread = threading.Thread(target=want)
    standing = len(lock._gates)
    thread.start()
    while len(lock._gates) == standing:
        thread.join(0.001)
    return thread


def test_threads_are_served_in_the_order_in_which_they_asked() -> None:
    lock, got = FairLock(), list[int]()
    with lock:
        threads = [start_and_wait_in_line(lock, name, got) for name in range(20)]
    for thread in threads:
        thread.join()
    assert got == list(range(20))


def test_nobody_enters_while_it_is_held() -> None:
    lock, got = FairLock(), list[int]()
    with lock:
        thread = start_and_wait_in_line(lock, 1, got)
        thread.join(0.02)
        assert got == []
    thread.join()
    assert got == [1]


def test_it_is_free_again_after_an_error() -> None:
    lock = FairLock()

    def fail() -> None:
        with lock:
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    with lock:
        pass


class InterruptedGate:
    """Stands in the queue like a thread that Ctrl-C hits while it waits."""

    def __init__(self, already_served: bool) -> None:
        self.already_served = already_served

    def acquire(self) -> None:
        raise KeyboardInterrupt


@pytest.mark.parametrize("already_served", [False, True])
def test_a_thread_interrupted_while_waiting_does_not_block_the_next(already_served: bool) -> None:
    lock, got = FairLock(), list[int]()
    gate = InterruptedGate(already_served)
    lock._held = True
    if not already_served:
        lock._gates.append(gate)  # type: ignore[arg-type]  # the queue only needs what a gate does here
    with pytest.raises(KeyboardInterrupt):
        lock._wait(gate)  # type: ignore[arg-type]
    assert not lock._gates
    if not already_served:
        lock._pass_on()
    with lock:
        got.append(1)
    assert got == [1]
