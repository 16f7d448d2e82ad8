"""The shell in a real Chromium: the policy holds, errors get the focus, failures of htmx are said."""

import socket
from collections.abc import Iterator
from threading import Thread

import pytest
import uvicorn
from playwright.sync_api import Browser, Page
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from web.templating import load_environment, standard_context

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

FETCHING = """
{% extends "base.html" %}
{% block title %}Partes{% endblock %}
{% block content %}
<h1>Partes</h1><div id="parte">como estava</div>
{% for kind in (500, 404) %}<button hx-get="/teste/{{ kind }}" hx-target="#parte">{{ kind }}</button>{% endfor %}
{% endblock %}
{% block scripts %}{{ ui.scripts() }}{% endblock %}
"""
SIZES = [(320, 640), (390, 844), (1280, 800)]


@pytest.fixture
def address(shell_app: Starlette) -> Iterator[str]:
    """The application behind a real server."""
    shell_app.router.routes.insert(0, Route("/teste/partes", show_parts))
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(shell_app, log_config=None, ws="none", proxy_headers=False))
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listener.close()


def show_parts(request: Request) -> Response:
    """A page whose buttons fetch a part that fails."""
    return HTMLResponse(load_environment().from_string(FETCHING).render(standard_context(request)))


def open_page(chromium: Browser, width: int, height: int, complaints: list[str]) -> Page:
    """A phone-like page that gathers what the console and the policy complain of."""
    context = chromium.new_context(viewport={"width": width, "height": height}, locale="pt-BR")
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return page


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("path", ["/", "/marica/", "/teste/exemplo"])
def test_page_fits_and_breaks_no_policy(
    chromium: Browser, address: str, path: str, width: int, height: int
) -> None:
    complaints: list[str] = []
    page = open_page(chromium, width, height, complaints)
    page.goto(address + path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = (
        "[...document.querySelectorAll('.button, .nav a, .actions a, .input')].filter(e => e.offsetHeight < 44)"
    )
    assert page.evaluate(f"{small}.map(e => e.outerHTML)") == []
    assert complaints == []
    page.context.close()


def test_error_summary_has_the_focus_and_leads_to_the_field(chromium: Browser, address: str) -> None:
    page = open_page(chromium, 390, 844, [])
    page.goto(f"{address}/teste/exemplo")
    page.get_by_role("button", name="Enviar").click()
    page.wait_for_function("document.activeElement.id === 'erros'")
    assert page.title().startswith("Erro: ")
    page.get_by_role("link", name="Digite a placa").click()
    page.wait_for_function("document.activeElement.id === 'campo-placa'")
    page.context.close()


def test_failed_part_changes_nothing_and_is_said(chromium: Browser, address: str) -> None:
    complaints: list[str] = []
    page = open_page(chromium, 390, 844, complaints)
    page.goto(f"{address}/teste/partes")
    page.get_by_role("button", name="500").click()
    page.get_by_role("alert").wait_for(state="visible")
    assert page.locator("#parte").inner_text() == "como estava"
    page.get_by_role("button", name="404").click()
    page.get_by_text("Não existe nada neste endereço").wait_for()
    assert page.locator("h1").count() == 1
    assert not page.locator("#alerta").is_visible()
    assert all("Failed to load resource" in complaint for complaint in complaints)
    page.context.close()
