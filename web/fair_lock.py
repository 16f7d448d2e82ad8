"""A lock that threads get in the order in which they asked."""

import threading
from collections import deque
from types import TracebackType


class FairLock:
    """First come, first served, used as a context manager; not for one thread twice."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._gates: deque[threading.Lock] = deque()
        self._held = False

    def __enter__(self) -> None:
        with self._mutex:
            gate = self._queue_up() if self._held else None
            self._held = True
        if gate is not None:
            self._wait(gate)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._mutex:
            self._pass_on()

    def _queue_up(self) -> threading.Lock:
        gate = threading.Lock()
        gate.acquire()
        self._gates.append(gate)
        return gate

    def _wait(self, gate: threading.Lock) -> None:
        try:
            gate.acquire()
        except BaseException:  # an interrupted thread leaves the queue, or hands its turn on
            with self._mutex:
                if gate in self._gates:
                    self._gates.remove(gate)
                else:
                    self._pass_on()
            raise

    def _pass_on(self) -> None:
        if self._gates:
            self._gates.popleft().release()
        else:
            self._held = False
