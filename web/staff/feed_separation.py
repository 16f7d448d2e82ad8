"""Departures too near those of the conventional buses: the reference feed, and a version compared with it."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from complaints.authorities.law_in_force import law_on, settings_in_force
from complaints.law.fleet_rules import SeparationRule
from gtfs.archive import MEGABYTE
from gtfs.references import UnknownReference, list_references, read_comparison, remove_reference
from gtfs.separation import Asked
from gtfs.separation_report import SeparationReport
from gtfs.versions import UnknownVersion, get_version
from web.forms import FormErrors, query_text, whole_number
from web.staff.feed_words import DONE
from web.staff.feeds import LARGEST, PERMISSION, read_upload, who
from web.staff.routing import Desk, StaffRoute, render_desk

SHOWN = 200
ORIGIN_ONLY = "origin_only"


def show_reference(request: Request, desk: Desk) -> Response:
    """The reference feed in use, those before it, and the form for another."""
    return _reference_page(request, desk, FormErrors())


def send_reference(request: Request, desk: Desk) -> Response:
    """Take a zip as the reference; the worker reads it."""
    errors = FormErrors()
    return read_upload(desk, "reference", errors) or _reference_page(request, desk, errors)


def drop_reference(request: Request, desk: Desk) -> Response:
    """Take a reference out of use."""
    try:
        with desk.services.database.write() as session:
            number = whole_number(desk.form.text("numero", 9))
            remove_reference(session, desk.authority_id, number, who(desk), desk.now)
    except UnknownReference:
        raise HTTPException(404) from None
    return RedirectResponse("/equipe/horarios/comparacao?feito=referencia", status_code=303)


def show_separation(request: Request, desk: Desk) -> Response:
    """The departures of a version nearer than the law's minutes to those of the reference."""
    rule = law_on(desk.authority, desk.today).separation
    report = _compare(request, desk, rule) if rule else None
    context = {
        "number": request.path_params["number"],
        "rule": rule,
        "report": report,
        "warnings": report.warnings[:SHOWN] if report else (),
    }
    return render_desk(request, desk, "staff/feeds/separation.html", context)


def send_separation_json(request: Request, desk: Desk) -> Response:
    """The same, for programs."""
    return JSONResponse(_demand(request, desk).to_json())


def send_separation_csv(request: Request, desk: Desk) -> Response:
    """The same, as a spreadsheet."""
    name = f"comparacao-versao-{request.path_params['number']}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(_demand(request, desk).to_csv(), media_type="text/csv; charset=utf-8", headers=headers)


def asked_by(rule: SeparationRule, settings: dict[str, object]) -> Asked:
    """The question as the law and the authority's reading put it."""
    chosen = settings.get(rule.points_setting) if rule.points_setting else None
    return Asked(rule.minutes, origin_only=chosen == ORIGIN_ONLY)


def _demand(request: Request, desk: Desk) -> SeparationReport:
    rule = law_on(desk.authority, desk.today).separation
    report = _compare(request, desk, rule) if rule else None
    if report is None:
        raise HTTPException(404)
    return report


def _compare(request: Request, desk: Desk, rule: SeparationRule) -> SeparationReport | None:
    try:
        with desk.services.database.read() as session:
            version = get_version(session, desk.authority_id, request.path_params["number"])
            comparison = read_comparison(session, version, desk.today)
            settings = settings_in_force(session, desk.authority, desk.today)
    except UnknownVersion:
        raise HTTPException(404) from None
    except UnknownReference:
        return None
    return comparison.run(asked_by(rule, settings))


def _reference_page(request: Request, desk: Desk, errors: FormErrors) -> Response:
    with desk.services.database.read() as session:
        references = list_references(session, desk.authority_id)
    context = {
        "references": references,
        "in_use": next((one for one in references if one.removed_at is None), None),
        "rule": law_on(desk.authority, desk.today).separation,
        "largest": LARGEST // MEGABYTE,
        "done": DONE.get(query_text(request, "feito", 20), ""),
        "errors": errors,
    }
    return render_desk(request, desk, "staff/feeds/reference.html", context, 422 if errors else 200)


ROUTES = (
    StaffRoute("/horarios/comparacao", show_reference, PERMISSION),
    StaffRoute(
        "/horarios/comparacao/enviar",
        send_reference,
        PERMISSION,
        ("POST",),
        max_files=1,
        max_body_size=LARGEST + 2 * MEGABYTE,
    ),
    StaffRoute("/horarios/comparacao/retirar", drop_reference, PERMISSION, ("POST",)),
    StaffRoute("/horarios/{number:int}/comparacao", show_separation, PERMISSION),
    StaffRoute("/horarios/{number:int}/comparacao.json", send_separation_json, PERMISSION),
    StaffRoute("/horarios/{number:int}/comparacao.csv", send_separation_csv, PERMISSION),
)
