"""The complaint form and its receipt: one form, one key, one case; nothing but a text or a subject is needed."""

import secrets
from dataclasses import dataclass, replace
from datetime import date

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.tables import Authority
from complaints.cases.evidence import MAX_BYTES, MAX_FILES, RefusedFile, discard_evidence, prepare_evidence
from complaints.cases.filing import Filed, Filing, file_case
from complaints.cases.protocol import format_protocol
from complaints.cases.reading import RiderView, findings_of, rider_view
from complaints.cases.wordings import CONFIDENTIALITY, FINDINGS, KINDS, STORED_CONFIDENTIALITY, STORED_KINDS
from complaints.law.vocabulary import get_vocabulary
from complaints.registry.plates import format_plate
from complaints.registry.seal_code import format_code
from complaints.registry.vehicles import identify
from web.caching import no_store
from web.formats import local_time
from web.forms import Form, FormErrors, query_text, read_form
from web.rider.emergencies import emergencies_of
from web.rider.line_copy import copy_line
from web.rider.subject_choices import subject_choices
from web.rider.town import get_town
from web.services import Services
from web.templating import render

MAX_BODY = MAX_FILES * MAX_BYTES + 1024 * 1024
LONGEST = {
    "relato": 5000,
    "quando": 120,
    "onde": 200,
    "selo": 40,
    "placa": 40,
    "prefixo": 40,
    "linha": 120,
    "nome": 120,
    "telefone": 40,
    "email": 200,
    "envio": 80,
}
"""How many characters each text field takes."""
VEHICLE_FIELDS = ("selo", "placa", "prefixo", "linha")
CONTACT_FIELDS = ("nome", "telefone", "email")
PREFILLED = (*VEHICLE_FIELDS, "onde", "quando")


@dataclass(frozen=True)
class KnownVehicle:
    """What the form says it already knows, from the seal or plate in its address."""

    plate: str
    fleet_number: str | None
    line_name: str | None
    seal: str | None
    finding: str | None


def show_form(request: Request) -> Response:
    """The empty form, filled in with what the address knows (`?selo=`, `placa`, `prefixo`, `linha`, `assunto`)."""
    town = get_town(request)
    values = {name: query_text(request, name, LONGEST[name]) for name in PREFILLED}
    values["envio"] = secrets.token_urlsafe(18)
    chosen = tuple(request.query_params.getlist("assunto"))
    return _form_page(request, town, values, chosen, FormErrors())


def file_form(request: Request) -> Response:
    """File what was sent and answer with the receipt; the same key again shows the same receipt."""
    town = get_town(request)
    form = read_form(request, max_files=4 * MAX_FILES)
    errors = _check(form)
    if errors:
        values = {**form.values, "envio": form.text("envio", 80) or secrets.token_urlsafe(18)}
        return _form_page(request, town, values, form.all("assunto"), errors, status_code=422)
    services: Services = request.app.state.services
    files = [(file.filename, file.content) for file in form.files("anexo")]
    prepared, refused = prepare_evidence(services.storage, services.keyring, files)
    now = services.clock()
    with services.database.write() as session:
        filing = _filing(form, town, copy_line(session, town.id, form.text("linha", LONGEST["linha"])))
        filed = file_case(session, services.keyring, replace(filing, evidence=prepared), now)
        view = rider_view(session, filed.case)
    if filed.replay:
        discard_evidence(services.storage, prepared)
    return _receipt(request, filed, view, refused, form.text("relato"))


def _form_page(
    request: Request,
    town: Authority,
    values: dict[str, str],
    chosen: tuple[str, ...],
    errors: FormErrors,
    status_code: int = 200,
) -> Response:
    services: Services = request.app.state.services
    today = local_time(services.clock(), town).date()
    with services.database.read() as session:
        known = _known_vehicle(session, town, values, today)
        subjects = subject_choices(session, town, today)
    context = {
        "values": values,
        "errors": errors,
        "known": known,
        "subjects": subjects,
        "chosen": chosen,
        "kinds": tuple(KINDS.items()),
        "confidentiality": CONFIDENTIALITY,
        "emergency": get_vocabulary().emergencies["danger"],
        "open_vehicle": _touches(values, errors, VEHICLE_FIELDS),
        "open_contact": _touches(values, errors, CONTACT_FIELDS),
        "max_files": MAX_FILES,
        "max_megabytes": MAX_BYTES // 1024 // 1024,
    }
    return no_store(render(request, "complaints/form.html", context, status_code=status_code))


def _known_vehicle(session: Session, town: Authority, values: dict[str, str], today: date) -> KnownVehicle | None:
    seal, plate, fleet_number = (values.get(name, "") for name in ("selo", "placa", "prefixo"))
    if not (seal or plate or fleet_number):
        return None
    found = identify(session, town.id, seal, plate, fleet_number, today)
    if found.vehicle is None:
        return None
    return KnownVehicle(
        plate=format_plate(found.vehicle.plate),
        fleet_number=found.vehicle.fleet_number,
        line_name=found.vehicle.line_name,
        seal=format_code(found.seal.code) if found.seal else None,
        finding=FINDINGS[found.findings[0]] if found.findings else None,
    )


def _receipt(
    request: Request,
    filed: Filed,
    view: RiderView,
    refused: tuple[RefusedFile, ...],
    text: str,
) -> Response:
    context = {
        "case": filed.case,
        "protocol": format_protocol(filed.case.protocol),
        "key": filed.key,
        "view": view,
        "refused": refused,
        "differs": filed.differs,
        "text": text,
        "findings": [FINDINGS[word] for word in findings_of(filed.case)],
        "emergencies": emergencies_of(filed.case, view),
        "head": filed.case.head.hex(),
    }
    return no_store(render(request, "complaints/receipt.html", context))


def _touches(values: dict[str, str], errors: FormErrors, names: tuple[str, ...]) -> bool:
    """Whether a folded part of the form must stand open: something is in it or wrong with it."""
    return any(values.get(name) or name in errors for name in names)


def _check(form: Form) -> FormErrors:
    errors = FormErrors()
    if not form.text("relato") and not [key for key in form.all("assunto") if key]:
        errors.add("relato", "Conte o que aconteceu ou escolha pelo menos um assunto")
    for name, length in LONGEST.items():
        if form.is_longer(name, length):
            errors.add(name, f"Use no máximo {length} letras aqui")
    return errors


def _filing(form: Form, town: Authority, line: tuple[str | None, str | None]) -> Filing:
    return Filing(
        authority_id=town.id,
        channel="web",
        key=f"web:{form.text('envio', LONGEST['envio']) or secrets.token_urlsafe(18)}",
        kind=STORED_KINDS.get(form.text("tipo"), "complaint"),
        subjects=tuple(key for key in form.all("assunto", 120) if key),
        text=form.text("relato"),
        occurred=form.text("quando"),
        place=form.text("onde"),
        seal=form.text("selo"),
        plate=form.text("placa"),
        fleet_number=form.text("prefixo"),
        line_id=line[0],
        line_name=line[1],
        name=form.text("nome"),
        phone=form.text("telefone"),
        email=form.text("email"),
        confidentiality=STORED_CONFIDENTIALITY.get(form.text("sigilo"), ""),
    )


routes: list[BaseRoute] = [
    Route("/{a:town}/reclamar", show_form, methods=["GET"], name="complain"),
    Route("/{a:town}/reclamar", file_form, methods=["POST"], max_body_size=MAX_BODY),
]
