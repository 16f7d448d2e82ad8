"""Following a case with protocol and key: what is happening, what comes next, what the rider may do about it."""

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.cases.dialogue import RATINGS, AlreadySaid
from complaints.cases.evidence import MAX_FILES, RefusedFile, discard_evidence, list_evidence
from complaints.cases.evidence_types import describe_type
from complaints.cases.follow import case_key
from complaints.cases.handling import IncompleteAct, load_for_change
from complaints.cases.protocol import format_protocol
from complaints.cases.reading import RiderView, findings_of, rider_view
from complaints.cases.wordings import CONFIDENTIALITY_LABELS, FINDINGS
from complaints.cases.workflow import ForbiddenMove
from web.caching import no_store
from web.complaint_form import CHOICES, MAX_BODY, MAX_UPLOADS
from web.formats import file_size
from web.forms import Form, FormErrors, query_text, read_form
from web.rider.case_opening import open_with_key
from web.rider.rider_acts import ACTS, RiderAct, possible_acts
from web.rider.town import get_town
from web.services import Services
from web.templating import render


def show_follow(request: Request) -> Response:
    """The form; the protocol may stand in the address, the key never does."""
    get_town(request)
    return _follow_page(request, {"protocolo": query_text(request, "protocolo", 30)}, FormErrors())


def open_by_key(request: Request) -> Response:
    """The case, when protocol and key go together."""
    opened = _open(request, form := read_form(request))
    return opened if isinstance(opened, Response) else show_case(request, opened, FormErrors(), form)


def act_page(act: RiderAct, request: Request) -> Response:
    """Do one thing about the case, and show it as it then stands; sent again, it counts once."""
    form = read_form(request, max_files=MAX_UPLOADS)
    opened = _open(request, form)
    if isinstance(opened, Response):
        return opened
    services: Services = request.app.state.services
    prepared, refused = act.prepare(services, form)
    try:
        with services.database.write() as session:
            case = load_for_change(session, opened.case.authority_id, opened.case.protocol)
            refused += act.perform(session, services, case, form, prepared)
            session.flush()
            view = rider_view(session, case)
    except AlreadySaid:
        return show_case(request, opened, FormErrors(), form, done=act.done)
    except (IncompleteAct, ForbiddenMove) as problem:
        discard_evidence(services.storage, prepared)
        told = problem.problems if isinstance(problem, IncompleteAct) else {act.field: act.impossible}
        return show_case(request, opened, FormErrors(told), form, refused=refused, status_code=422)
    changed = view.case.version > opened.case.version
    return show_case(
        request, view, FormErrors(), None, done=act.done if changed or not refused else "", refused=refused
    )


def _open(request: Request, form: Form) -> RiderView | Response:
    opened = open_with_key(request, get_town(request), form)
    return ask_again(request, form, opened) if isinstance(opened, FormErrors) else opened


def ask_again(request: Request, form: Form, errors: FormErrors) -> Response:
    """The form for protocol and key, with what to correct."""
    return _follow_page(request, {"protocolo": form.text("protocolo", 30)}, errors, status_code=422)


def _follow_page(request: Request, values: dict[str, str], errors: FormErrors, status_code: int = 200) -> Response:
    context = {"values": values, "errors": errors}
    return no_store(render(request, "complaints/follow.html", context, status_code=status_code))


def show_case(
    request: Request,
    view: RiderView,
    errors: FormErrors,
    form: Form | None,
    *,
    done: str = "",
    refused: tuple[RefusedFile, ...] = (),
    status_code: int = 200,
) -> Response:
    """The rider's page of a case; `form` fills in again what could not be done."""
    services: Services = request.app.state.services
    case = view.case
    with services.database.read() as session:
        files = [
            _file_words(row.original_type, row.original_size)
            for row in list_evidence(session, case.authority_id, case.id)
        ]
    context: dict[str, Any] = {
        "view": view,
        "case": case,
        "protocol": format_protocol(case.protocol),
        "key": case_key(services.keyring, case),
        "findings": [FINDINGS[word] for word in findings_of(case)],
        "confidentiality": CONFIDENTIALITY_LABELS.get(case.confidentiality, ""),
        "acts": {act.name for act in possible_acts(case)},
        "ratings": tuple(RATINGS.items()),
        "files": files,
        "may_send_files": len(files) < MAX_FILES,
        "max_files": MAX_FILES,
        "max_megabytes": CHOICES["max_megabytes"],
        "max_recording_megabytes": CHOICES["max_recording_megabytes"],
        "done": done,
        "refused": refused,
        "errors": errors,
        "values": form.values if form is not None and errors else {},
    }
    return no_store(render(request, "complaints/case.html", context, status_code=status_code))


def _file_words(media_type: str, size: int) -> str:
    kind = describe_type(media_type)
    return f"{kind.label if kind else 'arquivo'}, {file_size(size)}"


routes: list[BaseRoute] = [
    Route("/{a:town}/acompanhar", show_follow, methods=["GET"], name="follow"),
    Route("/{a:town}/acompanhar", open_by_key, methods=["POST"]),
    *(
        Route(
            f"/{{a:town}}/acompanhar/{act.name}",
            partial(act_page, act),
            methods=["POST"],
            max_body_size=MAX_BODY if act.takes_files else None,
        )
        for act in ACTS
    ),
]
