"""The complaint form, whoever fills it in: its fields and their limits, what it offers, and the case it files."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import Session

from complaints.authorities.tables import Authority
from complaints.cases.evidence import MAX_FILES, RefusedFile, discard_evidence, prepare_evidence
from complaints.cases.evidence_types import MAX_BYTES, MAX_RECORDING_BYTES
from complaints.cases.filing import Filed, Filing, file_case
from complaints.cases.protocol import format_protocol
from complaints.cases.reading import RiderView, rider_view
from complaints.cases.wordings import CONFIDENTIALITY, KINDS, STORED_CONFIDENTIALITY, STORED_KINDS
from web.forms import Form, FormErrors
from web.rider.emergencies import emergencies_of
from web.rider.line_alerts import freeze_alert, stopping_alerts
from web.rider.line_copy import copy_line
from web.rider.promise import freeze_promise
from web.services import Services

MAX_BODY = MAX_FILES * MAX_BYTES + 1024 * 1024
MAX_UPLOADS = 4 * MAX_FILES
"""Files read of one form: more than are kept, so that the person is told which were not."""

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
}
"""How many characters each text field takes."""

_LONGEST_KEY = 70
"""The table keeps 80, with the word before it that says whose form it was."""

CHOICES: Mapping[str, Any] = {
    "kinds": tuple(KINDS.items()),
    "confidentiality": CONFIDENTIALITY,
    "max_files": MAX_FILES,
    "max_megabytes": MAX_BYTES // 1024**2,
    "max_recording_megabytes": MAX_RECORDING_BYTES // 1024**2,
}
"""What every form of a complaint offers, beside the subjects of the town."""


def form_key(sent: str = "") -> str:
    """The hidden field `envio`, by which a form sent twice is known: as it was sent, or a new one."""
    return sent[:_LONGEST_KEY] or secrets.token_urlsafe(18)


def says_something(form: Form) -> bool:
    """Whether there is a text or a subject: nothing else may be demanded."""
    return bool(form.text("relato") or any(form.all("assunto", 120)))


def check_lengths(form: Form, errors: FormErrors) -> None:
    """Tell the person what is too long, rather than cut it."""
    for name, length in LONGEST.items():
        if form.is_longer(name, length):
            errors.add(name, f"Use no máximo {length} letras aqui")


def file_form(
    services: Services, authority_id: int, form: Form, channel: str, filed_by: UUID | None = None
) -> dict[str, Any]:
    """File a checked form, or find what it filed before; returns what every receipt shows of the case.

    `filed_by`: the member of staff who fills it in for somebody. Files of a form sent again are forgotten.
    """
    files = [(file.filename, file.content) for file in form.files("anexo", empty=True)]
    prepared, refused = prepare_evidence(services.storage, services.keyring, files)
    with services.database.write() as session:
        filing = _read_filing(session, authority_id, form, channel)
        filing = replace(
            filing,
            **_freeze_circumstances(session, filing, services.clock()),
            evidence=prepared,
            filed_by=filed_by,
        )
        filed = file_case(session, services.keyring, filing, services.clock())
        view = rider_view(session, filed.case)
    if filed.replay:
        discard_evidence(services.storage, prepared)
    return _receipt(filed, view, refused)


def _read_filing(session: Session, authority_id: int, form: Form, channel: str) -> Filing:
    line_id, line_name = copy_line(session, authority_id, form.text("linha", LONGEST["linha"]))
    return Filing(
        authority_id=authority_id,
        channel=channel,
        key=f"{'web' if channel == 'web' else 'staff'}:{form_key(form.text('envio'))}",
        kind=STORED_KINDS.get(form.text("tipo"), "complaint"),
        subjects=tuple(key for key in form.all("assunto", 120) if key),
        text=form.text("relato"),
        occurred=form.text("quando"),
        place=form.text("onde"),
        seal=form.text("selo"),
        plate=form.text("placa"),
        fleet_number=form.text("prefixo"),
        line_id=line_id,
        line_name=line_name,
        name=form.text("nome"),
        phone=form.text("telefone"),
        email=form.text("email"),
        confidentiality=STORED_CONFIDENTIALITY.get(form.text("sigilo"), ""),
    )


def _freeze_circumstances(session: Session, filing: Filing, now: datetime) -> dict[str, Any]:
    """What riders of the line had been told: warnings, and the timetable of the moment that was named."""
    town = session.get_one(Authority, filing.authority_id)
    alerts = stopping_alerts(session, filing.authority_id, filing.line_id, now)
    return {
        "alerts": tuple(freeze_alert(alert, town) for alert in alerts),
        "timetable": freeze_promise(session, town, filing.line_id, filing.place, filing.occurred, now),
    }


def _receipt(filed: Filed, view: RiderView, refused: tuple[RefusedFile, ...]) -> dict[str, Any]:
    return {
        "case": filed.case,
        "protocol": format_protocol(filed.case.protocol),
        "key": filed.key,
        "view": view,
        "refused": refused,
        "differs": filed.differs,
        "emergencies": emergencies_of(filed.case, view),
    }
