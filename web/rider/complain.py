"""The complaint form and its receipt: one form, one key, one case; nothing but a text or a subject is needed."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.calendar import local_date
from complaints.authorities.tables import Authority
from complaints.cases.merging import count_others
from complaints.cases.reading import findings_of
from complaints.cases.wordings import FINDINGS
from complaints.law.vocabulary import get_vocabulary
from complaints.registry.plates import format_plate
from complaints.registry.seal_code import format_code
from complaints.registry.vehicles import identify
from web.caching import no_store
from web.complaint_form import (
    CHOICES,
    LONGEST,
    MAX_BODY,
    MAX_UPLOADS,
    check_lengths,
    file_form,
    form_key,
    says_something,
)
from web.forms import Form, FormErrors, query_text, read_form
from web.rider.line_alerts import stopping_alerts
from web.rider.line_copy import copy_line
from web.rider.subject_choices import subject_choices
from web.rider.town import get_town
from web.services import Services
from web.templating import render

VEHICLE_FIELDS = ("selo", "placa", "prefixo", "linha")
CONTACT_FIELDS = ("nome", "telefone", "email")
PREFILLED = (*VEHICLE_FIELDS, "onde", "quando")


@dataclass(frozen=True)
class KnownVehicle:
    """What the form says it already knows, from the seal or plate in its address."""

    vehicle_id: UUID
    plate: str
    fleet_number: str | None
    line_name: str | None
    seal: str | None
    finding: str | None


def show_form(request: Request) -> Response:
    """The empty form, filled in with what the address knows (`?selo=`, `placa`, `prefixo`, `linha`, `assunto`)."""
    town = get_town(request)
    values = {name: query_text(request, name, LONGEST[name]) for name in PREFILLED}
    values["envio"] = form_key()
    chosen = tuple(request.query_params.getlist("assunto"))
    return _form_page(request, town, values, chosen, FormErrors())


def complain(request: Request) -> Response:
    """File what was sent and answer with the receipt; the same key again shows the same receipt."""
    town = get_town(request)
    form = read_form(request, max_files=MAX_UPLOADS)
    errors = _check(form)
    if errors:
        values = {**form.values, "envio": form_key(form.text("envio"))}
        return _form_page(request, town, values, form.all("assunto"), errors, status_code=422)
    context = file_form(request.app.state.services, town.id, form, "web")
    case = context["case"]
    context |= {
        "text": form.text("relato"),
        "findings": [FINDINGS[word] for word in findings_of(case)],
        "head": case.head.hex(),
    }
    return no_store(render(request, "complaints/receipt.html", context))


def _form_page(
    request: Request,
    town: Authority,
    values: dict[str, str],
    chosen: tuple[str, ...],
    errors: FormErrors,
    status_code: int = 200,
) -> Response:
    services: Services = request.app.state.services
    today = local_date(town, services.clock())
    with services.database.read() as session:
        known = _known_vehicle(session, town, values, today)
        subjects = subject_choices(session, town, today)
        line_id, _ = copy_line(session, town.id, values.get("linha", ""))
        alerts = stopping_alerts(session, town.id, line_id, services.clock())
        others = count_others(session, town.id, known.vehicle_id if known else None, line_id, services.clock())
    context = {
        "values": values,
        "errors": errors,
        "known": known,
        "alerts": alerts,
        "others": others,
        "subjects": subjects,
        "chosen": chosen,
        **CHOICES,
        "emergency": get_vocabulary().emergencies["danger"],
        "open_vehicle": _touches(values, errors, VEHICLE_FIELDS),
        "open_contact": _touches(values, errors, CONTACT_FIELDS),
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
        vehicle_id=found.vehicle.id,
        plate=format_plate(found.vehicle.plate),
        fleet_number=found.vehicle.fleet_number,
        line_name=found.vehicle.line_name,
        seal=format_code(found.seal.code) if found.seal else None,
        finding=FINDINGS[found.findings[0]] if found.findings else None,
    )


def _touches(values: dict[str, str], errors: FormErrors, names: tuple[str, ...]) -> bool:
    """Whether a folded part of the form must stand open: something is in it or wrong with it."""
    return any(values.get(name) or name in errors for name in names)


def _check(form: Form) -> FormErrors:
    errors = FormErrors()
    if not says_something(form):
        errors.add("relato", "Conte o que aconteceu ou escolha pelo menos um assunto")
    check_lengths(form, errors)
    return errors


routes: list[BaseRoute] = [
    Route("/{a:town}/reclamar", show_form, methods=["GET"], name="complain"),
    Route("/{a:town}/reclamar", complain, methods=["POST"], max_body_size=MAX_BODY),
]
