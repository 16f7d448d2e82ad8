"""The page of one case, and who filed it (with a reason)."""

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from complaints.cases.follow import find_case
from complaints.cases.identity import read_identity
from complaints.cases.tables import CaseFile
from complaints.staff.case_view import list_identity_looks, read_case
from web.forms import FormErrors, query_text
from web.staff.case_acts import ACTS, possible_acts
from web.staff.case_forms import form_context
from web.staff.routing import Desk, StaffRoute, render_desk

MAX_REASON = 300


def show_case(request: Request, desk: Desk) -> Response:
    """Everything about one case, and the forms of what this person may do with it now."""
    with desk.services.database.read() as session:
        case = get_case_here(session, desk, request)
        view = read_case(session, case, desk.today, confidential=desk.may("case.read_confidential"))
        context = form_context(session, desk, view)
        looks = list_identity_looks(session, case) if desk.may("audit.read") else ()
    done = query_text(request, "feito", 20)
    context.update(
        acts=possible_acts(desk, case, context["extended_due"]),
        looks=looks,
        done=next((act.done for act in ACTS if act.name == done), ""),
        may_see_identity=may_see_identity(desk, case),
        may_see_original=desk.may("evidence.original"),
        may_hide=desk.may("evidence.hide"),
    )
    return render_desk(request, desk, "staff/case.html", context)


def see_identity(request: Request, desk: Desk) -> Response:
    """Ask for a reason, then show who filed the case; every look is kept with its reason."""
    with desk.services.database.read() as session:
        case = get_case_here(session, desk, request)
    if not may_see_identity(desk, case):
        raise HTTPException(404)
    errors, reason = FormErrors(), desk.form.text("motivo", MAX_REASON)
    context = {"case": case, "errors": errors, "values": {"motivo": reason}, "identity": None, "reason": reason}
    if request.method != "POST":
        return render_desk(request, desk, "staff/identity.html", context)
    if not reason:
        errors.add("motivo", "Escreva por que você precisa saber quem reclamou.")
        return render_desk(request, desk, "staff/identity.html", context, 422)
    keyring = desk.services.keyring
    with desk.services.database.write() as session:
        context["identity"] = read_identity(session, keyring, case, desk.member.id, reason, desk.now)
    return render_desk(request, desk, "staff/identity.html", context)


def get_case_here(session: Session, desk: Desk, request: Request) -> CaseFile:
    """The case of the address, of this authority only; raises HTTPException 404."""
    case = find_case(session, desk.authority_id, request.path_params["protocol"])
    if case is None:
        raise HTTPException(404)
    return case


def may_see_identity(desk: Desk, case: CaseFile) -> bool:
    """Whether there is an identity that this person may ask for."""
    return desk.may("identity.read") and desk.may("case.read_confidential") and case.confidentiality != "anonymous"


ROUTES = (
    StaffRoute("/casos/{protocol}", show_case, "case.read"),
    StaffRoute("/casos/{protocol}/identidade", see_identity, "identity.read", ("GET", "POST")),
)
