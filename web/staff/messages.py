"""The messages of the authority: what became of each; in a demonstration also texts, and a phone to text from."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from complaints.cases.tables import CaseFile
from complaints.messages.forgetting import FORGOTTEN
from complaints.messages.gateway_errors import get_rules, rule_for
from complaints.messages.notices import OPTED_OUT
from complaints.messages.outbox import open_message
from complaints.messages.tables import Outbox
from complaints.messages.wording import finish_text
from complaints.sealing import CannotOpen
from web.forms import FormErrors
from web.messaging import receive_text, written_text
from web.staff.routing import Desk, StaffRoute, render_desk

SHOWN = 50
LONGEST_TEXT = 1600
ADDRESS = "/equipe/mensagens"

STATES = {
    "pending": ("Na fila", "info"),
    "sending": ("Saindo", "info"),
    "sent": ("Enviada", "good"),
    "delivered": ("Entregue", "good"),
    "unknown": ("Não se sabe", "warn"),
    "failed": ("Não entregue", "bad"),
    "parked": ("Parada", "bad"),
}
CHANNELS = {"sms": "SMS", "whatsapp": "WhatsApp", "email": "E-mail"}
PURPOSES = {
    "receipt": "Recibo",
    "receipt_urgent": "Recibo urgente",
    "classified": "Caso em verificação",
    "inspection_ordered": "Vistoria pedida",
    "inspection_done": "Vistoria feita",
    "answered": "Aviso de resposta",
    "extended": "Prazo prorrogado",
    "complement_requested": "Pedido de informação",
    "forwarded": "Encaminhamento",
    "archived": "Arquivamento",
    "merged": "Reunido a outro caso",
    "review_settled": "Resultado da revisão",
}
"""Notices by purpose; everything else is a reply in a conversation."""


@dataclass(frozen=True)
class MessageRow:
    """One line of the page; `recipient` and `text` are empty outside a demonstration."""

    at: datetime
    channel: str
    purpose: str
    protocol: str
    state: str
    tone: str
    error: str
    recipient: str = ""
    subject: str = ""
    text: str = ""


def show_messages(request: Request, desk: Desk) -> Response:
    """The newest messages of this authority, in whatever state."""
    return _page(request, desk, {}, FormErrors())


def text_from_a_phone(request: Request, desk: Desk) -> Response:
    """A demonstration's telephone: the text takes the very way of one that the message service hands over."""
    if not desk.services.settings.demo or not desk.authority.sms_number:
        raise HTTPException(404)
    phone, text = desk.form.text("telefone", 30), desk.form.text("texto", LONGEST_TEXT)
    errors = FormErrors()
    if sum(character.isdigit() for character in phone) < 10:
        errors.add("telefone", "Escreva o telefone com DDD")
    if not text:
        errors.add("texto", "Escreva a mensagem")
    if errors:
        return _page(request, desk, {"telefone": phone, "texto": text}, errors, 422)
    receive_text(desk.services, written_text(phone, desk.authority.sms_number, text))
    return RedirectResponse(ADDRESS, status_code=303)


def _page(
    request: Request, desk: Desk, values: dict[str, str], errors: FormErrors, status_code: int = 200
) -> Response:
    with desk.services.database.read() as session:
        rows = _list_rows(session, desk)
    simulator = desk.services.settings.demo and desk.authority.sms_number is not None
    context = {"rows": rows, "values": values, "errors": errors, "simulator": simulator, "limit": SHOWN}
    return render_desk(request, desk, "staff/messages.html", context, status_code)


def _list_rows(session: Session, desk: Desk) -> list[MessageRow]:
    found = session.exec(
        select(Outbox, CaseFile.protocol)
        .join(
            CaseFile,
            (col(CaseFile.authority_id) == Outbox.authority_id) & (col(CaseFile.id) == Outbox.case_id),
            isouter=True,
        )
        .where(Outbox.authority_id == desk.authority_id)
        .order_by(col(Outbox.created_at).desc(), col(Outbox.id).desc())
        .limit(SHOWN)
    ).all()
    return [_row(desk, row, protocol) for row, protocol in found]


def _row(desk: Desk, row: Outbox, protocol: str | None) -> MessageRow:
    label, tone = STATES[row.state]
    recipient, subject, text = _opened(desk, row) if desk.services.settings.demo else ("", "", "")
    return MessageRow(
        at=row.created_at,
        channel=CHANNELS.get(row.channel, row.channel),
        purpose=PURPOSES.get(row.purpose, "Resposta na conversa"),
        protocol=protocol or "",
        state=label,
        tone=tone,
        error=_reason(row.error or ""),
        recipient=recipient,
        subject=subject,
        text=text,
    )


def _reason(error: str) -> str:
    """Why a message is where it is, in words for staff."""
    if not error:
        return ""
    if error == OPTED_OUT:
        return "a pessoa pediu para não receber mais avisos"
    if error == FORGOTTEN:
        return "a pessoa apagou seus dados"
    code = error.partition(": ")[0]
    if code in get_rules() or code.isdigit():
        return f"{rule_for(code).words} ({code})"
    return "o serviço ainda não disse se recebeu"


def _opened(desk: Desk, row: Outbox) -> tuple[str, str, str]:
    try:
        message = open_message(desk.services.keyring, row)
    except CannotOpen:
        return "", "", ""
    text = finish_text(row.channel, message.text, desk.services.settings.public_url)
    return message.recipient, message.subject, text


ROUTES = (
    StaffRoute("/mensagens", show_messages, "message.read"),
    StaffRoute("/mensagens", text_from_a_phone, "message.read", methods=("POST",)),
)
