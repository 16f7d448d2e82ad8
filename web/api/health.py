"""`/saude`: whether this process can do its work, for load balancers and people on call."""

from datetime import datetime

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, func, select
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from complaints.messages.claims import count_waiting
from complaints.messages.tables import WorkerBeat
from web.messaging import list_ways_out
from web.migrations import is_current
from web.services import Services

WORKER_SILENCE = 180
"""Seconds without a round after which the worker counts as stopped."""


def show_health(request: Request) -> Response:
    """200 when the database answers with the schema of this version, else 503; never a secret."""
    services: Services = request.app.state.services
    report: dict[str, object] = {
        "banco": False,
        "esquema": False,
        "trabalhador_segundos": None,
        "trabalhador_parado": None,
        "webhook_configurado": bool(services.settings.twilio_auth_tokens),
        "mensagens": None,
    }
    try:
        with services.database.read() as session:
            report["banco"] = session.scalar(text("SELECT 1")) == 1
        report["esquema"] = is_current(services.database)
        if report["esquema"]:
            with services.database.read() as session:
                report |= describe_worker(session, services.clock())
                report |= describe_messages(session, services)
    except SQLAlchemyError:
        report["banco"] = False
    healthy = bool(report["banco"] and report["esquema"])
    body = {"situacao": "ok" if healthy else "fora do ar", **report}
    return JSONResponse(body, status_code=200 if healthy else 503, headers={"Cache-Control": "no-store"})


def describe_worker(session: Session, now: datetime) -> dict[str, object]:
    """How many seconds ago a worker last finished a round; nothing known before the first one."""
    last = session.exec(select(func.max(WorkerBeat.at))).one()
    if last is None:
        return {}
    age = max(0, int((now - last).total_seconds()))
    return {"trabalhador_segundos": age, "trabalhador_parado": age > WORKER_SILENCE}


def describe_messages(session: Session, services: Services) -> dict[str, object]:
    """What waits in the outbox, for how long, by which channels nothing can go out, and what waits for people."""
    waiting = count_waiting(session, services.clock())
    channels = sorted(waiting.channels - list_ways_out(services.settings))
    return {
        "mensagens": {
            "na_fila": waiting.due,
            "mais_antiga_segundos": waiting.oldest_seconds,
            "sem_saida": channels,
            "sem_noticia": waiting.unknown,
            "paradas": waiting.parked,
        }
    }


routes: list[BaseRoute] = [Route("/saude", show_health, name="health")]
