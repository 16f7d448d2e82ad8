"""Posts from other sites, and the proof that a staff form was ours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.testclient import TestClient

from web.csrf import ForgedRequest, csrf_field, mask, require_csrf, session_secret, unmask

SECRET = session_secret(b"key", "session")


@pytest.mark.parametrize(
    ("headers", "passes"),
    [
        ({}, True),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "cross-site", "origin": "http://testserver"}, False),
        ({"sec-fetch-site": "same-origin", "origin": "null"}, True),
        ({"origin": "http://testserver"}, True),
        ({"origin": "http://TESTSERVER"}, True),
        ({"origin": "http://localhost:8000", "host": "localhost:8000"}, True),
        ({"origin": "http://evil.test"}, False),
        ({"origin": "http://testserver.evil.test"}, False),
        ({"origin": "http://testserver:81"}, False),
        ({"origin": "https://evil.test/testserver"}, False),
        ({"origin": "nonsense"}, False),
        ({"origin": "http://["}, False),
        ({"origin": "null"}, True),
    ],
)
def test_post_from_another_site_is_refused(shell: TestClient, headers: dict[str, str], passes: bool) -> None:
    answer = shell.post("/teste/exemplo", headers=headers)
    assert answer.status_code == (422 if passes else 403)
    if not passes:
        assert "O envio não veio desta página" in answer.text
        assert "envie outra vez" in answer.text


def test_reading_is_allowed_from_anywhere(shell: TestClient) -> None:
    assert shell.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200
    assert shell.head("/", headers={"origin": "http://evil.test"}).status_code == 200


def test_webhooks_prove_themselves_otherwise(shell: TestClient) -> None:
    answer = shell.post("/webhooks/teste/422", headers={"origin": "http://evil.test"})
    assert answer.status_code == 422


def test_field_differs_in_every_response_and_proves_the_session() -> None:
    request = _request(SECRET)
    tokens = [_token(str(csrf_field(request))) for _ in range(3)]
    assert len(set(tokens)) == 3
    for token in tokens:
        require_csrf(request, token)


@pytest.mark.parametrize("token", ["", "zz", "00", "00" * 64, "ção", mask(session_secret(b"key", "another"))])
def test_token_of_no_or_another_session_is_refused(token: str) -> None:
    with pytest.raises(ForgedRequest):
        require_csrf(_request(SECRET), token)


def test_without_a_session_no_token_passes() -> None:
    with pytest.raises(ForgedRequest):
        require_csrf(Request({"type": "http", "headers": []}), mask(SECRET))


@given(st.binary(min_size=32, max_size=32))
def test_mask_hides_and_unmask_finds(secret: bytes) -> None:
    assert unmask(mask(secret)) == secret


@given(st.text())
def test_unmask_takes_any_text(text: str) -> None:
    assert len(unmask(text)) in (0, 32)


def _request(secret: bytes) -> Request:
    request = Request({"type": "http", "headers": []})
    request.state.csrf_secret = secret
    return request


def _token(field: str) -> str:
    return field.split('value="')[1].split('"')[0]
