"""Opening a case with protocol and key: what to correct, and no guessing."""

from datetime import datetime, timedelta

from sqlmodel import Session
from starlette.requests import Request

from complaints.authorities.tables import Authority
from complaints.cases.follow import WrongKey, open_case
from complaints.cases.protocol import BadProtocol, check_protocol
from complaints.cases.reading import RiderView, rider_view
from complaints.staff.throttling import record_attempt, too_many
from web.errors import Refused
from web.forms import Form, FormErrors
from web.security import address_block, client_address
from web.services import Services

WINDOW = timedelta(hours=1)
PER_CASE = 10
PER_BLOCK = 60

BAD_PROTOCOL = {
    "length": "O protocolo tem 12 números. Confira e digite de novo",
    "characters": "O protocolo só tem números. Confira e digite de novo",
    "check": "Algum número do protocolo está trocado. Confira e digite de novo",
}


def open_with_key(request: Request, town: Authority, form: Form) -> RiderView | FormErrors:
    """The view of the case that protocol and key of a form open, or what to correct; raises Refused."""
    errors = FormErrors()
    try:
        protocol = check_protocol(form.text("protocolo", 30))
    except BadProtocol as problem:
        errors.add("protocolo", BAD_PROTOCOL[problem.reason])
        return errors
    services: Services = request.app.state.services
    now = services.clock()
    block = address_block(client_address(request))
    subjects = (("case_key", protocol, PER_CASE), ("case_key_block", block, PER_BLOCK))
    try:
        with services.database.read() as session:
            _refuse_guessing(session, services, subjects, now)
            case = open_case(session, services.keyring, town.id, protocol, form.text("chave", 40))
            return rider_view(session, case)
    except WrongKey:
        with services.database.write() as session:
            for purpose, subject, _ in subjects:
                record_attempt(session, services.keyring, purpose, subject, now)
    errors.add("chave", "Protocolo e chave não combinam. Confira os dois e tente de novo")
    return errors


def _refuse_guessing(
    session: Session, services: Services, subjects: tuple[tuple[str, str, int], ...], now: datetime
) -> None:
    for purpose, subject, limit in subjects:
        wait = too_many(session, services.keyring, purpose, subject, now, limit, WINDOW)
        if wait is not None:
            minutes = int(wait.total_seconds() // 60) + 1
            raise Refused(
                429,
                "Muitas tentativas com a chave errada",
                "Para proteger quem reclamou, paramos de conferir chaves por um tempo.",
                f"Espere {minutes} minutos e tente de novo, ou telefone com o protocolo em mãos.",
            )
