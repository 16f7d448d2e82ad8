"""The application with two towns and a few pages that only tests need."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from complaints.sealing import Keyring
from complaints.storage import FolderStorage
from tests.web.shell.seeds import make_town
from web.app import create_app
from web.db import Database
from web.errors import Refused
from web.forms import FormErrors, read_form
from web.services import Services
from web.settings import Settings
from web.templating import load_environment, standard_context

EXAMPLE = Path(__file__).with_name("example.html")
SECRET_WORDS = "o motorista se chama Fulano"


@pytest.fixture
def shell_services(
    settings: Settings, new_database: Callable[[str], Database], clock: Callable[[], datetime]
) -> Services:
    """Services on SQLite only, with Maricá and Rio das Ostras (which has no lines)."""
    settings.data_dir.mkdir()
    database = new_database("sqlite")
    with database.write() as session:
        session.add(make_town("marica", "Maricá", demo=True))
        session.add(make_town("rio-das-ostras", "Rio das Ostras", has_lines=False))
    return Services(
        settings=settings,
        database=database,
        keyring=Keyring(settings.data_keys, settings.secret_key),
        storage=FolderStorage(settings.data_dir / "evidence"),
        clock=clock,
    )


@pytest.fixture
def shell_app(shell_services: Services) -> Starlette:
    """The application, with the pages of this file in front."""
    app = create_app(shell_services)
    app.router.routes[0:0] = [
        Route("/teste/exemplo", show_example, methods=["GET", "POST"]),
        Route("/teste/grande", read_large, methods=["POST"], max_body_size=1024 * 1024),
        Route("/teste/pasta/", show_example),
        Route("/teste/{kind:int}", fail),
        Route("/teste/recusado", fail),
        Route("/api/teste/{kind}", fail),
        Route("/webhooks/teste/{kind}", fail, methods=["GET", "POST"]),
    ]
    return app


@pytest.fixture
def shell(shell_app: Starlette) -> Iterator[TestClient]:
    """A client that shows redirects instead of following them."""
    with TestClient(shell_app, follow_redirects=False) as client:
        yield client


def show_example(request: Request) -> Response:
    """Every component; a post shows them with errors."""
    errors, values = FormErrors(), {"relato": "Passou <direto>"}
    if request.method == "POST":
        values = read_form(request, max_files=1).values
        errors.add("placa", "Digite a placa")
        errors.add("sigilo", "Escolha uma opção")
    context = {
        **standard_context(request),
        "errors": errors,
        "values": values,
        "expiry": date(2027, 3, 1),
        "instant": datetime(2026, 11, 30, 17, 5, tzinfo=UTC),
        "place": make_town("marica", "Maricá"),
    }
    html = load_environment().from_string(EXAMPLE.read_text()).render(context)
    return HTMLResponse(html, status_code=422 if errors else 200)


def read_large(request: Request) -> Response:
    """Takes a large text field."""
    return PlainTextResponse(str(len(read_form(request, max_part_bytes=1024 * 1024).text("a", 2**20))))


def fail(request: Request) -> Response:
    """Fails in the way its address names."""
    kind = str(request.path_params.get("kind", "recusado"))
    if kind == "500":
        raise ValueError(SECRET_WORDS)
    if kind == "503":
        raise OperationalError("SELECT", {}, Exception(SECRET_WORDS))
    if kind == "recusado":
        raise Refused(409, "Já foi respondida", "Outra pessoa respondeu antes.", "Veja a resposta.")
    raise HTTPException(int(kind))
