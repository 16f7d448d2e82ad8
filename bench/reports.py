"""`python -m bench.reports [FILE…]`: report, and import up to publishing, of real feeds, start-up included."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROUNDS = 3
FEEDS = Path(__file__).resolve().parents[2] / "shared" / "feeds"
GOALS = {"porto-alegre-eptc.zip": (1.5, 5.0), "hart-tampa.zip": (None, 25.0)}
"""Seconds for the report alone, and for import, compilation and publishing."""
MEMORY_GOAL = 400
"""MB at most in the importing process."""


def main(arguments: list[str]) -> int:
    """Print a Markdown table of medians; 1 when a goal is missed."""
    files = [Path(name) for name in arguments] or [FEEDS / name for name in GOALS if (FEEDS / name).exists()]
    print(f"Load before: {os.getloadavg()[0]:.1f}; medians of {ROUNDS}\n")
    print("| feed | report s | goal | publish s | goal | MB at most |\n|---|---|---|---|---|---|")
    missed = False
    for file in files:
        report_goal, publish_goal = GOALS.get(file.name, (None, None))
        report = median(_measure(dict(os.environ), "check", str(file), "--json")[0] for _ in range(ROUNDS))
        runs = [_publish(file) for _ in range(ROUNDS)]
        publish, memory = median(seconds for seconds, _ in runs), max(mb for _, mb in runs)
        missed |= _is_over(report, report_goal) or _is_over(publish, publish_goal) or memory > MEMORY_GOAL
        cells = f"{report:.2f} | {report_goal or ''} | {publish:.2f} | {publish_goal or ''} | {memory:.0f}"
        print(f"| {file.name} | {cells} |")
    return int(missed)


def _is_over(seconds: float, goal: float | None) -> bool:
    return goal is not None and seconds > goal


def _publish(file: Path) -> tuple[float, float]:
    """Import and publish `file` in a new demonstration of its own; seconds and MB."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SELO_DEMO": "1", "SELO_DATA_DIR": folder}
        for words in (("db", "upgrade"), ("demo",)):
            command = [sys.executable, "-m", "web.cli", *words]
            subprocess.run(command, env=environment, capture_output=True, check=True)
        return _measure(environment, "import", "marica", str(file), "--publish")


def _measure(environment: dict[str, str], *words: str) -> tuple[float, float]:
    """Run `selo feed …`; its seconds and the most memory it held in MB. SystemExit where it failed."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "web.cli", "feed", *words]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"selo feed {words[0]} ended with {process.returncode}")
    return time.perf_counter() - began, usage.ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
