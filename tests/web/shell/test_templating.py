"""Templates, their parts and the components."""

import re
from html.parser import HTMLParser

import pytest
from jinja2 import UndefinedError
from jinja2.exceptions import TemplateNotFound
from jinja2_fragments import BlockNotFoundError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

from tests.web.shell.seeds import make_town
from web.addresses import absolute_url, town_url
from web.forms import FormErrors
from web.templating import load_environment, render

PARTIAL = {"hx-request": "true", "hx-request-type": "partial"}
WORDS = {"title": "Título", "what": "O quê.", "next_step": ""}
CONTEXT = {"status": 404, "words": WORDS, "reference": "K7M2-9PXQ"}


def test_page_or_part_depends_on_htmx(shell_app: Starlette) -> None:
    page = render(_request(shell_app), "errors/page.html", CONTEXT, 404, block_name="message")
    part = render(_request(shell_app, PARTIAL), "errors/page.html", CONTEXT, 404, block_name="message")
    assert b"<html" in page.body
    assert bytes(part.body).startswith(b'<div class="notice')
    assert page.headers["vary"] == part.headers["vary"] == "HX-Request, HX-Request-Type"


def test_page_without_parts_is_the_same_for_everybody(shell_app: Starlette) -> None:
    answer = render(_request(shell_app, PARTIAL), "errors/page.html", CONTEXT, 410, {"X-A": "b"})
    assert b"<html" in answer.body
    assert (answer.status_code, answer.headers["x-a"]) == (410, "b")
    assert "vary" not in answer.headers


def test_missing_names_templates_and_blocks_fail_loudly(shell_app: Starlette) -> None:
    with pytest.raises(UndefinedError):
        render(_request(shell_app), "errors/page.html", {})
    with pytest.raises(TemplateNotFound):
        render(_request(shell_app), "nada.html", {})
    with pytest.raises(BlockNotFoundError):
        render(_request(shell_app, PARTIAL), "errors/page.html", CONTEXT, block_name="nada")


def test_what_people_typed_is_escaped(shell: TestClient) -> None:
    html = shell.post("/teste/exemplo", data={"relato": '</textarea><script>"', "placa": '"><b>'}).text
    assert "<script>" not in html
    assert "&lt;/textarea&gt;&lt;script&gt;&#34;" in html
    assert 'value="&#34;&gt;&lt;b&gt;"' in html


def test_long_text_keeps_its_first_empty_line(shell: TestClient) -> None:
    html = shell.post("/teste/exemplo", data={"relato": "linha\n\n  recuo"}).text
    assert re.search(r"<textarea[^>]*>\nlinha\n\n  recuo</textarea>", html)


class Page(HTMLParser):
    """Gathers what labels, controls and descriptions a page has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.labels: set[str] = set()
        self.described: set[str] = set()
        self.controls: list[dict[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.labels |= {found["for"] or ""} if tag == "label" else set()
        self.described |= set((found.get("aria-describedby") or "").split())
        if tag in ("input", "select", "textarea"):
            self.controls.append(found)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_every_control_is_labelled_and_every_description_exists(shell: TestClient, method: str) -> None:
    page = Page(shell.request(method, "/teste/exemplo").text)
    assert len(page.controls) == 11
    assert {control["id"] for control in page.controls} <= page.labels
    assert page.described <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))


def test_summary_leads_to_the_first_choice_of_a_group(shell: TestClient) -> None:
    html = shell.post("/teste/exemplo").text
    assert '<a href="#campo-sigilo">' in html
    assert '<input type="radio" id="campo-sigilo" name="sigilo" value="identificado"' in html


def test_choices_keep_what_was_chosen(shell: TestClient) -> None:
    html = shell.post("/teste/exemplo", data={"sigilo": "sigiloso"}).text
    assert 'value="sigiloso" checked' in html
    assert 'value="identificado" checked' not in html
    assert 'value="atraso" checked' in html


def test_component_without_errors_has_no_summary() -> None:
    module = load_environment().get_template("components.html").module
    assert str(module.error_summary(FormErrors())).strip() == ""  # type: ignore[attr-defined]  # made by the template


@pytest.mark.parametrize(
    ("parts", "query", "address"),
    [
        ((), {}, "/marica/"),
        (("linhas",), {}, "/marica/linhas"),
        (("linhas", "e01"), {"dia": "2026-11-30"}, "/marica/linhas/e01?dia=2026-11-30"),
        (("paradas", "a/b c"), {}, "/marica/paradas/a%2Fb%20c"),
        (("veiculos",), {"q": "LZZ 1A23"}, "/marica/veiculos?q=LZZ+1A23"),
    ],
)
def test_town_addresses_are_quoted(parts: tuple[str, ...], query: dict[str, str], address: str) -> None:
    assert town_url(make_town("marica", "Maricá"), *parts, **query) == address


def test_printed_addresses_come_from_the_setting() -> None:
    assert absolute_url("https://selo.exemplo.test/", "/S/7K2M9PXQV") == "https://selo.exemplo.test/S/7K2M9PXQV"


def _request(app: Starlette, headers: dict[str, str] | None = None) -> Request:
    raw = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
    return Request({"type": "http", "app": app, "headers": raw, "path": "/x", "query_string": b""})
