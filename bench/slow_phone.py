"""`python -m bench.slow_phone [ADDRESS]`: largest paint, layout shift and bytes of the main pages on a slow phone.

Chromium's own throttling of network and processor; a new profile for each page. Without an address the
demonstration is served here.
"""

import os
import re
import subprocess
import sys
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench.__main__ import serving

PORT = 8974
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3, "is_mobile": True}
NETWORKS = {"400 kbit/s, 400 ms": (400, 400), "1.6 Mbit/s, 150 ms": (1600, 150)}
"""kbit/s and milliseconds from a request to its answer."""
SLOWER = 4
GOAL_MS = 2500
_WATCH = """
window.seen = {paint: 0, shift: 0};
new PerformanceObserver(list => list.getEntries().forEach(e => window.seen.paint = e.startTime))
  .observe({type: "largest-contentful-paint", buffered: true});
new PerformanceObserver(list => list.getEntries().forEach(e => window.seen.shift += e.value))
  .observe({type: "layout-shift", buffered: true});
"""


@dataclass(frozen=True)
class Seen:
    """Milliseconds to the largest paint, the sum of layout shifts, bytes and requests on the wire."""

    paint: float
    shift: float
    size: int
    requests: int


def main(arguments: list[str]) -> int:
    """Print a Markdown table; 1 when a goal is missed."""
    with ExitStack() as stack:
        address = arguments[0] if arguments else _serve_demonstration(stack)
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        missed = False
        print("| page | network | largest paint ms | shift | kB | requests |\n|---|---|---|---|---|---|")
        for path in _paths(address):
            for name, network in NETWORKS.items():
                seen = _look(browser, address + path, *network)
                missed |= seen.paint > GOAL_MS or seen.shift > 0
                print(
                    f"| {path} | {name} | {seen.paint:.0f} | {seen.shift:.3f} | {seen.size / 1000:.1f} "
                    f"| {seen.requests} |"
                )
        browser.close()
    return int(missed)


def _serve_demonstration(stack: ExitStack) -> str:
    folder = stack.enter_context(TemporaryDirectory())
    environ = {"SELO_DATA_DIR": folder, "SELO_DEMO": "1", "PORT": str(PORT)}
    command = [sys.executable, "-m", "web.cli", "demo"]
    subprocess.run(command, env={**os.environ, **environ}, check=True, stdout=subprocess.DEVNULL)
    stack.enter_context(serving([], PORT, "/saude", environ, workers=1))
    return f"http://127.0.0.1:{PORT}"


def _paths(address: str) -> list[str]:
    """The town, its lines, the first line, its map, and its first stop."""
    line = _find(address, "/marica/linhas", r'"(/marica/linhas/[a-z0-9-]+)"')
    stop = _find(address, line, r'"(/marica/paradas/[a-z0-9-]+)"')
    return ["/marica/", "/marica/linhas", line, f"{line}/mapa", stop]


def _find(address: str, path: str, pattern: str) -> str:
    with urllib.request.urlopen(address + path, timeout=30) as answer:
        found = re.search(pattern, answer.read().decode())
    if found is None:
        raise SystemExit(f"no link like {pattern} on {path}")
    return found[1]


def _look(browser: Browser, address: str, kilobits: int, latency: int) -> Seen:
    context = browser.new_context(**PHONE)
    context.add_init_script(_WATCH)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    per_second = kilobits * 1000 / 8
    limits = {
        "offline": False,
        "latency": latency,
        "downloadThroughput": per_second,
        "uploadThroughput": per_second,
    }
    devtools.send("Network.emulateNetworkConditions", limits)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sizes: list[int] = []
    devtools.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    page.goto(address, wait_until="networkidle")
    found = page.evaluate("window.seen")
    context.close()
    # What came from the browser's own memory has no length: the icon of the tab, icons of form controls.
    return Seen(found["paint"], found["shift"], sum(sizes), sum(size > 0 for size in sizes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
