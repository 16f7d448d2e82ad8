"""Headers on every answer, limits of bodies, and whom a request comes from."""

from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_network

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from web.app import create_app
from web.security import BODY_BYTES, HEADERS, address_block, client_address, is_readable
from web.services import Services

ANSWERS = [
    ("GET", "/", 200), ("GET", "/marica/", 200), ("GET", "/marica", 308), ("GET", "/s?codigo=A", 303),
    ("GET", "/s", 422), ("GET", "/marica/nada", 404), ("POST", "/marica/", 405), ("GET", "/teste/500", 500),
    ("GET", "/teste/503", 503), ("GET", "/teste/429", 429), ("GET", "/static/x", 404),
    ("GET", "/static/selo.css", 200), ("GET", "/saude", 200), ("GET", "/robots.txt", 200), ("GET", "/%00/", 404),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path", "status"), ANSWERS)
def test_every_answer_forbids_what_no_page_needs(shell: TestClient, method: str, path: str, status: int) -> None:
    answer = shell.request(method, path)
    assert answer.status_code == status
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "strict-transport-security" not in answer.headers
    assert len(answer.headers["x-request-id"]) == 9


def test_policy_allows_nothing_inline_and_no_other_host() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "data:" not in policy


def test_https_is_insisted_on_only_where_the_public_address_has_it(shell_services: Services) -> None:
    secure = replace(
        shell_services, settings=replace(shell_services.settings, public_url="https://selo.exemplo.test")
    )
    with TestClient(create_app(secure)) as client:
        assert client.get("/").headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize("size", [BODY_BYTES + 1, BODY_BYTES * 5])
def test_large_body_gets_a_page_in_portuguese(shell: TestClient, size: int) -> None:
    answer = shell.post("/teste/exemplo", content=b"a" * size)
    assert answer.status_code == 413
    assert "O envio é grande demais" in answer.text
    assert answer.headers["x-request-id"] in answer.text


def test_large_body_of_unknown_length_is_refused_too(shell: TestClient) -> None:
    def body() -> Iterator[bytes]:
        yield b"a="
        for _ in range(20):
            yield b"b" * (BODY_BYTES // 10)

    form = {"content-type": "application/x-www-form-urlencoded"}
    answer = shell.post("/teste/exemplo", content=body(), headers=form)
    assert answer.status_code == 413
    assert "O envio é grande demais" in answer.text


def test_a_route_may_take_larger_bodies(shell: TestClient) -> None:
    length = BODY_BYTES * 2
    assert shell.post("/teste/grande", data={"a": "b" * length}).text == str(length)
    assert shell.post("/teste/grande", data={"a": "b" * BODY_BYTES * 5}).status_code == 413


@pytest.mark.parametrize(
    ("path", "readable"),
    [
        ("/marica/linhas/centro-x-pilar", True),
        ("/marica/ônibus", True),
        ("/a\x00b", False),
        ("/a\nb", False),
        ("/a\x7fb", False),
        ("/a\u202eb", False),
        ("/\ufffd", False),
        ("/a\\b", False),
        ("*", False),
        ("", False),
    ],
)
def test_unreadable_paths_are_told_apart(path: str, readable: bool) -> None:
    assert is_readable(path) is readable


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.9", [], "203.0.113.9"),
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["6.6.6.6, 198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["6.6.6.6", "198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["10.0.0.3"], "10.0.0.3"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["nonsense"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1, nonsense"], "10.0.0.1"),
        ("::ffff:10.0.0.1", ["2001:db8::1"], "2001:db8::1"),
        ("fe80::1%eth0", [], "fe80::1"),
        ("::ffff:203.0.113.9", [], "203.0.113.9"),
        ("testclient", ["198.51.100.1"], "testclient"),
        (None, ["198.51.100.1"], "unix"),
    ],
)
def test_forwarded_address_counts_only_behind_a_trusted_proxy(
    shell_services: Services, peer: str | None, forwarded: list[str], address: str
) -> None:
    settings = replace(shell_services.settings, trusted_proxies=(ip_network("10.0.0.0/8"),))
    app = create_app(replace(shell_services, settings=settings))
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    scope = {"type": "http", "app": app, "headers": headers, "client": (peer, 1) if peer else None}
    assert client_address(Request(scope)) == address


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("203.0.113.9", "203.0.113.0/24"),
        ("2001:db8:1:2::9", "2001:db8:1::/48"),
        ("::ffff:203.0.113.9", "203.0.113.0/24"),
        ("testclient", "testclient"),
    ],
)
def test_neighbours_share_a_block(address: str, block: str) -> None:
    assert address_block(address) == block
