"""Filing on behalf of somebody on the phone, at the counter or by letter; protocol and key to read aloud."""

from starlette.requests import Request
from starlette.responses import Response

from complaints.cases.wordings import CHANNEL_LABELS
from web.complaint_form import (
    CHOICES,
    MAX_BODY,
    MAX_UPLOADS,
    check_lengths,
    file_form,
    form_key,
    says_something,
)
from web.forms import FormErrors
from web.rider.subject_choices import subject_choices
from web.staff.routing import Desk, StaffRoute, render_desk

CHANNELS = tuple((word, CHANNEL_LABELS[word]) for word in ("phone", "counter", "letter"))


def file_for_other(request: Request, desk: Desk) -> Response:
    """The form, and the receipt of what it filed; the same form sent again shows the same receipt."""
    if request.method != "POST":
        return _form_page(request, desk, {"canal": "phone"}, FormErrors())
    errors = check(desk)
    if errors:
        return _form_page(request, desk, desk.form.values, errors, 422)
    channel = desk.form.text("canal", 20)
    context = file_form(desk.services, desk.authority_id, desk.form, channel, desk.member.id)
    return render_desk(request, desk, "staff/filed.html", context)


def check(desk: Desk) -> FormErrors:
    """What to correct before filing; nothing of the person is demanded."""
    errors, form = FormErrors(), desk.form
    if form.text("canal", 20) not in dict(CHANNELS):
        errors.add("canal", "Escolha por onde a pessoa falou com vocês")
    if not says_something(form):
        errors.add("relato", "Escreva o que a pessoa contou ou escolha um assunto")
    check_lengths(form, errors)
    return errors


def _form_page(
    request: Request, desk: Desk, values: dict[str, str], errors: FormErrors, status_code: int = 200
) -> Response:
    with desk.services.database.read() as session:
        subjects = subject_choices(session, desk.authority, desk.today)
    context = {
        "values": {**values, "envio": form_key(values.get("envio", ""))},
        "errors": errors,
        "chosen": desk.form.all("assunto", 120),
        "subjects": subjects,
        "channels": CHANNELS,
        **CHOICES,
    }
    return render_desk(request, desk, "staff/file.html", context, status_code)


ROUTES = (
    StaffRoute(
        "/casos/novo",
        file_for_other,
        "case.file_for_other",
        ("GET", "POST"),
        max_files=MAX_UPLOADS,
        max_body_size=MAX_BODY,
    ),
)
