"""A page in Chromium that is held, at every visit, to what every page of the product promises."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Response

from tests.browser.barriers import find_barriers
from tests.browser.chromium import PHONE, new_context

NARROW = 320
_TELL_VIOLATIONS = """
addEventListener("securitypolicyviolation", event => console.error(
  `securitypolicyviolation: ${event.violatedDirective} ${event.blockedURI}`));
"""
_REFUSED = re.compile(r"Failed to load resource: the server responded with a status of (\d+)")


class Watched:
    """A browser page on one server.

    Every visit asserts: the expected status, no broken policy, no error in the console, no request to another
    host, one heading, the language, no sideways scrolling at 320 px, nothing that axe-core finds.
    """

    def __init__(self, browser: Browser, address: str, scripts: bool, device: dict[str, Any] = PHONE) -> None:
        self.scripts = scripts
        self.address = address
        self.visits = 0
        self._host = urlsplit(address).netloc
        self._width = int(device["viewport"]["width"])
        self._height = int(device["viewport"]["height"])
        self._context = new_context(browser, device, scripts)
        self._context.add_init_script(_TELL_VIOLATIONS)
        self.page: Page = self._context.new_page()
        self._errors: list[str] = []
        self._foreign: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self._errors.append(str(error)))
        self._context.on("request", self._look_at)

    def close(self) -> None:
        """Forget the profile, cookies included."""
        self._context.close()

    def open(self, path: str, status: int = 200) -> None:
        """Type an address of the server, or a whole one."""
        self._go(lambda: self.page.goto(path if "://" in path else self.address + path), status)

    def follow(self, name: str | re.Pattern[str], status: int = 200) -> None:
        """Click the first link with this name."""
        self.click(self.page.get_by_role("link", name=name).first, status)

    def press(self, name: str | re.Pattern[str], status: int = 200) -> None:
        """Click the first button with this name; its form is answered with another page."""
        self.click(self.page.get_by_role("button", name=name).first, status)

    def click(self, target: Locator, status: int = 200) -> None:
        """Click what leads to another page."""

        def act() -> Response | None:
            with self.page.expect_navigation() as navigation:
                target.click()
            return navigation.value

        self._go(act, status)

    def reveal(self, summary: str | re.Pattern[str]) -> None:
        """Open the part of the page that stays folded under `summary`."""
        part = self.page.locator("details", has=self.page.locator("summary", has_text=summary)).first
        if part.get_attribute("open") is None:
            part.locator("summary").first.click()

    def data(self, name: str) -> str:
        """The value that a `<data id=…>` or `<time id=…>` carries for programs."""
        found = self.page.locator(f"#{name}").first
        value = found.get_attribute("value") or found.get_attribute("datetime")
        assert value, f"no value in #{name}"
        return value

    def text(self) -> str:
        """What the page says, folded parts included, blanks made single."""
        return " ".join((self.page.locator("main").text_content() or "").split())

    def check(self, status: int = 200) -> None:
        """Hold the page as it stands to its promises; raises AssertionError that tells all it broke."""
        faults = self._unexpected_errors(status)
        faults += [f"asks another host: {address}" for address in self._foreign]
        if (headings := self.page.locator("h1").count()) != 1:
            faults.append(f"has {headings} main headings")
        if (language := self.page.locator("html").get_attribute("lang")) != "pt-BR":
            faults.append(f"is in {language}")
        if (width := self._width_when_narrow()) > NARROW:
            faults.append(f"scrolls sideways: {width} px wide on a screen of {NARROW}")
        faults += find_barriers(self.page, self.scripts)
        self._errors.clear()
        self.visits += 1
        where = f"{self.page.url} ({'with' if self.scripts else 'without'} JavaScript)"
        assert not faults, f"{where}: " + "\n".join(faults)

    def _go(self, act: Callable[[], Response | None], status: int) -> None:
        answer = act()
        assert answer is not None
        assert answer.status == status, f"{answer.url} answered {answer.status}: {self.text()[:400]}"
        self.check(status)

    def _unexpected_errors(self, status: int) -> list[str]:
        """Chromium itself writes an error for a page that comes with 404 or 422, which is no fault."""
        return [
            error
            for error in self._errors
            if not ((refused := _REFUSED.match(error)) and status >= 400 and refused[1] == str(status))
        ]

    def _width_when_narrow(self) -> int:
        self.page.set_viewport_size({"width": NARROW, "height": self._height})
        width: int = self.page.evaluate("document.documentElement.scrollWidth")
        self.page.set_viewport_size({"width": self._width, "height": self._height})
        return width

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._errors.append(message.text)

    def _look_at(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self._host:
            self._foreign.append(request.url)
