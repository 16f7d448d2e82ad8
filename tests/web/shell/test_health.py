"""`/saude`, on both databases."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import text
from starlette.testclient import TestClient

from complaints.messages.tables import WorkerBeat
from web.app import create_app
from web.services import Services


def test_healthy_process_says_so(client: TestClient) -> None:
    answer = client.get("/saude")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json() == {
        "situacao": "ok",
        "banco": True,
        "esquema": True,
        "trabalhador_segundos": None,
        "trabalhador_parado": None,
        "webhook_configurado": False,
        "mensagens": {
            "na_fila": 0,
            "mais_antiga_segundos": None,
            "sem_saida": [],
            "sem_noticia": 0,
            "paradas": 0,
        },
    }


def test_worker_that_fell_silent_is_told_by_its_age(client: TestClient, services: Services) -> None:
    with services.database.write() as session:
        session.add(WorkerBeat(name="a", at=services.clock() - timedelta(seconds=20)))
        session.add(WorkerBeat(name="b", at=services.clock() - timedelta(hours=1)))
    assert client.get("/saude").json()["trabalhador_segundos"] == 20
    assert client.get("/saude").json()["trabalhador_parado"] is False
    with services.database.write() as session:
        session.execute(text("DELETE FROM worker_beat WHERE name = 'a'"))
    report = client.get("/saude").json()
    assert (report["trabalhador_segundos"], report["trabalhador_parado"]) == (3600, True)


def test_webhook_token_is_reported_as_present_and_never_shown(shell_services: Services) -> None:
    settings = replace(shell_services.settings, twilio_auth_tokens=("tokenvalue",))
    with TestClient(create_app(replace(shell_services, settings=settings))) as client:
        answer = client.get("/saude")
    assert answer.json()["webhook_configurado"] is True
    assert "tokenvalue" not in answer.text
