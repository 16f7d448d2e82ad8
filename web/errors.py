"""The one table from what went wrong to the status, the page and the words that answer it."""

import logging
import traceback
from dataclasses import dataclass

from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.csrf import ForgedRequest
from web.templating import render

log = logging.getLogger("selo.errors")


@dataclass(frozen=True)
class Words:
    """What an error page says: what happened, to which thing, and what to do next."""

    title: str
    what: str
    next_step: str


class Refused(Exception):
    """A page answers no, in words of its own."""

    def __init__(self, status: int, title: str, what: str, next_step: str = "") -> None:
        super().__init__(title)
        self.status = status
        self.words = Words(title, what, next_step)


BY_STATUS = {
    400: Words(
        "Não conseguimos ler o que foi enviado",
        "O formulário chegou incompleto ou com defeito.",
        "Volte à página anterior e envie de novo. O que você escreveu costuma continuar lá.",
    ),
    403: Words(
        "Você não tem acesso a esta página",
        "Esta página é só para quem tem permissão.",
        "Se você trabalha no órgão, peça a permissão a quem administra o sistema.",
    ),
    404: Words(
        "Página não encontrada",
        "Não existe nada neste endereço. Ele pode ter sido digitado errado ou ter mudado.",
        "Confira o endereço ou comece pela página inicial.",
    ),
    405: Words(
        "Esta página não funciona desse jeito",
        "O endereço existe, mas não aceita esse tipo de pedido.",
        "Comece pela página inicial.",
    ),
    409: Words(
        "Outra pessoa mudou isto antes",
        "Enquanto você escrevia, outra pessoa gravou uma mudança.",
        "Volte, veja como ficou e grave de novo.",
    ),
    413: Words(
        "O envio é grande demais",
        "O que você enviou passa do tamanho que recebemos de uma vez.",
        "Volte e envie menos fotos, ou fotos menores. O texto pode ir sem elas.",
    ),
    422: Words(
        "Falta corrigir alguma coisa",
        "Um dos campos não pôde ser aceito.",
        "Volte à página anterior, corrija e envie de novo.",
    ),
    429: Words(
        "Muitas tentativas em pouco tempo",
        "Para proteger os dados das pessoas, paramos de responder por alguns minutos.",
        "Espere um pouco e tente de novo. Se for urgente, telefone.",
    ),
    500: Words(
        "Algo deu errado do nosso lado",
        "O defeito é nosso, não seu. Ele ficou registrado com a referência abaixo.",
        "Tente de novo daqui a pouco. Se continuar, telefone e diga a referência.",
    ),
    503: Words(
        "O serviço está fora do ar por um momento",
        "Não conseguimos atender agora.",
        "Tente de novo em um minuto. Se for urgente, telefone.",
    ),
}
"""The words for a status that no row of BY_EXCEPTION explains better."""

BY_EXCEPTION: dict[type[Exception], tuple[int, Words]] = {
    ForgedRequest: (
        403,
        Words(
            "O envio não veio desta página",
            "Para a sua segurança, só aceitamos formulários abertos neste mesmo site, há pouco tempo.",
            "Abra a página de novo por aqui, confira o que escreveu e envie outra vez.",
        ),
    ),
    OperationalError: (503, BY_STATUS[503]),
    PoolTimeout: (503, BY_STATUS[503]),
}
"""Exceptions of the domain and what answers them; subclasses follow the nearest row."""


def find_answer(error: Exception) -> tuple[int, Words]:
    """Return the status and words for an exception; what the table does not know is a 500."""
    if isinstance(error, Refused):
        return error.status, error.words
    if isinstance(error, HTTPException):
        return error.status_code, BY_STATUS.get(error.status_code, BY_STATUS[400])
    for kind in type(error).__mro__:
        if kind in BY_EXCEPTION:
            return BY_EXCEPTION[kind]
    return 500, BY_STATUS[500]


def answer_error(request: Request, error: Exception) -> Response:
    """Answer an exception with the page, or JSON or bare text where machines read; log our own faults."""
    status, words = find_answer(error)
    if status >= 500:
        log.error("failure", extra={"reference": request.state.reference}, exc_info=error)
    headers = dict(getattr(error, "headers", None) or {})
    headers["Cache-Control"] = "no-store"
    if status == 503:
        headers.setdefault("Retry-After", "60")
    path = request.url.path
    if path.startswith(("/api/", "/saude")):
        body = {"erro": words.title, "referencia": request.state.reference}
        return JSONResponse(body, status_code=status, headers=headers)
    if path.startswith("/webhooks/"):
        return PlainTextResponse(request.state.reference, status_code=status, headers=headers)
    return _page(request, status, words, headers)


def _page(request: Request, status: int, words: Words, headers: dict[str, str]) -> Response:
    context = {"status": status, "words": words, "reference": request.state.reference}
    try:
        return render(request, "errors/page.html", context, status, headers, block_name="message")
    except Exception as error:
        log.error("error page failed", extra={"reference": request.state.reference}, exc_info=error)
        html = f'<!doctype html><html lang="pt-BR"><title>Erro</title><h1>{words.title}</h1><p>{words.next_step}'
        return HTMLResponse(html, status_code=status, headers=headers)


def describe_failure(error: BaseException, with_message: bool) -> str:
    """The stack of an exception and of what led to it. Messages may quote what a person typed: only on demand."""
    parts = []
    cause: BaseException | None = error
    while cause is not None:
        stack = "".join(traceback.format_tb(cause.__traceback__))
        message = f": {cause}" if with_message else ""
        parts.append(f"{stack}{type(cause).__module__}.{type(cause).__qualname__}{message}")
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\nwhich came after\n".join(parts)


class ErrorBoundary:
    """Answers every exception that reaches it; nothing escapes to the server but a broken connection."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except ClientDisconnect:
            return None
        except Exception as error:
            if started:
                raise
            response = await run_in_threadpool(answer_error, Request(scope), error)
            await response(scope, receive, send)
