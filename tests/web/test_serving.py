"""Real server processes: how they start, what they refuse, and how they end."""

import errno
import os
import re
import signal
import socket
import threading
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest

from tests.child_processes import Child, is_alive, selo, wait_until
from web.serving import CannotListen, open_socket

SERVER = str(Path(__file__).with_name("serving_process.py"))


def get(port: int, path: str = "/") -> str:
    """The body of an answer."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", path)
        return connection.getresponse().read().decode()


def try_get(port: int, path: str = "/") -> str:
    """The body of an answer, blank while nobody answers."""
    try:
        return get(port, path)
    except (OSError, HTTPException):
        return ""


def port_of(child: Child) -> int:
    """The port that a serving process says it listens on."""
    found = re.search(r"port (\d+) \.", child.wait_for(" ."))
    assert found is not None
    return int(found[1])


def start(folder: Path, processes: int = 1, stop_seconds: float = 10) -> Child:
    return Child([SERVER, str(processes), str(stop_seconds)], folder, {})


def is_listening(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Held:
    """A request that the server is still working on."""

    def __init__(self, port: int, folder: Path) -> None:
        self.file = folder / "held"
        self.body = ""
        self._thread = threading.Thread(target=self._ask, args=(port,))
        self._thread.start()
        wait_until(self.file.exists)

    def _ask(self, port: int) -> None:
        self.body = try_get(port, f"/hold?file={self.file}")

    def release(self) -> str:
        self.file.unlink()
        return self.wait()

    def wait(self) -> str:
        self._thread.join(30)
        return self.body


def test_the_listening_socket_is_tcp_without_delay() -> None:
    with closing(open_socket("127.0.0.1", 0)) as listener:
        assert listener.proto == socket.IPPROTO_TCP
        assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert is_listening(listener.getsockname()[1]), "connections queue before the application is there"


def test_a_port_in_use_is_named_with_what_to_do() -> None:
    with closing(open_socket("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(CannotListen, match=f"port {port}: another program is using it; choose another"):
            open_socket("127.0.0.1", port)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "no permission"),
        (errno.EADDRNOTAVAIL, "this machine does not have that address"),
        (errno.ENOBUFS, "No buffer space available"),
    ],
)
def test_other_refusals_of_the_system_are_named(number: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing(socket.socket):
        def bind(self, _address: object) -> None:
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr(socket, "socket", Refusing)
    with pytest.raises(CannotListen, match=words):
        open_socket("127.0.0.1", 80)


def test_a_host_that_does_not_exist_is_named() -> None:
    with pytest.raises(CannotListen, match="cannot listen on no such host"):
        open_socket("no such host", 80)


@pytest.mark.kill
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_server_stops_at_once_and_well(number: int, tmp_path: Path) -> None:
    with start(tmp_path) as child:
        port = port_of(child)
        assert get(port) == str(child.pid)
        assert child.stop(number) == 0
        assert "closed" in child.output()
        assert not is_listening(port)


@pytest.mark.kill
@pytest.mark.parametrize("processes", [1, 2])
def test_a_stop_waits_for_the_request_in_hand(processes: int, tmp_path: Path) -> None:
    with start(tmp_path, processes) as child:
        port = port_of(child)
        held = Held(port, tmp_path)
        child.process.send_signal(signal.SIGTERM)
        wait_until(lambda: not is_listening(port))
        assert child.process.poll() is None
        assert held.release() == "done"
        assert child.process.wait(30) == 0


@pytest.mark.kill
def test_a_request_that_never_ends_does_not_keep_the_server_alive(tmp_path: Path) -> None:
    with start(tmp_path, stop_seconds=1) as child:
        held = Held(port_of(child), tmp_path)
        started = time.monotonic()
        assert child.stop(seconds=20) == 0
        assert time.monotonic() - started < 10
        assert held.wait() != "done"


@pytest.mark.kill
def test_a_server_process_that_dies_is_replaced(tmp_path: Path) -> None:
    with start(tmp_path, processes=2) as child:
        port = port_of(child)
        first = int(wait_until(lambda: try_get(port)))
        assert first != child.pid
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: not is_alive(first))
        seen: set[str] = set()

        def two_others() -> bool:
            seen.add(try_get(port))
            return len(seen - {"", str(first)}) == 2

        wait_until(two_others)
        assert child.stop() == 0


@pytest.mark.kill
def test_server_processes_end_with_their_supervisor(tmp_path: Path) -> None:
    with start(tmp_path, processes=2) as child:
        port = port_of(child)
        answering = int(wait_until(lambda: try_get(port)))
        child.stop(signal.SIGKILL)
        wait_until(lambda: not is_alive(answering))
        wait_until(lambda: not is_listening(port))


DEMO = {"SELO_DEMO": "1", "PORT": "0"}


def upgraded(folder: Path) -> None:
    """An upgraded database in the data folder of a demonstration."""
    with Child(selo("db", "upgrade"), folder, DEMO) as upgrade:
        assert upgrade.process.wait(60) == 0, upgrade.output()


def serving_port(child: Child) -> int:
    """The port that `selo serve` logs."""
    found = re.search(r'"port": (\d+)', child.wait_for('"listening"'))
    assert found is not None
    return int(found[1])


def workers_of(child: Child) -> list[int]:
    """The process ids of the workers that a server has as children."""
    threads = Path(f"/proc/{child.pid}/task").glob("*/children")
    found = [int(pid) for thread in threads for pid in thread.read_text().split()]
    return [pid for pid in found if b"worker" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")]


@pytest.mark.kill
def test_selo_serve_answers_and_takes_its_worker_with_it(tmp_path: Path) -> None:
    upgraded(tmp_path)
    with Child(selo("serve", "--with-worker"), tmp_path, DEMO) as child:
        port = serving_port(child)
        assert "<h1" in get(port)
        child.wait_for('"worker started"')
        assert child.stop() == 0
        said = child.output()
        assert '"worker stopped"' in said
        assert '"event": "stopped"' in said


@pytest.mark.kill
def test_a_port_in_use_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    upgraded(tmp_path)
    with closing(open_socket("127.0.0.1", 0)) as listener:
        environ = {**DEMO, "PORT": str(listener.getsockname()[1])}
        with Child(selo("serve", "--with-worker"), tmp_path, environ) as child:
            assert child.process.wait(60) == 2
            said = child.output()
    assert said.startswith("selo: cannot listen on 127.0.0.1 port")
    assert said.count("\n") == 1


@pytest.mark.kill
def test_a_worker_that_crashes_is_started_again(tmp_path: Path) -> None:
    upgraded(tmp_path)
    with Child(selo("serve", "--with-worker"), tmp_path, DEMO) as child:
        child.wait_for('"worker started"')
        (first,) = workers_of(child)
        os.kill(first, signal.SIGKILL)
        child.wait_for('"worker died"')
        (second,) = wait_until(lambda: [pid for pid in workers_of(child) if pid != first])
        wait_until(lambda: child.output().count('"worker started"') == 2)
        assert is_alive(second)
        assert child.stop() == 0
        assert not is_alive(second)


@pytest.mark.kill
def test_a_worker_ends_when_its_server_is_killed(tmp_path: Path) -> None:
    upgraded(tmp_path)
    with Child(selo("serve", "--with-worker"), tmp_path, DEMO) as child:
        child.wait_for('"worker started"')
        (worker,) = workers_of(child)
        child.stop(signal.SIGKILL)
        wait_until(lambda: not is_alive(worker))
        assert '"worker stopped"' in child.output()


@pytest.mark.kill
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_alone_stops_when_told(number: int, tmp_path: Path) -> None:
    upgraded(tmp_path)
    with Child(selo("worker"), tmp_path, DEMO) as child:
        child.wait_for('"worker started"')
        assert child.stop(number) == 0
        assert '"worker stopped"' in child.output()
