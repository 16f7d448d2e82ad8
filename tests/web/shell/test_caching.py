"""Public pages kept by browsers and in memory, and pages never kept."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from web.caching import PageMemory, cached, no_store
from web.db import Database
from web.encodings import choose_encoding, compress
from web.entity_tags import matches
from web.htmx import is_fragment_request


class Shop:
    """A page that counts how often it was built and shows a version that can change."""

    def __init__(self) -> None:
        self.version = "1"
        self.built = 0
        self.status = 200
        self.cookie = False

    def show(self, request: Request) -> Response:
        """Answer through the cache."""

        def build() -> Response:
            self.built += 1
            part = "part" if is_fragment_request(request) else "page"
            text = f"{part} {self.version} {request.query_params.get('dia', '')} " + "horários " * 200
            response = HTMLResponse(text, status_code=self.status)
            if self.cookie:
                response.set_cookie("a", "b")
            return response

        return cached(request, self.version, 60, build, reads=("dia",))


@pytest.fixture
def shop() -> Shop:
    """The page."""
    return Shop()


@pytest.fixture
def visitor(shell_app: Starlette, shop: Shop) -> Iterator[TestClient]:
    """A client of the page, taking gzip unless it says otherwise."""
    shell_app.router.routes.insert(0, Route("/loja", shop.show, methods=["GET", "POST"]))
    with TestClient(shell_app, headers={"accept-encoding": "gzip"}) as client:
        yield client


def test_page_is_built_once_and_known_copies_are_not_sent_again(visitor: TestClient, shop: Shop) -> None:
    first = visitor.get("/loja")
    second = visitor.get("/loja")
    third = visitor.get("/loja", headers={"if-none-match": first.headers["etag"]})
    assert (first.text, shop.built) == (second.text, 1)
    assert (third.status_code, third.content) == (304, b"")
    assert third.headers["etag"] == first.headers["etag"]
    assert third.headers["vary"] == first.headers["vary"] == "Accept-Encoding, HX-Request, HX-Request-Type"
    assert first.headers["cache-control"] == "public, max-age=60"
    assert first.headers["content-encoding"] == "gzip"
    assert first.headers["content-type"] == "text/html; charset=utf-8"


def test_new_version_is_seen_at_once(visitor: TestClient, shop: Shop) -> None:
    old = visitor.get("/loja")
    shop.version = "2"
    Database.writes += 1  # a version comes with a write
    new = visitor.get("/loja", headers={"if-none-match": old.headers["etag"]})
    assert (new.status_code, new.text.split()[1]) == (200, "2")


@pytest.mark.parametrize("encoding", ["br", "gzip", "identity", "zstd"])
def test_each_encoding_shows_the_same_page_under_one_tag(visitor: TestClient, encoding: str) -> None:
    plain = visitor.get("/loja", headers={"accept-encoding": "identity"})
    answer = visitor.get("/loja", headers={"accept-encoding": encoding})
    assert answer.headers["etag"] == plain.headers["etag"]
    assert answer.headers["etag"].startswith('W/"')
    assert answer.headers.get("content-encoding", "identity") == encoding
    if encoding != "zstd":
        assert answer.text == plain.text


def test_part_and_page_never_stand_in_for_each_other(visitor: TestClient) -> None:
    page = visitor.get("/loja")
    part = visitor.get("/loja", headers={"hx-request": "true", "hx-request-type": "partial"})
    whole = visitor.get("/loja", headers={"hx-request": "true", "hx-request-type": "full"})
    restored = visitor.get("/loja", headers={"hx-history-restore-request": "true"})
    assert part.text.startswith("part")
    assert part.headers["etag"] != page.headers["etag"]
    assert whole.text == restored.text == page.text


def test_only_the_parameters_it_reads_make_another_page(visitor: TestClient, shop: Shop) -> None:
    monday = visitor.get("/loja?dia=2026-11-30")
    noise = visitor.get("/loja?utm=1&dia=2026-11-30&fbclid=x")
    tuesday = visitor.get("/loja?dia=2026-12-01")
    assert monday.text == noise.text != tuesday.text
    assert shop.built == 2


def test_failures_cookies_and_posts_are_not_kept(visitor: TestClient, shop: Shop) -> None:
    shop.status = 404
    assert "etag" not in visitor.get("/loja").headers
    shop.status, shop.cookie = 200, True
    assert "etag" not in visitor.get("/loja").headers
    shop.cookie = False
    assert "etag" not in visitor.post("/loja").headers
    assert "etag" in visitor.get("/loja").headers
    assert shop.built == 4


def test_head_has_the_headers_of_the_page(visitor: TestClient) -> None:
    assert visitor.head("/loja").headers["etag"] == visitor.get("/loja").headers["etag"]


def test_memory_forgets_what_was_used_longest_ago() -> None:
    memory = PageMemory(limit_bytes=30)
    for name in ("a", "b", "c"):
        memory.keep(name, b"0123456789", "text/html")
    assert memory.find("a")
    memory.keep("d", b"0123456789", "text/html")
    assert [name for name in "abcd" if memory.find(name)] == ["a", "c", "d"]
    memory.keep("d", b"0123456789" * 2, "text/html")
    assert [name for name in "abcd" if memory.find(name)] == ["c", "d"]
    memory.keep("e", b"0" * 31, "text/html")
    assert [name for name in "abcde" if memory.find(name)] == []


def test_private_page_is_stored_nowhere() -> None:
    headers = no_store(HTMLResponse("caso")).headers
    assert (headers["cache-control"], headers["referrer-policy"]) == ("no-store", "no-referrer")


@pytest.mark.parametrize(
    ("accept", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("GZIP", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("br;q=0.1, gzip", "br"),
        ("*", "br"),
        ("*;q=0", "identity"),
        ("br;q=x", "identity"),
        ("identity", "identity"),
        ("deflate", "identity"),
        ("", "identity"),
    ],
)
def test_encoding_is_one_the_client_takes(accept: str, encoding: str) -> None:
    assert choose_encoding(accept) == encoding


def test_encoding_is_one_we_have() -> None:
    assert choose_encoding("br, gzip", ["identity", "gzip"]) == "gzip"
    assert compress(b"a", "identity") == b"a"


@pytest.mark.parametrize(
    ("header", "same"),
    [
        ('W/"x"', True),
        ('"x"', True),
        ('W/"y", W/"x"', True),
        ("*", True),
        ('W/"xy"', False),
        ("x", False),
        ("", False),
        (None, False),
    ],
)
def test_tags_compare_weakly(header: str | None, same: bool) -> None:
    assert matches(header, 'W/"x"') is same
