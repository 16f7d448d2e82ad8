"""The authority as the feed being made names it: name, site, telephone, e-mail."""

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gtfs.authoring.agency_reading import read_agency
from gtfs.authoring.keeping import PartChange, StaleSketch
from gtfs.authoring.sketch import AGENCY
from gtfs.authoring.sketch_json import agency_to_json
from web.forms import FormErrors, whole_number
from web.staff.routing import Desk, StaffRoute, render_desk
from web.staff.sketch_desk import HOME, keep, load_sketch, tell_faults

BOXES = ("nome", "site", "telefone", "email")


def set_agency(request: Request, desk: Desk) -> Response:
    """Change how the feed names the authority; its id stays."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
    agency, errors = sketch.agency, FormErrors()
    if request.method != "POST":
        typed = (agency.name, agency.url, agency.phone, agency.email)
        values = dict(zip(BOXES, typed, strict=True))
        return _page(request, desk, values, errors, sketch.revision(AGENCY))
    name, url, phone, email = (desk.form.text(box, 300) for box in BOXES)
    typed_agency = replace(agency, name=" ".join(name.split()), url=url, phone=phone, email=email)
    found, faults = read_agency(typed_agency)
    tell_faults(faults, errors, BOXES)
    seen = whole_number(desk.form.text("revisao", 10))
    if errors:
        return _page(request, desk, desk.form.values, errors, seen, 422)
    stale = keep(desk, [PartChange(AGENCY, agency_to_json(found), seen)])
    if stale is None:
        return RedirectResponse(f"{HOME}?feito=orgao", status_code=303)
    return _page(request, desk, desk.form.values, errors, stale.revision, 409, stale)


def _page(
    request: Request,
    desk: Desk,
    values: dict[str, str],
    errors: FormErrors,
    revision: int,
    status_code: int = 200,
    stale: StaleSketch | None = None,
) -> Response:
    context = {"values": values, "errors": errors, "revision": revision, "stale": stale}
    return render_desk(request, desk, "staff/lines/agency.html", context, status_code)


ROUTES = (StaffRoute("/linhas/orgao", set_agency, "feed.publish", ("GET", "POST")),)
