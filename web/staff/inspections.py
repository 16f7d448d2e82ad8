"""Inspections on a phone in the street: what is to be done, and the form of one result."""

from datetime import date
from typing import Any

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from complaints.cases.handling import IncompleteAct
from complaints.enforcement import inspections
from complaints.enforcement.agenda import AgendaRow, find_agenda_row, list_agenda
from complaints.enforcement.inspection_checks import RESULTS, Finding
from complaints.enforcement.inspections import InspectionClosed, StaleInspection, UnknownInspection, measures_of
from complaints.enforcement.powers import MEASURE_LABELS, get_powers
from complaints.registry.seals import newest_seals, seal_state
from complaints.registry.tables import Seal
from complaints.registry.validity import find_last_day
from complaints.staff.accounts import list_names
from web.forms import Form, FormErrors, page_number, query_text, whole_number
from web.staff.case_forms import read_day
from web.staff.routing import Desk, StaffRoute, render_desk

PAGE_SIZE = 50


def show_agenda(request: Request, desk: Desk) -> Response:
    """What is to be inspected: urgent first, late ones marked, then by last day."""
    page = page_number(request)
    with desk.services.database.read() as session:
        rows = list_agenda(session, desk.authority_id, PAGE_SIZE + 1, (page - 1) * PAGE_SIZE)
    context = {
        "rows": rows[:PAGE_SIZE],
        "previous": page - 1 if page > 1 else None,
        "next": page + 1 if len(rows) > PAGE_SIZE else None,
    }
    return render_desk(request, desk, "staff/agenda.html", context)


def show_inspection(request: Request, desk: Desk) -> Response:
    """One inspection with its result, or the form for it."""
    done = query_text(request, "feito", 20)
    return _page(request, desk, done=done in ("resultado", "cancelar"))


def record(request: Request, desk: Desk) -> Response:
    """Record the result; a stale form keeps what was typed and shows what the inspection has become."""
    return _change(request, desk, "resultado")


def cancel(request: Request, desk: Desk) -> Response:
    """Take the order back, with the reason."""
    return _change(request, desk, "cancelar")


def read_finding(form: Form) -> Finding:
    """What the form says was found."""
    return Finding(
        result=form.text("resultado", 40),
        measures=tuple(word for word in form.all("medida", 40) if word),
        notes=form.text("observacao"),
        new_seal=form.text("novo_selo", 1) == "1",
        seal_until=read_day(form.text("validade", 20)),
        revoke_seal=form.text("cancelar_selo", 1) == "1",
    )


def _change(request: Request, desk: Desk, what: str) -> Response:
    public_id = request.path_params["public_id"]
    if request.method != "POST":
        return RedirectResponse(f"/equipe/vistorias/{public_id}", status_code=303)
    expected = whole_number(desk.form.text("versao"))
    try:
        with desk.services.database.write() as session:
            loaded, case = inspections.load_for_change(session, desk.authority_id, public_id, expected)
            if what == "resultado":
                inspections.record_result(session, desk.act, loaded, case, read_finding(desk.form))
            else:
                inspections.cancel_inspection(session, desk.act, loaded, case, desk.form.text("motivo"))
    except UnknownInspection:
        raise HTTPException(404) from None
    except (StaleInspection, InspectionClosed):
        return _page(request, desk, status_code=409, stale=True)
    except IncompleteAct as incomplete:
        return _page(request, desk, status_code=422, errors=FormErrors(incomplete.problems))
    return RedirectResponse(f"/equipe/vistorias/{public_id}?feito={what}", status_code=303)


def _page(
    request: Request,
    desk: Desk,
    *,
    status_code: int = 200,
    errors: FormErrors | None = None,
    done: bool = False,
    stale: bool = False,
) -> Response:
    with desk.services.database.read() as session:
        row = find_agenda_row(session, desk.authority_id, request.path_params["public_id"])
        if row is None:
            raise HTTPException(404)
        seal, names = _newest_seal(session, row), list_names(session, desk.authority_id)
        until = _validity(session, desk)
    context: dict[str, Any] = {
        "row": row,
        "inspection": row.inspection,
        "seal": seal,
        "seal_state": seal_state(seal, desk.today) if seal else "none",
        "ordered_by": names.get(row.inspection.ordered_by, ""),
        "done_by": names.get(row.inspection.done_by, "") if row.inspection.done_by else "",
        "measures": [MEASURE_LABELS[word] for word in measures_of(row.inspection)],
        "results": tuple(RESULTS.items()),
        "powers": get_powers(desk.authority.law_id),
        "chosen": desk.form.all("medida", 40),
        "values": desk.form.values
        if request.method == "POST"
        else {"validade": until.isoformat() if until else ""},
        "errors": errors or FormErrors(),
        "done": done,
        "stale": stale,
    }
    return render_desk(request, desk, "staff/inspection.html", context, status_code)


def _newest_seal(session: Session, row: AgendaRow) -> Seal | None:
    if row.vehicle is None:
        return None
    return newest_seals(session, row.vehicle.authority_id, [row.vehicle.id]).get(row.vehicle.id)


def _validity(session: Session, desk: Desk) -> date | None:
    """The last day of a seal issued today, where law or authority fix the interval."""
    return find_last_day(session, desk.authority_id, desk.authority.law_id, desk.today)


ROUTES = (
    StaffRoute("/vistorias", show_agenda, "inspection.read"),
    StaffRoute("/vistorias/{public_id}", show_inspection, "inspection.read"),
    StaffRoute("/vistorias/{public_id}/resultado", record, "inspection.record", ("GET", "POST")),
    StaffRoute("/vistorias/{public_id}/cancelar", cancel, "inspection.order", ("GET", "POST")),
)
