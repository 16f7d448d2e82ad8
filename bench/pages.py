"""`python -m bench.pages [FILE…]`: every line and stop page of real feeds once, made anew, and what it takes.

Prints the time of a line page and of a stop page as a visitor sees it (median, 95th percentile, worst), and the
memory of the server's one process after all of them.
"""

import os
import re
import sqlite3
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from bench.__main__ import serving

FEEDS = Path(__file__).resolve().parents[2] / "shared" / "feeds"
NAMES = ("porto-alegre-eptc.zip", "hart-tampa.zip")
PORT = 8973
MOST_MS, MOST_MB = 50, 150
"""Goals: the median of a line page, and memory."""


def main(arguments: list[str]) -> int:
    """Print a Markdown table; 1 when a goal is missed."""
    files = [Path(name) for name in arguments] or [FEEDS / name for name in NAMES if (FEEDS / name).exists()]
    print("| feed | pages | median ms | 95 % ms | worst ms | MB afterwards |\n|---|---|---|---|---|---|")
    return max((_measure(file) for file in files), default=0)


def _measure(file: Path) -> int:
    with TemporaryDirectory() as folder:
        environ = {"SELO_DATA_DIR": folder, "SELO_DEMO": "1", "PORT": str(PORT)}
        for command in (["demo"], ["feed", "import", "marica", str(file), "--publish"]):
            subprocess.run(
                [sys.executable, "-m", "web.cli", *command],
                env={**os.environ, **environ},
                check=True,
                stdout=subprocess.DEVNULL,
            )
        with serving([], PORT, "/saude", environ, workers=1) as process:
            lines = _ask_all(_addresses(folder, "line"))
            stops = _ask_all(_addresses(folder, "stop"))
            memory = _memory_mb(process.pid)
    for name, times in (("lines", lines), ("stops", stops)):
        last = quantiles(times, n=20)[-1]
        print(
            f"| {file.name} | {len(times):,} {name} | {median(times):.1f} | {last:.1f} | {max(times):.1f} "
            f"| {memory:.0f} |"
        )
    return int(median(lines) > MOST_MS or memory > MOST_MB)


def _addresses(folder: str, kind: str) -> list[str]:
    part = {"line": "linhas", "stop": "paradas"}[kind]
    with sqlite3.connect(f"file:{folder}/selo.db?mode=ro", uri=True) as database:
        rows = database.execute(
            f"SELECT slug FROM feed_{kind} WHERE version_id = (SELECT id FROM feed_version "
            "WHERE state = 'published' AND authority_id = (SELECT id FROM authority WHERE slug = 'marica'))"
        ).fetchall()
    database.close()
    return [f"http://127.0.0.1:{PORT}/marica/{part}/{slug}" for (slug,) in rows]


def _ask_all(addresses: list[str]) -> list[float]:
    """Milliseconds of each."""
    times = []
    for address in addresses:
        began = time.perf_counter()
        with urllib.request.urlopen(address, timeout=30) as answer:
            answer.read()
        times.append((time.perf_counter() - began) * 1000)
    return times


def _memory_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    if found is None:
        raise SystemExit("no VmHWM in /proc")
    return int(found[1]) / 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
