"""The first pages, and addresses that are almost or not at all ours."""

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from web.errors import BY_STATUS
from web.rider.town import get_town
from web.templating import render

PAGES = [
    "/",
    "/marica/",
    "/rio-das-ostras/",
    "/marica/nada",
    "/nada/",
    "/teste/500",
    "/teste/exemplo",
    "/s?codigo=",
]
INLINE = re.compile(r"\sstyle=|\son[a-z]+=|<style|javascript:|<script(?![^>]*\ssrc=)", re.IGNORECASE)
BUDGET = 60_000


def test_home_lists_towns_by_name_and_offers_the_seal_field(shell: TestClient) -> None:
    html = shell.get("/").text
    assert re.findall(r"<strong>([^<]+), RJ</strong>", html) == ["Maricá", "Rio das Ostras"]
    assert 'action="/s" method="get"' in html


def test_home_without_towns_says_so(client: TestClient) -> None:
    assert "Nenhum município foi cadastrado ainda" in client.get("/").text


def test_town_offers_the_four_actions(shell: TestClient) -> None:
    html = shell.get("/marica/").text
    for part in ("reclamar", "linhas", "veiculos", "acompanhar"):
        assert f'href="/marica/{part}"' in html
    assert "DEMONSTRAÇÃO, horários inventados" in html
    assert 'href="tel:+552137310000">(21) 3731-0000</a>' in html


def test_town_without_lines_shows_neither_lines_nor_fares(shell: TestClient) -> None:
    html = shell.get("/rio-das-ostras/").text
    assert "linhas" not in html
    assert "tarifas" not in html
    assert "DEMONSTRAÇÃO" not in html


@pytest.mark.parametrize("path", PAGES)
def test_page_has_one_heading_the_language_and_nothing_inline(shell: TestClient, path: str) -> None:
    html = shell.get(path).text
    assert html.count("<h1") == 1
    assert '<html lang="pt-BR">' in html
    assert html.index('href="#conteudo"') < html.index("<header")
    assert INLINE.findall(html) == []


@pytest.mark.parametrize("path", PAGES)
def test_page_and_all_it_fetches_stay_within_the_budget(shell: TestClient, path: str) -> None:
    gzip = {"accept-encoding": "gzip"}
    answer = shell.get(path, headers=gzip)
    addresses = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', answer.text))
    sizes = [_wire_bytes(shell, address) for address in addresses]
    assert len(sizes) <= 5
    assert int(answer.headers["content-length"]) + sum(sizes) <= BUDGET


def test_the_stylesheet_stays_small() -> None:
    assert Path("static/selo.css").stat().st_size < 13_000


@pytest.mark.parametrize(
    ("typed", "target"),
    [
        ("7K2M9PXQV", "/s/7K2M9PXQV"),
        (" 7k2m-9pxqv ", "/s/7K2M9PXQV"),
        ("7K2M 9PXQ V", "/s/7K2M9PXQV"),
        ("../../etc", "/s/ETC"),
        ("//evil.test", "/s/EVILTEST"),
    ],
)
def test_typed_seal_leads_to_its_page(shell: TestClient, typed: str, target: str) -> None:
    answer = shell.get("/s", params={"codigo": typed})
    assert (answer.status_code, answer.headers["location"]) == (303, target)


@pytest.mark.parametrize("query", ["", "?codigo=", "?codigo=%00", "?codigo=---"])
def test_empty_seal_field_is_explained_at_the_field(shell: TestClient, query: str) -> None:
    answer = shell.get(f"/s{query}")
    assert answer.status_code == 422
    assert "<title>Erro: " in answer.text
    assert answer.text.count("Digite o código que está no selo") == 2


@pytest.mark.parametrize(
    "slug",
    [
        "nada", "MARICA", "maric%C3%A1", "marica%20", "marica%00", "%FF", "..%2Fmarica", "marica%5C", "-",
        "a" * 5000, "marica'--", "%F0%9F%9A%8C", "marica%0d%0aSet-Cookie:x=1",
    ],
)  # fmt: skip
def test_what_is_no_town_is_not_found(shell: TestClient, slug: str) -> None:
    answer = shell.get(f"/{slug}/")
    assert answer.status_code == 404
    assert BY_STATUS[404].title in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/marica", "/marica/"),
        ("/marica?dia=2026-11-30&x=%20", "/marica/?dia=2026-11-30&x=%20"),
        ("/saude/", "/saude"),
        ("/teste/pasta", "/teste/pasta/"),
        ("/s/?codigo=7K2M9PXQV", "/s?codigo=7K2M9PXQV"),
        ("/S/?codigo=7K2M9PXQV", "/S?codigo=7K2M9PXQV"),
        ("/nenhum", None),
        ("/favicon.ico", None),
        ("/marica//", None),
        ("//evil.test", None),
        ("//evil.test/", None),
        ("/marica/nada/", None),
    ],
)
def test_other_slash_leads_to_the_address_we_use(shell: TestClient, path: str, target: str | None) -> None:
    answer = shell.get(f"http://testserver{path}", headers={"host": "evil.test"})
    if target is None:
        assert answer.status_code in (308, 404)
        assert not answer.headers.get("location", "").startswith("//")
    else:
        assert (answer.status_code, answer.headers["location"]) == (308, target)


def test_missing_page_of_a_town_keeps_the_town(shell: TestClient) -> None:
    answer = shell.get("/marica/nada")
    assert answer.status_code == 404
    assert 'href="/marica/reclamar"' in answer.text
    assert "Página inicial de Maricá" in answer.text


@pytest.mark.parametrize("path", ["/", "/marica/", "/static/selo.css", "/saude"])
def test_head_answers_as_get_does(shell: TestClient, path: str) -> None:
    assert shell.head(path).status_code == 200
    assert shell.head(path).headers["content-type"] == shell.get(path).headers["content-type"]


@pytest.mark.parametrize(("method", "path"), [("POST", "/"), ("DELETE", "/saude"), ("PUT", "/marica/")])
def test_wrong_method_says_what_is_allowed(shell: TestClient, method: str, path: str) -> None:
    answer = shell.request(method, path)
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}


def test_robots_leave_the_desk_alone(shell: TestClient) -> None:
    assert "Disallow: /equipe/" in shell.get("/robots.txt").text


def test_the_current_part_of_the_town_is_marked(shell_app: Starlette) -> None:
    def show_line(request: Request) -> Response:
        get_town(request)
        return render(request, "rider/town.html")

    shell_app.router.routes[0:0] = [Route("/{a}/linhas/{line}", show_line), Route("/{a}/veiculos", show_line)]
    with TestClient(shell_app) as client:
        assert '<a href="/marica/linhas" aria-current="true">' in client.get("/marica/linhas/e01").text
        assert '<a href="/marica/veiculos" aria-current="page">' in client.get("/marica/veiculos").text
        assert "aria-current" not in client.get("/marica/").text


def _wire_bytes(client: TestClient, address: str) -> int:
    answer = client.get(address, headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200
    return int(answer.headers["content-length"])
