"""Pages sent again within half a second: the same bytes, no work, and never past a change."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.conftest import StandingClock
from web.caching import PageMemory, cached
from web.db import Database
from web.swift_pages import KEPT, MOST_PAGES, SwiftPages


class Shop:
    """A page that counts how often somebody worked for it."""

    def __init__(self) -> None:
        self.visits = 0
        self.clock = StandingClock(datetime(2026, 12, 1, 12, tzinfo=UTC))
        routes = [Route("/p/{name}", self.show, methods=["GET", "POST"]), Route("/private", self.show_private)]
        self.app = Starlette(routes=routes, middleware=[Middleware(SwiftPages, clock=self.clock)])
        self.app.state.pages = PageMemory()

    def show(self, request: Request) -> Response:
        self.visits += 1
        query = request.query_params.get("q", "")
        return cached(request, "key", 1, lambda: PlainTextResponse(f"page {query} " * 40), reads=("q",))

    def show_private(self, request: Request) -> Response:
        self.visits += 1
        return PlainTextResponse(str(self.visits))


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def visitor(shop: Shop) -> Iterator[TestClient]:
    with TestClient(shop.app) as client:
        yield client


def test_the_same_page_is_sent_again_without_work(visitor: TestClient, shop: Shop) -> None:
    first, second = visitor.get("/p/a"), visitor.get("/p/a")
    assert shop.visits == 1
    assert (first.content, dict(first.headers)) == (second.content, dict(second.headers))


def test_a_known_copy_is_answered_304_with_its_tag_alone(visitor: TestClient, shop: Shop) -> None:
    tag = visitor.get("/p/a").headers["etag"]
    for names in (tag, f'"x", {tag}', "*"):
        answer = visitor.get("/p/a", headers={"If-None-Match": names})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
        assert "content-type" not in answer.headers
    assert shop.visits == 1
    assert visitor.get("/p/a", headers={"If-None-Match": '"x"'}).status_code == 200


def test_it_ends_with_its_time(visitor: TestClient, shop: Shop) -> None:
    visitor.get("/p/a")
    shop.clock.advance(KEPT - timedelta(milliseconds=1))
    visitor.get("/p/a")
    assert shop.visits == 1
    shop.clock.advance(timedelta(milliseconds=1))
    visitor.get("/p/a")
    assert shop.visits == 2
    shop.clock.advance(timedelta(days=-1))
    visitor.get("/p/a")
    assert shop.visits == 3


def test_a_write_ends_it_at_once(visitor: TestClient, shop: Shop, new_database: Callable[[str], Database]) -> None:
    visitor.get("/p/a")
    with new_database("sqlite").write():
        pass
    visitor.get("/p/a")
    assert shop.visits == 2


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("/p/b", {}),
        ("/p/a?q=1", {}),
        ("/p/a", {"Accept-Encoding": "gzip"}),
        ("/p/a", {"HX-Request": "true"}),
        ("/p/a", {"HX-Request-Type": "full"}),
        ("/p/a", {"Range": "bytes=0-1"}),
    ],
)
def test_what_may_be_answered_otherwise_is_asked_for(
    visitor: TestClient, shop: Shop, address: str, headers: dict[str, str]
) -> None:
    visitor.get("/p/a", headers={"Accept-Encoding": "br"})
    visitor.get(address, headers={"Accept-Encoding": "br", **headers})
    assert shop.visits == 2


def test_posts_heads_and_pages_not_said_to_be_public_are_never_sent_again(visitor: TestClient, shop: Shop) -> None:
    for call in (visitor.post, visitor.head):
        for _ in range(2):
            call("/p/a")
    for _ in range(2):
        visitor.get("/private")
    assert shop.visits == 6


def test_what_is_kept_is_bounded(visitor: TestClient, shop: Shop) -> None:
    for number in range(MOST_PAGES + 1):
        visitor.get(f"/p/{number}")
    assert shop.visits == MOST_PAGES + 1
    visitor.get("/p/0")
    assert shop.visits == MOST_PAGES + 2
