"""The worker's loop: rounds while there is work, rest when there is none, and no task that stops another."""

import threading
from collections.abc import Callable
from datetime import datetime
from typing import cast

import pytest

from tests.conftest import StandingClock
from web import worker
from web.services import Services
from web.worker import TASKS, Task, run_worker


class OnlyAClock:
    """All that the loop itself needs of the services."""

    def __init__(self, clock: StandingClock) -> None:
        self.clock = clock


@pytest.fixture
def fake_services(clock: StandingClock) -> Services:
    """Services without a database."""
    return cast(Services, OnlyAClock(clock))


class Rests(threading.Event):
    """A stop order that comes after some rests; resting takes no time."""

    def __init__(self, rests: int, meanwhile: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self.left = rests
        self.meanwhile = meanwhile

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout == worker.IDLE_SECONDS
        self.left -= 1
        self.meanwhile()
        if self.left < 0:
            self.set()
        return self.is_set()


def counting(calls: list[str], name: str, work: int = 0) -> Task:
    """A task that has `work` things to do and does one each time."""

    def task(_services: Services, _now: datetime) -> int:
        calls.append(name)
        return int(calls.count(name) <= work)

    return task


def test_tasks_run_in_order_and_again_at_once_while_there_is_work(fake_services: Services) -> None:
    calls: list[str] = []
    run_worker(fake_services, [counting(calls, "a", work=2), counting(calls, "b")], Rests(0))
    assert "".join(calls) == "ababab", "two rounds with work, one without, then the first rest"


def test_a_task_is_given_the_present_instant(fake_services: Services, now: datetime) -> None:
    seen: list[datetime] = []

    def task(_services: Services, at: datetime) -> int:
        seen.append(at)
        return 0

    run_worker(fake_services, [task], Rests(0))
    assert seen == [now]


def test_a_failing_task_rests_longer_each_time_and_the_others_go_on(
    fake_services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    time, calls, failures = [1000.0], list[str](), list[float]()
    monkeypatch.setattr("web.worker.time.monotonic", lambda: time[0])

    def failing(_services: Services, _now: datetime) -> int:
        failures.append(time[0] - 1000)
        raise LookupError("what a person typed")

    def a_second_passes() -> None:
        time[0] += 1

    run_worker(fake_services, [failing, counting(calls, "other")], Rests(200, a_second_passes))
    assert failures == [0, 1, 3, 7, 15, 31, 63, 123, 183]
    assert len(calls) == 201
    assert {record.levelname for record in caplog.records if record.name == "selo.worker"} == {"ERROR"}


def test_a_task_that_works_again_is_forgiven(fake_services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    time, outcomes, tried = [0.0], ["fail", "fail", "work", "fail", "work"], list[float]()
    monkeypatch.setattr("web.worker.time.monotonic", lambda: time[0])

    def task(_services: Services, _now: datetime) -> int:
        tried.append(time[0])
        if outcomes and outcomes.pop(0) == "fail":
            raise LookupError
        return 0

    def a_second_passes() -> None:
        time[0] += 1

    run_worker(fake_services, [task], Rests(6, a_second_passes))
    assert tried == [0, 1, 3, 4, 5, 6]


def test_the_order_to_stop_ends_the_round_after_the_task_in_hand(fake_services: Services) -> None:
    calls: list[str] = []
    stop = threading.Event()

    def stopping(_services: Services, _now: datetime) -> int:
        stop.set()
        return 1

    run_worker(fake_services, [stopping, counting(calls, "never")], stop)
    assert calls == []


def test_the_tasks_of_the_product_find_nothing_to_do_on_an_empty_database(services: Services) -> None:
    for task in TASKS:
        assert task(services, services.clock()) == 0
