"""The floor to compare with: a constant, a small template and a one-row insert, on the same server set-up."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from anyio.to_thread import current_default_thread_limiter
from jinja2 import Environment
from sqlmodel import Field, SQLModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from web.db import THREADS, Database
from web.settings import sqlite_url

PAGE = Environment(autoescape=True).from_string(
    """<!doctype html><html lang="pt-BR"><head><title>{{ title }}</title></head><body><h1>{{ title }}</h1>
<ul>{% for name, words in rows %}<li><a href="/{{ name }}">{{ words }}</a></li>{% endfor %}</ul></body></html>"""
)
ROWS = [(f"linha-{number}", f"Linha {number} · Centro x Araçatiba") for number in range(20)]


class BenchRow(SQLModel, table=True):
    """One row with one text."""

    __tablename__ = "bench_row"

    id: int | None = Field(default=None, primary_key=True)
    text: str = Field(max_length=400)


async def constant(request: Request) -> Response:
    """So many bytes."""
    return Response(b"x" * request.path_params["size"], media_type="text/html")


def small_page(request: Request) -> Response:
    """A template with twenty rows."""
    return HTMLResponse(PAGE.render(title="Linhas", rows=ROWS))


async def insert(request: Request) -> Response:
    """One row, committed, as any product would."""
    from starlette.concurrency import run_in_threadpool

    form = await request.form()
    await run_in_threadpool(_insert, request.app.state.database, str(form["relato"]))
    return PlainTextResponse("ok")


def _insert(database: Database, text: str) -> None:
    with database.write() as session:
        session.add(BenchRow(text=text[:400]))


def build_app() -> Starlette:
    """The application; its database is a file of its own in BENCH_FOLDER."""
    database = Database(sqlite_url(Path(os.environ["BENCH_FOLDER"]) / "bare.db"))
    with database.migrating() as connection:
        BenchRow.__table__.create(connection, checkfirst=True)  # type: ignore[attr-defined]  # set by SQLModel

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = THREADS
        yield
        database.dispose()

    routes = [
        Route("/constant/{size:int}", constant),
        Route("/page", small_page),
        Route("/insert", insert, methods=["POST"]),
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.state.database = database
    return app
