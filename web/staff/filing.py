"""Filing on behalf of somebody on the phone, at the counter or by letter; protocol and key to read aloud."""

import secrets
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from complaints.cases.evidence import (
    MAX_BYTES,
    MAX_FILES,
    RefusedFile,
    discard_evidence,
    prepare_evidence,
)
from complaints.cases.filing import Filed, Filing, NothingSaid, file_case
from complaints.cases.protocol import format_protocol
from complaints.cases.reading import RiderView, rider_view
from complaints.cases.wordings import CHANNEL_LABELS, CONFIDENTIALITY, KINDS, STORED_CONFIDENTIALITY, STORED_KINDS
from web.forms import FormErrors
from web.rider.emergencies import emergencies_of
from web.rider.line_copy import copy_line
from web.rider.subject_choices import subject_choices
from web.staff.routing import Desk, StaffRoute, render_desk

CHANNELS = tuple((word, CHANNEL_LABELS[word]) for word in ("phone", "counter", "letter"))
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
"""How many characters each text field takes, as on the riders' form."""


def file_for_other(request: Request, desk: Desk) -> Response:
    """The form, and the receipt of what it filed; the same form sent again shows the same receipt."""
    if request.method != "POST":
        return _form_page(request, desk, {"canal": "phone"}, FormErrors())
    errors = check(desk)
    if errors:
        return _form_page(request, desk, desk.form.values, errors, 422)
    services = desk.services
    files = [(file.filename, file.content) for file in desk.form.files("anexo")]
    prepared, refused = prepare_evidence(services.storage, services.keyring, files)
    try:
        with services.database.write() as session:
            line_id, line_name = copy_line(session, desk.authority_id, desk.form.text("linha", LONGEST["linha"]))
            filing = replace(read_filing(desk), line_id=line_id, line_name=line_name, evidence=prepared)
            filed = file_case(session, services.keyring, filing, desk.now)
            view = rider_view(session, filed.case)
    except NothingSaid:
        discard_evidence(services.storage, prepared)
        errors.add("relato", "Escreva o que a pessoa contou ou escolha um assunto da lista")
        return _form_page(request, desk, desk.form.values, errors, 422)
    if filed.replay:
        discard_evidence(services.storage, prepared)
    return _receipt(request, desk, filed, view, refused)


def check(desk: Desk) -> FormErrors:
    """What to correct before filing; nothing of the person is demanded."""
    errors, form = FormErrors(), desk.form
    if form.text("canal", 20) not in dict(CHANNELS):
        errors.add("canal", "Escolha por onde a pessoa falou com vocês")
    if not form.text("relato") and not any(form.all("assunto", 120)):
        errors.add("relato", "Escreva o que a pessoa contou ou escolha um assunto")
    for name, length in LONGEST.items():
        if form.is_longer(name, length):
            errors.add(name, f"Use no máximo {length} letras aqui")
    return errors


def read_filing(desk: Desk) -> Filing:
    """What the form says, filed by this person; the line is looked up by the caller."""
    form = desk.form
    return Filing(
        authority_id=desk.authority_id,
        channel=form.text("canal", 20),
        key=f"staff:{form.text('envio', LONGEST['envio'] - 6) or secrets.token_urlsafe(18)}",
        kind=STORED_KINDS.get(form.text("tipo"), "complaint"),
        subjects=tuple(key for key in form.all("assunto", 120) if key),
        text=form.text("relato"),
        occurred=form.text("quando"),
        place=form.text("onde"),
        seal=form.text("selo"),
        plate=form.text("placa"),
        fleet_number=form.text("prefixo"),
        name=form.text("nome"),
        phone=form.text("telefone"),
        email=form.text("email"),
        confidentiality=STORED_CONFIDENTIALITY.get(form.text("sigilo"), ""),
        filed_by=desk.member.id,
    )


def _form_page(
    request: Request, desk: Desk, values: dict[str, str], errors: FormErrors, status_code: int = 200
) -> Response:
    with desk.services.database.read() as session:
        subjects = subject_choices(session, desk.authority, desk.today)
    context = {
        "values": {**values, "envio": values.get("envio") or secrets.token_urlsafe(18)},
        "errors": errors,
        "chosen": desk.form.all("assunto", 120),
        "subjects": subjects,
        "channels": CHANNELS,
        "kinds": tuple(KINDS.items()),
        "confidentiality": CONFIDENTIALITY,
        "max_files": MAX_FILES,
        "max_megabytes": MAX_BYTES // 1024 // 1024,
    }
    return render_desk(request, desk, "staff/file.html", context, status_code)


def _receipt(
    request: Request, desk: Desk, filed: Filed, view: RiderView, refused: tuple[RefusedFile, ...]
) -> Response:
    context = {
        "case": filed.case,
        "protocol": format_protocol(filed.case.protocol),
        "key": filed.key,
        "view": view,
        "refused": refused,
        "differs": filed.differs,
        "emergencies": emergencies_of(filed.case, view),
    }
    return render_desk(request, desk, "staff/filed.html", context)


ROUTES = (
    StaffRoute(
        "/casos/novo",
        file_for_other,
        "case.file_for_other",
        ("GET", "POST"),
        max_files=4 * MAX_FILES,
        max_body_size=MAX_BODY,
    ),
)
