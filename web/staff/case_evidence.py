"""Files on a case: the clean copy, the sealed original (with a reason, each time), and taking a file from view."""

from typing import Any

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from complaints.cases.evidence import HiddenEvidence, find_evidence, read_clean, read_original
from complaints.cases.evidence_acts import hide_evidence, show_evidence
from complaints.cases.evidence_types import describe_type
from complaints.cases.handling import load_for_change
from complaints.cases.identity import log_look
from complaints.cases.tables import CaseFile, Evidence
from complaints.storage import MissingObject
from web.errors import Refused
from web.forms import FormErrors
from web.staff.routing import Desk, StaffRoute, render_desk

MAX_REASON = 300
_GONE = Refused(
    410,
    "Este anexo não é mostrado",
    "A equipe ocultou este arquivo.",
    "O motivo está no histórico do caso.",
)


def show_copy(request: Request, desk: Desk) -> Response:
    """The cleaned copy of a photo; gone once hidden."""
    with desk.services.database.read() as session:
        _find(session, desk, request)
        try:
            content, media_type = read_clean(
                session, desk.services.storage, desk.authority_id, request.path_params["public_id"]
            )
        except HiddenEvidence:
            raise _GONE from None
        except MissingObject:
            raise HTTPException(404) from None
    return Response(content, media_type=media_type, headers={"Content-Disposition": "inline"})


def download_original(request: Request, desk: Desk) -> Response:
    """Ask for a reason, then hand over the file as it came; the look is kept like one at an identity."""
    with desk.services.database.read() as session:
        case, evidence = _find(session, desk, request)
    if evidence.state == "hidden":
        raise _GONE
    context = _context(desk, case, evidence)
    reason = context["values"]["motivo"]
    if request.method != "POST":
        return render_desk(request, desk, "staff/original.html", context)
    if not reason:
        context["errors"] = FormErrors({"motivo": "Escreva por que você precisa do arquivo original."})
        return render_desk(request, desk, "staff/original.html", context, 422)
    try:
        content = read_original(desk.services.keyring, desk.services.storage, evidence)
    except MissingObject:
        raise HTTPException(404) from None
    kind = describe_type(evidence.original_type)
    with desk.services.database.write() as session:
        log_look(session, case, desk.member.id, f"arquivo original: {reason}", desk.now)
    name = f"{case.protocol}-{evidence.public_id}.{kind.ending if kind else 'bin'}"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return Response(content, media_type="application/octet-stream", headers=headers)


def change_view(request: Request, desk: Desk) -> Response:
    """Take a file from every page with a reason, or show it again."""
    with desk.services.database.read() as session:
        case, evidence = _find(session, desk, request)
    context = _context(desk, case, evidence)
    reason = context["values"]["motivo"]
    if request.method != "POST":
        return render_desk(request, desk, "staff/hide_evidence.html", context)
    if not reason:
        context["errors"] = FormErrors({"motivo": "Escreva o motivo. Ele fica no histórico do caso."})
        return render_desk(request, desk, "staff/hide_evidence.html", context, 422)
    change = show_evidence if desk.form.text("acao", 10) == "mostrar" else hide_evidence
    with desk.services.database.write() as session:
        loaded = load_for_change(session, desk.authority_id, case.protocol)
        found = find_evidence(session, desk.authority_id, evidence.public_id)
        if found is not None:
            change(session, loaded, found, reason, desk.act.actor, desk.now)
    return RedirectResponse(f"/equipe/casos/{case.protocol}", status_code=303)


def _find(session: Session, desk: Desk, request: Request) -> tuple[CaseFile, Evidence]:
    """The file of the address and its case, for whoever may read that case; raises HTTPException 404."""
    evidence = find_evidence(session, desk.authority_id, request.path_params["public_id"])
    case = session.get(CaseFile, (evidence.authority_id, evidence.case_id)) if evidence else None
    if evidence is None or case is None:
        raise HTTPException(404)
    if case.confidentiality == "confidential" and not desk.may("case.read_confidential"):
        raise HTTPException(404)
    return case, evidence


def _context(desk: Desk, case: CaseFile, evidence: Evidence) -> dict[str, Any]:
    return {
        "case": case,
        "evidence": evidence,
        "kind": describe_type(evidence.original_type),
        "errors": FormErrors(),
        "values": {"motivo": desk.form.text("motivo", MAX_REASON)},
    }


ROUTES = (
    StaffRoute("/evidencia/{public_id}", show_copy, "case.read"),
    StaffRoute("/evidencia/{public_id}/original", download_original, "evidence.original", ("GET", "POST")),
    StaffRoute("/evidencia/{public_id}/ocultar", change_view, "evidence.hide", ("GET", "POST")),
)
