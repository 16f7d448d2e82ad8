"""The rider's own data on a case: seen with protocol and key, corrected, erased."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.cases.follow import case_key
from complaints.cases.handling import load_for_change
from complaints.cases.identity import contact_of
from complaints.cases.my_data import NothingKept, correct_data, erase_data
from complaints.cases.protocol import format_protocol
from complaints.cases.reading import RiderView
from web.caching import no_store
from web.complaint_form import LONGEST, check_lengths
from web.forms import Form, FormErrors, read_form
from web.rider.case_opening import open_with_key
from web.rider.follow import ask_again
from web.rider.town import get_town
from web.services import Services
from web.templating import render

FIELDS = ("nome", "telefone", "email")


def show_data(request: Request) -> Response:
    """What is kept of the person, and nothing of what they told."""
    opened, _ = _open(request)
    return opened if isinstance(opened, Response) else _page(request, opened, FormErrors())


def correct(request: Request) -> Response:
    """Put right what was wrong; an empty form is not an erasure."""
    opened, form = _open(request)
    if isinstance(opened, Response):
        return opened
    errors, values = FormErrors(), {name: form.text(name, LONGEST[name]) for name in FIELDS}
    check_lengths(form, errors)
    if not any(values.values()):
        errors.add("nome", "Escreva pelo menos um dos três. Para não deixar nenhum, use Apagar meus dados")
    if values["email"] and "@" not in values["email"]:
        errors.add("email", "Escreva o e-mail inteiro, com @")
    if errors:
        return _page(request, opened, errors, values=values, status_code=422)
    services: Services = request.app.state.services
    try:
        with services.database.write() as session:
            case = load_for_change(session, opened.case.authority_id, opened.case.protocol)
            correct_data(
                session,
                services.keyring,
                case,
                name=values["nome"],
                phone=values["telefone"],
                email=values["email"],
                now=services.clock(),
            )
    except NothingKept:
        return _page(request, opened, FormErrors())
    return _page(request, opened, FormErrors(), done="Seus dados foram corrigidos.")


def erase(request: Request) -> Response:
    """Erase the person from the case; sent again, it is already so."""
    opened, form = _open(request)
    if isinstance(opened, Response):
        return opened
    if form.text("confirmo", 5) != "sim":
        errors = FormErrors({"confirmo": "Marque que quer apagar seus dados"})
        return _page(request, opened, errors, status_code=422)
    services: Services = request.app.state.services
    try:
        with services.database.write() as session:
            case = load_for_change(session, opened.case.authority_id, opened.case.protocol)
            erase_data(session, services.keyring, case, services.clock())
    except NothingKept:
        pass
    return _page(request, opened, FormErrors(), done="Seus dados foram apagados. O caso segue sem o seu nome.")


def _open(request: Request) -> tuple[RiderView | Response, Form]:
    form = read_form(request)
    opened = open_with_key(request, get_town(request), form)
    return (ask_again(request, form, opened) if isinstance(opened, FormErrors) else opened), form


def _page(
    request: Request,
    view: RiderView,
    errors: FormErrors,
    *,
    values: dict[str, str] | None = None,
    done: str = "",
    status_code: int = 200,
) -> Response:
    services: Services = request.app.state.services
    with services.database.read() as session:
        kept = contact_of(session, services.keyring, view.case)
    context = {
        "protocol": format_protocol(view.case.protocol),
        "case": view.case,
        "key": case_key(services.keyring, view.case),
        "kept": kept,
        "values": values or {"nome": kept.name, "telefone": kept.phone, "email": kept.email},
        "errors": errors,
        "done": done,
    }
    return no_store(render(request, "complaints/my_data.html", context, status_code=status_code))


routes: list[BaseRoute] = [
    Route("/{a:town}/acompanhar/dados", show_data, methods=["POST"], name="my_data"),
    Route("/{a:town}/acompanhar/dados/corrigir", correct, methods=["POST"]),
    Route("/{a:town}/acompanhar/dados/apagar", erase, methods=["POST"]),
]
