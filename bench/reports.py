"""`python -m bench.reports [FILE…]`: how long `selo feed check` takes on real feeds, start-up included."""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

ROUNDS = 3
FEEDS = Path(__file__).resolve().parents[2] / "shared" / "feeds"
GOALS = {"porto-alegre-eptc.zip": 1.5, "hart-tampa.zip": 25.0}
"""Seconds for the instant report; HART's are for everything up to publishing."""


def main(arguments: list[str]) -> int:
    """Print a Markdown table of medians; 1 when a goal is missed."""
    files = [Path(name) for name in arguments] or [FEEDS / name for name in GOALS if (FEEDS / name).exists()]
    print(f"Load before: {os.getloadavg()[0]:.1f}\n\n| feed | seconds, median of {ROUNDS} | goal |\n|---|---|---|")
    missed = False
    for file in files:
        seconds, goal = median(_measure(file) for _ in range(ROUNDS)), GOALS.get(file.name)
        missed |= goal is not None and seconds > goal
        print(f"| {file.name} | {seconds:.2f} | {goal or ''} |")
    return int(missed)


def _measure(file: Path) -> float:
    began = time.perf_counter()
    command = [sys.executable, "-m", "web.cli", "feed", "check", str(file), "--json"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
