"""What people, machines and logs are told when something goes wrong."""

import logging
from dataclasses import replace

import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from tests.web.shell.conftest import SECRET_WORDS
from web import errors
from web.csrf import ForgedRequest
from web.errors import BY_EXCEPTION, BY_STATUS, Refused, describe_failure, find_answer

STATUSES = sorted(BY_STATUS)


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_has_its_page_with_the_reference(shell: TestClient, status: int) -> None:
    answer = shell.get(f"/teste/{status}")
    assert answer.status_code == status
    assert f"<h1>{BY_STATUS[status].title}</h1>" in answer.text
    assert BY_STATUS[status].next_step in answer.text
    assert f'Referência: <span class="code">{answer.headers["x-request-id"]}</span>' in answer.text
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("words", [*BY_STATUS.values(), *(words for _, words in BY_EXCEPTION.values())])
def test_words_say_what_happened_and_what_to_do(words: errors.Words) -> None:
    assert words.title
    assert not words.title.endswith(".")
    assert words.what.endswith(".")
    assert words.next_step.endswith(".")


@pytest.mark.parametrize("kind", ["500", "503"])
def test_failure_is_logged_without_what_people_typed(
    shell: TestClient, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    with caplog.at_level(logging.ERROR, "selo.errors"):
        answer = shell.get(f"/teste/{kind}")
    assert answer.status_code == int(kind)
    assert SECRET_WORDS not in answer.text
    assert "Traceback" not in answer.text
    (record,) = caplog.records
    assert vars(record)["reference"] == answer.headers["x-request-id"]
    assert record.exc_info
    assert record.exc_info[1]
    described = describe_failure(record.exc_info[1], with_message=False)
    assert SECRET_WORDS not in described
    assert "in fail" in described


def test_busy_database_asks_to_come_back(shell: TestClient) -> None:
    assert shell.get("/teste/503").headers["retry-after"] == "60"


def test_page_refuses_in_its_own_words(shell: TestClient) -> None:
    answer = shell.get("/teste/recusado")
    assert answer.status_code == 409
    assert "<h1>Já foi respondida</h1>" in answer.text
    assert "Veja a resposta." in answer.text


def test_machines_get_json_or_bare_text(shell: TestClient) -> None:
    answer = shell.get("/api/teste/500")
    assert answer.json() == {"erro": BY_STATUS[500].title, "referencia": answer.headers["x-request-id"]}
    assert shell.get("/webhooks/teste/403").headers["content-type"].startswith("text/plain")


def test_part_of_a_page_gets_the_message_alone(shell: TestClient) -> None:
    answer = shell.get("/teste/404", headers={"hx-request": "true", "hx-request-type": "partial"})
    assert answer.text.startswith('<div class="notice')
    assert "<html" not in answer.text
    assert "HX-Request" in answer.headers["vary"]


def test_htmx_is_told_not_to_swap_our_failures(shell: TestClient) -> None:
    assert """<meta name="htmx-config" content='{"noSwap":[204,304,"5xx"]}'>""" in shell.get("/").text


def test_even_without_its_template_an_error_is_answered(
    shell: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: object, **__: object) -> None:
        raise RuntimeError("no template")

    monkeypatch.setattr(errors, "render", break_down)
    answer = shell.get("/teste/500")
    assert answer.status_code == 500
    assert BY_STATUS[500].title in answer.text


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (HTTPException(404), 404),
        (HTTPException(418), 418),
        (ForgedRequest(), 403),
        (OperationalError("", {}, Exception()), 503),
        (PoolTimeout(), 503),
        (Refused(429, "Espere", "x"), 429),
        (type("Child", (ForgedRequest,), {})(), 403),
        (ValueError(), 500),
        (KeyError(), 500),
    ],
)
def test_table_answers_each_exception_and_its_kin(error: Exception, status: int) -> None:
    assert find_answer(error)[0] == status


def test_description_tells_the_causes_and_messages_only_on_demand() -> None:
    try:
        try:
            raise KeyError("fulano")
        except KeyError as cause:
            raise ValueError("beltrano") from cause
    except ValueError as error:
        quiet, full = describe_failure(error, with_message=False), describe_failure(error, with_message=True)
    assert quiet.index("builtins.ValueError") < quiet.index("builtins.KeyError")
    assert "fulano" not in quiet.replace('raise KeyError("fulano")', "")
    assert "builtins.ValueError: beltrano" in full


def test_access_log_names_the_route_and_nothing_typed(shell: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "selo.access"):
        answer = shell.get("/marica/?nome=Fulano", headers={"user-agent": "Fulano"})
        shell.get("/nada/Fulano")
        shell.get("/teste/500")
    known, unknown, failed = [vars(record) for record in caplog.records if record.name == "selo.access"]
    assert known["route"] == "/{a:town}/"
    assert (known["method"], known["status"]) == ("GET", 200)
    assert known["reference"] == answer.headers["x-request-id"]
    assert known["bytes"] > 0
    assert unknown["route"] == "(no route)"
    assert failed["status"] == 500
    assert "Fulano" not in repr([known, unknown, failed])


def test_unreachable_database_is_a_503_page(shell_app: Starlette, shell_services: object) -> None:
    class Gone:
        def read(self) -> None:
            raise OperationalError("SELECT", {}, Exception("gone"))

        def dispose(self) -> None:
            return None

    services = shell_app.state.services
    shell_app.state.services = replace(services, database=Gone())
    with TestClient(shell_app) as client:
        answer = client.get("/marica/")
        health = client.get("/saude")
    assert answer.status_code == 503
    assert BY_STATUS[503].title in answer.text
    assert (health.status_code, health.json()["banco"]) == (503, False)
