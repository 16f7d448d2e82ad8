"""`make bench`: requests per second and 99th percentile of the main pages, as ratios to bare ones in one run."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

WORKERS = 2
CLIENTS = 16
SECONDS = 6
ROUNDS = 3
BARE_PORT, SELO_PORT = 8971, 8972
LUA = str(Path(__file__).parent / "post.lua")


@dataclass(frozen=True)
class Target:
    """One thing to measure; `beside` names the bare one it is compared with."""

    name: str
    port: int
    path: str
    post: bool = False
    beside: str = ""


@dataclass(frozen=True)
class Result:
    """Medians of the rounds."""

    per_second: float
    p99_ms: float
    errors: int


TARGETS = (
    Target("constant", BARE_PORT, "/constant/2"),
    Target("constant of the line page's size", BARE_PORT, "/constant/{size}"),
    Target("small page", BARE_PORT, "/page"),
    Target("one-row insert", BARE_PORT, "/insert", post=True),
    Target("line page, kept", SELO_PORT, "/marica/linhas/{line}", beside="constant of the line page's size"),
    Target("stop page", SELO_PORT, "{stop}", beside="small page"),
    Target("complaint form", SELO_PORT, "/marica/reclamar", beside="small page"),
    Target("complaint POST", SELO_PORT, "/marica/reclamar", post=True, beside="one-row insert"),
)


def main() -> int:
    """Start both servers on this machine, measure each target in turn, print a Markdown table."""
    if shutil.which("wrk") is None:
        print("bench needs wrk (Debian: apt-get install wrk)", file=sys.stderr)
        return 2
    with TemporaryDirectory() as folder, ExitStack() as stack:
        selo = {"SELO_DATA_DIR": folder, "SELO_DEMO": "1", "PORT": str(SELO_PORT)}
        subprocess.run(["selo", "demo"], env={**os.environ, **selo}, check=True, stdout=subprocess.DEVNULL)
        bare = {"BENCH_FOLDER": folder}
        stack.enter_context(serving(["bench.bare:build_app"], BARE_PORT, "/constant/2", bare))
        stack.enter_context(serving([], SELO_PORT, "/saude", selo))
        line = _first_link("/marica/linhas", r'href="/marica/linhas/([a-z0-9-]+)"')
        stop = _first_link(f"/marica/linhas/{line}", r'href="(/marica/paradas/[a-z0-9-]+)')
        names = {"line": line, "stop": stop, "size": str(_size(f"/marica/linhas/{line}"))}
        rounds = [{t.name: _measure(t, names) for t in TARGETS} for _ in range(ROUNDS)]
    results = {t.name: _median([measured[t.name] for measured in rounds]) for t in TARGETS}
    print(_table(results))
    return 1 if any(result.errors for result in results.values()) else 0


@contextmanager
def serving(
    arguments: list[str], port: int, ready: str, environ: dict[str, str], workers: int = WORKERS
) -> Iterator["subprocess.Popen[bytes]"]:
    """A server while the block lasts, once it answers at `ready`."""
    command = [sys.executable, "-m", "bench.server", str(port), str(workers), *arguments]
    process = subprocess.Popen(
        command, env={**os.environ, **environ}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait(f"http://127.0.0.1:{port}{ready}")
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def _wait(address: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _first_link(path: str, pattern: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{SELO_PORT}{path}", timeout=10) as answer:
        found = re.search(pattern, answer.read().decode())
    if found is None:
        raise SystemExit(f"no link like {pattern} on {path}")
    return found.group(1)


def _size(path: str) -> int:
    asked = urllib.request.Request(f"http://127.0.0.1:{SELO_PORT}{path}", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        return len(answer.read())


def _measure(target: Target, names: dict[str, str]) -> Result:
    address = f"http://127.0.0.1:{target.port}{target.path.format(**names)}"
    command = ["wrk", "-t1", f"-c{CLIENTS}", f"-d{SECONDS}s", "--latency", "-H", "Accept-Encoding: gzip"]
    script = ["-s", LUA] if target.post else []
    done = subprocess.run([*command, *script, address], capture_output=True, text=True, check=True)
    errors = re.search(r"Non-2xx or 3xx responses: (\d+)", done.stdout)
    return Result(
        float(_find(r"Requests/sec:\s+([\d.]+)", done.stdout)),
        _milliseconds(_find(r"99%\s+([\d.]+[a-z]+)", done.stdout)),
        int(errors.group(1)) if errors else 0,
    )


def _find(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if found is None:
        raise SystemExit(f"wrk said nothing like {pattern}:\n{text}")
    return found.group(1)


def _milliseconds(text: str) -> float:
    unit = text.lstrip("0123456789.")
    return float(text.removesuffix(unit)) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[unit]


def _median(results: list[Result]) -> Result:
    return Result(
        median(result.per_second for result in results),
        median(result.p99_ms for result in results),
        sum(result.errors for result in results),
    )


def _table(results: dict[str, Result]) -> str:
    lines = [
        "| what | requests/s | p99 ms | beside | ratio | p99 ratio | errors |",
        "|---|---|---|---|---|---|---|",
    ]
    for target in TARGETS:
        own = results[target.name]
        ratio = p99 = ""
        if target.beside:
            other = results[target.beside]
            ratio, p99 = f"{own.per_second / other.per_second:.2f}", f"{own.p99_ms / other.p99_ms:.1f}"
        cells = (
            target.name,
            f"{own.per_second:,.0f}",
            f"{own.p99_ms:.1f}",
            target.beside,
            ratio,
            p99,
            str(own.errors),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
