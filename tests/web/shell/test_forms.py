"""What people send in forms, cleaned and kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from web.forms import FormErrors, clean, query_text, read_form, whole_number


@pytest.fixture
def echo(shell_app: Starlette) -> TestClient:
    """A client to a page that tells what it read."""

    def tell(request: Request) -> Response:
        form = read_form(request, max_files=2, max_part_bytes=1000)
        files = [(file.filename, file.media_type, len(file.content)) for file in form.files("anexo")]
        return JSONResponse(
            {
                "a": form.text("a"),
                "short": form.text("a", 5),
                "all": form.all("a"),
                "files": files,
                "long": form.is_longer("a", 5),
            }
        )

    shell_app.router.routes.insert(0, Route("/teste/eco", tell, methods=["POST"]))
    return TestClient(shell_app)


def test_text_is_trimmed_cut_and_repeated_values_are_kept(echo: TestClient) -> None:
    read = echo.post("/teste/eco", data={"a": ["  primeiro ", "segundo"]}).json()
    assert read == {"a": "primeiro", "short": "prime", "all": ["primeiro", "segundo"], "files": [], "long": True}


def test_missing_field_is_empty_text(echo: TestClient) -> None:
    read = echo.post("/teste/eco", data={}).json()
    assert read == {"a": "", "short": "", "all": [], "files": [], "long": False}


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"a=x%00y", "xy"),
        (b"a=um%0D%0Adois%0Dtr%C3%AAs", "um\ndois\ntrês"),
        (b"a=%FF%FE", "\ufffd\ufffd"),
        (b"a=%ED%A0%80", "\ufffd\ufffd\ufffd"),
        (b"a=%F0%9F%9A%8C+ok", "🚌 ok"),
        (b"a=%1B[31m%7F%C2%85", "[31m"),
        (b"a=&a=2", ""),
        (b"=x&&a", ""),
    ],
)
def test_urlencoded_text_arrives_clean(echo: TestClient, body: bytes, text: str) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert echo.post("/teste/eco", content=body, headers=form).json()["a"] == text


def test_files_come_whole_and_an_empty_choice_gives_none(echo: TestClient) -> None:
    files = [("anexo", ("f\x00oto.jpg", b"x" * 5000, "image/jpeg")), ("anexo", ("", b"", "image/png"))]
    read = echo.post("/teste/eco", data={"a": "é"}, files=files).json()
    assert read["a"] == "é"
    assert [size for _, _, size in read["files"]] == [5000]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"no boundary at all", "multipart/form-data; boundary=b"),
        (b"x", "multipart/form-data"),
        (b"a=" + b"x" * 2000, "application/x-www-form-urlencoded"),
        (b"&".join(b"a=1" for _ in range(300)), "application/x-www-form-urlencoded"),
    ],
)
def test_broken_or_oversized_form_gets_a_page(echo: TestClient, content: bytes, kind: str) -> None:
    answer = echo.post("/teste/eco", content=content, headers={"content-type": kind})
    assert answer.status_code == 400
    assert "Não conseguimos ler o que foi enviado" in answer.text


def test_too_many_files_are_refused(echo: TestClient) -> None:
    files = [("anexo", (f"{number}.jpg", b"x", "image/jpeg")) for number in range(3)]
    assert echo.post("/teste/eco", files=files).status_code == 400


def test_other_content_types_are_an_empty_form(echo: TestClient) -> None:
    assert echo.post("/teste/eco", json={"a": "x"}).json()["a"] == ""


def test_query_text_is_cleaned_like_a_field() -> None:
    request = Request({"type": "http", "headers": [], "query_string": b"q=%00+van%0A&n=" + b"9" * 300})
    assert query_text(request, "q") == "van"
    assert len(query_text(request, "n")) == 200
    assert query_text(request, "nada") == ""


@given(st.text(st.characters()))
def test_clean_text_can_be_stored_anywhere(text: str) -> None:
    cleaned = clean(text)
    assert "\x00" not in cleaned
    assert "\r" not in cleaned
    cleaned.encode("utf-8")
    assert clean(cleaned) == cleaned


def test_first_error_of_a_field_stays_and_order_is_kept() -> None:
    errors = FormErrors()
    assert not errors
    errors.add("relato", "Escreva o que aconteceu")
    errors.add("placa", "Digite a placa")
    errors.add("relato", "outra coisa")
    assert list(errors.items()) == [("relato", "Escreva o que aconteceu"), ("placa", "Digite a placa")]


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("007", 7), ("", 0), ("-1", 0), ("1.5", 0), ("٣", 0), ("²", 0), ("um", 0), ("9" * 5000, 0)],
)
def test_only_plain_digits_are_a_whole_number(text: str, number: int) -> None:
    assert whole_number(text) == number


def test_summary_and_field_say_the_same_and_what_was_typed_stays(shell: TestClient) -> None:
    answer = shell.post("/teste/exemplo", data={"placa": "LZ?", "senha": "segredo", "linha": "2", "sigilo": "x"})
    html = answer.text
    assert answer.status_code == 422
    assert "<title>Erro: Componentes" in html
    assert '<a href="#campo-placa">Digite a placa</a>' in html
    assert '<span class="hide">Erro: </span>Digite a placa' in html
    assert 'aria-describedby="dica-placa erro-placa" aria-invalid="true"' in html
    assert 'value="LZ?"' in html
    assert '<option value="2" selected>' in html
    assert "segredo" not in html
    assert html.index('id="erros"') < html.index("<h1")
    assert 'tabindex="-1" autofocus' in html
