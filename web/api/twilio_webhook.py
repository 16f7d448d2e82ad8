"""Where the message service calls: incoming texts, and what became of ours. Signed, stored, then answered empty.

Only the edge is async: it reads the form as it came, because the signature covers every pair of it.
"""

import logging
from collections.abc import Callable, Sequence
from random import SystemRandom
from urllib.parse import parse_qsl
from uuid import UUID

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import ImmutableMultiDict
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from twilio.request_validator import (
    SIGNATURE_HEADER,
    SIGNATURE_SETTINGS_HEADER,
    RequestValidator,
    get_signature_algorithm,
)

from complaints.messages.delivery_status import find_message, record_status
from complaints.messages.gateways import Trace
from web.messaging import receive_text
from web.services import Services

MOST_FIELDS = 500
_EMPTY = '<?xml version="1.0" encoding="UTF-8"?>\n<Response/>\n'

Pairs = Sequence[tuple[str, str]]

log = logging.getLogger("selo.webhook")


async def receive_message(request: Request) -> Response:
    """An incoming text: 503 without a token, 403 with a wrong signature, else stored before it is answered."""
    return await _receive(request, receive_text)


async def receive_status(request: Request) -> Response:
    """What became of a message of ours; a status known already, or of an unknown message, is fine."""
    key = _read_key(request.query_params.get("id", ""))
    return await _receive(request, lambda services, pairs: _note_status(services, key, dict(reversed(pairs))))


async def _receive(request: Request, act: Callable[[Services, Pairs], None]) -> Response:
    services: Services = request.app.state.services
    tokens = services.settings.twilio_auth_tokens
    if not tokens:
        return _answer(503)
    try:
        text = (await request.body()).decode()
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return _answer(400)
    if not _is_signed(request, services.settings.public_url, pairs, tokens):
        log.warning("wrong signature", extra={"path": request.url.path})
        return _answer(403)
    await run_in_threadpool(act, services, pairs)
    return _answer(200)


def _is_signed(request: Request, public_url: str, pairs: Pairs, tokens: Sequence[str]) -> bool:
    """Whether one of our tokens signed this very address and all pairs; the library may raise for a no.

    The address is the public one, never what the request says of the host. Calls signed with a shared key say
    so in a header of their own: they are checked by its algorithm, with the same tokens.
    """
    signature = request.headers.get(SIGNATURE_HEADER)
    if not signature:
        return False
    query = request.scope["query_string"].decode("latin-1")
    url = public_url + request.scope["raw_path"].decode("latin-1") + (f"?{query}" if query else "")
    algorithm = get_signature_algorithm(request.headers.get(SIGNATURE_SETTINGS_HEADER))
    fields = ImmutableMultiDict(pairs)
    try:
        return any(RequestValidator(token).validate(url, fields, signature, algorithm) for token in tokens)
    except (TypeError, ValueError, IndexError):
        return False


def _note_status(services: Services, key: tuple[int, UUID] | None, fields: dict[str, str]) -> None:
    trace = Trace(
        gateway_id=(fields.get("MessageSid") or fields.get("SmsSid", ""))[:64],
        status=(fields.get("MessageStatus") or fields.get("SmsStatus", "")).lower(),
        error_code=fields.get("ErrorCode", ""),
    )
    if not trace.gateway_id or not trace.status:
        return
    with services.database.write() as session:
        found = find_message(session, key, trace.gateway_id)
        if found:
            record_status(session, found, trace, services.clock(), SystemRandom())


def _read_key(typed: str) -> tuple[int, UUID] | None:
    """The `id` of complaints.messages.twilio_sender.callback_url; None when it is none of ours."""
    authority_id, _, row_id = typed.partition("-")
    if not (authority_id.isascii() and authority_id.isdigit() and len(authority_id) < 10):
        return None
    try:
        return int(authority_id), UUID(hex=row_id)
    except ValueError:
        return None


def _answer(status: int) -> Response:
    """Replies never go this way: one that the service did not wait for would be lost."""
    return Response(_EMPTY, status_code=status, media_type="text/xml")


routes: list[BaseRoute] = [
    Route("/webhooks/twilio/mensagem", receive_message, methods=["POST"], name="twilio_message"),
    Route("/webhooks/twilio/situacao", receive_status, methods=["POST"], name="twilio_status"),
]
