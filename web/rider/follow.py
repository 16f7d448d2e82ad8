"""Following a case with protocol and key: what is happening, what comes next, and a place to add words."""

from datetime import datetime, timedelta

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.tables import Authority
from complaints.cases.filing import add_text
from complaints.cases.follow import WrongKey, case_key, open_case
from complaints.cases.handling import load_for_change
from complaints.cases.protocol import BadProtocol, check_protocol, format_protocol
from complaints.cases.reading import RiderView, findings_of, rider_view
from complaints.cases.wordings import CONFIDENTIALITY_LABELS, FINDINGS
from complaints.cases.workflow import may_happen
from complaints.staff.throttling import record_attempt, too_many
from web.caching import no_store
from web.errors import Refused
from web.forms import Form, FormErrors, query_text, read_form
from web.rider.town import get_town
from web.security import address_block, client_address
from web.services import Services
from web.templating import render

WINDOW = timedelta(hours=1)
PER_CASE = 10
PER_BLOCK = 60
LONGEST_TEXT = 5000

BAD_PROTOCOL = {
    "length": "O protocolo tem 12 números. Confira e digite de novo",
    "characters": "O protocolo só tem números. Confira e digite de novo",
    "check": "Algum número do protocolo está trocado. Confira e digite de novo",
}


def show_follow(request: Request) -> Response:
    """The form; the protocol may stand in the address, the key never does."""
    get_town(request)
    return _follow_page(request, {"protocolo": query_text(request, "protocolo", 30)}, FormErrors())


def open_by_key(request: Request) -> Response:
    """The case, when protocol and key go together."""
    town = get_town(request)
    form = read_form(request)
    opened = _open(request, town, form)
    if isinstance(opened, FormErrors):
        return _follow_page(request, {"protocolo": form.text("protocolo", 30)}, opened, status_code=422)
    return _case_page(request, opened, FormErrors())


def add_words(request: Request) -> Response:
    """Add what the rider writes to the case; the same words sent again are kept once."""
    town = get_town(request)
    form = read_form(request)
    opened = _open(request, town, form)
    if isinstance(opened, FormErrors):
        return _follow_page(request, {"protocolo": form.text("protocolo", 30)}, opened, status_code=422)
    text, errors = form.text("texto"), FormErrors()
    if not text:
        errors.add("texto", "Escreva o que quer acrescentar")
    if form.is_longer("texto", LONGEST_TEXT):
        errors.add("texto", f"Use no máximo {LONGEST_TEXT} letras aqui")
    if not may_happen("text_added", opened.case.status):
        errors.add("texto", "Este caso foi encerrado e não recebe mais informações. Faça uma nova manifestação")
    if errors:
        return _case_page(request, opened, errors, {"texto": text}, status_code=422)
    services: Services = request.app.state.services
    with services.database.write() as session:
        case = load_for_change(session, town.id, opened.case.protocol)
        if not _said_before(rider_view(session, case), text):
            add_text(session, case, text, "web", "rider", services.clock())
            session.flush()
        view = rider_view(session, case)
    return _case_page(request, view, FormErrors(), added=True)


def _open(request: Request, town: Authority, form: Form) -> RiderView | FormErrors:
    """The view of the case, or what to correct; raises Refused."""
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


def _said_before(view: RiderView, text: str) -> bool:
    return any(entry.content.get("text") == text for entry in view.timeline)


def _follow_page(request: Request, values: dict[str, str], errors: FormErrors, status_code: int = 200) -> Response:
    context = {"values": values, "errors": errors}
    return no_store(render(request, "complaints/follow.html", context, status_code=status_code))


def _case_page(
    request: Request,
    view: RiderView,
    errors: FormErrors,
    values: dict[str, str] | None = None,
    added: bool = False,
    status_code: int = 200,
) -> Response:
    services: Services = request.app.state.services
    case = view.case
    context = {
        "view": view,
        "case": case,
        "protocol": format_protocol(case.protocol),
        "key": case_key(services.keyring, case),
        "findings": [FINDINGS[word] for word in findings_of(case)],
        "confidentiality": CONFIDENTIALITY_LABELS.get(case.confidentiality, ""),
        "may_add": may_happen("text_added", case.status),
        "added": added,
        "errors": errors,
        "values": values or {},
    }
    return no_store(render(request, "complaints/case.html", context, status_code=status_code))


routes: list[BaseRoute] = [
    Route("/{a:town}/acompanhar", show_follow, methods=["GET"], name="follow"),
    Route("/{a:town}/acompanhar", open_by_key, methods=["POST"]),
    Route("/{a:town}/acompanhar/acrescentar", add_words, methods=["POST"], name="add_words"),
]
