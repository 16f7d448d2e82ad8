"""The system's Chromium as people have it: a cheap phone or a desk, with JavaScript or without."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.machine import demand, find_chromium

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
MILLISECONDS = 15_000
"""How long anything in a page may take on a machine that does other work too."""


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """A browser without a window; skips the test, or fails it, where there is none."""
    path = demand("chromium", find_chromium())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def new_context(browser: Browser, device: dict[str, Any], scripts: bool) -> BrowserContext:
    """A profile of its own, in Brazil; `scripts` tells whether JavaScript is on."""
    context = browser.new_context(
        **device,
        java_script_enabled=scripts,
        locale="pt-BR",
        timezone_id="America/Sao_Paulo",
        service_workers="block",
    )
    context.set_default_timeout(MILLISECONDS)
    return context
