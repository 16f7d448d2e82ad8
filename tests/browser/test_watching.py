"""The watch on pages notices what it is there for, with JavaScript on and off."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from tests.browser.barriers import read_axe
from tests.browser.watching import Watched

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

GOOD = "<main><h1>Título</h1><p>Texto</p></main>"
PAGES = {
    "/boa": GOOD,
    "/estilo": GOOD.replace("<p>", '<p style="margin:0">'),
    "/fora": GOOD.replace("<p>", '<p><img alt="" src="http://127.0.0.2:9/x.png">'),
    "/dois-titulos": GOOD.replace("<p>", "<h1>Outro</h1><p>"),
    "/larga": GOOD.replace("Texto", "m" * 200),
    "/palida": GOOD.replace("<p>", '<p class="palida">'),
    "/sem-rotulo": GOOD.replace("<p>", '<p><input name="a">'),
    "/falta": GOOD,
}
FAULTS = {
    "/estilo": "violates the following Content Security Policy",
    "/fora": "127.0.0.2",
    "/dois-titulos": "has 2 main headings",
    "/larga": "scrolls sideways",
    "/palida": "color-contrast",
    "/sem-rotulo": "label",
    "/falta": "answered 404",
}
STYLE = ".palida { color: #ddd; background: #fff }"
POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: http://127.0.0.2:9"


class Answers(BaseHTTPRequestHandler):
    """Serves PAGES, and a style sheet that has one fault."""

    def do_GET(self) -> None:
        """Answer with a page, its style sheet or an icon."""
        path = urlsplit(self.path).path
        kind, body = "text/html", _page(PAGES.get(path, ""))
        if path == "/s.css":
            kind, body = "text/css", STYLE
        self.send_response(404 if path == "/falta" else 200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _page(body: str) -> str:
    head = '<meta name="viewport" content="width=device-width"><title>T</title>'
    icon = '<link rel="icon" href="data:,"><link rel="stylesheet" href="/s.css">'
    return f'<!doctype html><html lang="pt-BR"><head>{head}{icon}</head><body>{body}</body></html>'


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the pages are."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def watched(chromium: Browser, address: str, scripts: bool) -> Iterator[Watched]:
    """A page that is closed in the end."""
    page = Watched(chromium, address, scripts)
    yield page
    page.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["js", "no-js"])
def test_good_page_passes(chromium: Browser, address: str, scripts: bool) -> None:
    with watched(chromium, address, scripts) as page:
        page.open("/boa")
        page.open("/falta", 404)
        assert page.visits == 2


@pytest.mark.parametrize("scripts", [True, False], ids=["js", "no-js"])
@pytest.mark.parametrize(("path", "fault"), FAULTS.items())
def test_fault_is_noticed(chromium: Browser, address: str, path: str, fault: str, scripts: bool) -> None:
    with watched(chromium, address, scripts) as page, pytest.raises(AssertionError, match=fault):
        page.open(path)


def test_the_vendored_axe_is_the_published_one() -> None:
    assert read_axe().startswith("/*! axe v4.14.1\n")
