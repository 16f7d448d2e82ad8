"""The stops of the feed being made: add one, correct one, take one out."""

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gtfs.authoring.coordinates import BadPlace, find_far, read_pair, write_place
from gtfs.authoring.distances import Place
from gtfs.authoring.keeping import PartChange
from gtfs.authoring.network import Stop
from gtfs.authoring.sketch import STOPS, Sketch
from gtfs.authoring.sketch_json import stops_to_json
from gtfs.authoring.stop_reading import LONGEST_NAME, add_stop, list_far
from gtfs.folding import fold, slugify
from web.forms import FormErrors, query_text, whole_number
from web.staff.routing import Desk, StaffRoute, render_desk
from web.staff.sketch_desk import HOME, keep, load_sketch

ADDRESS = f"{HOME}/paradas"


def keep_stops(request: Request, desk: Desk) -> Response:
    """All stops; a form for a new one, or with `?parada=` for that one."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
    if request.method == "POST":
        return _take(request, desk, sketch)
    chosen = query_text(request, "parada", 200)
    stop = sketch.stops_by_id().get(chosen)
    if chosen and stop is None:
        raise HTTPException(404)
    values = {"nome": stop.name, "coordenadas": write_place((stop.latitude, stop.longitude))} if stop else {}
    return _page(request, desk, sketch, stop, values, FormErrors())


def _take(request: Request, desk: Desk, sketch: Sketch) -> Response:
    form, errors = desk.form, FormErrors()
    chosen = form.text("parada", 200)
    old = sketch.stops_by_id().get(chosen)
    if chosen and old is None:
        errors.add("nome", "Esta parada não existe mais: comece de novo")
    if form.text("apagar", 5) and old:
        stops = _without(old, sketch, errors)
    else:
        stops = _with(old, sketch, " ".join(form.text("nome", 300).split()), form.text("coordenadas", 500), errors)
    seen = whole_number(form.text("revisao", 10))
    if errors:
        return _page(request, desk, sketch, old, form.values, errors, 422, seen)
    stale = keep(desk, [PartChange(STOPS, stops_to_json(stops), seen)])
    if stale is None:
        return RedirectResponse(f"{ADDRESS}?feito=sim", status_code=303)
    return _page(request, desk, sketch, old, form.values, errors, 409, stale.revision, {"stale": stale})


def _without(old: Stop, sketch: Sketch, errors: FormErrors) -> tuple[Stop, ...]:
    users = [line.code for line in sketch.lines if any(c.stop == old.id for way in line.ways for c in way.calls)]
    if users:
        errors.add("apagar", f"Passam por esta parada as linhas {', '.join(users[:8])}: tire-a delas antes")
    return tuple(stop for stop in sketch.stops if stop.id != old.id)


def _with(old: Stop | None, sketch: Sketch, name: str, text: str, errors: FormErrors) -> tuple[Stop, ...]:
    """The stops with a new one or with `old` changed."""
    if not slugify(name) or len(name) > LONGEST_NAME:
        errors.add("nome", f"Escreva o nome da parada, com até {LONGEST_NAME} letras")
    same = next((stop for stop in sketch.stops if fold(stop.name) == fold(name)), None)
    if same is not None and (old is None or same.id != old.id):
        errors.add("nome", f"Já existe a parada {same.name}: dê outro nome, como {name[:40]} (sentido Centro)")
    place: Place = (0.0, 0.0)
    try:
        place = read_pair(text)
    except BadPlace as bad:
        errors.add("coordenadas", f"{bad.message[:1].upper()}{bad.message[1:]}")
    if old is None:
        return (*sketch.stops, add_stop(name, place, sketch.stops))
    changed = Stop(old.id, name, *place, old.description)
    return tuple(changed if stop.id == old.id else stop for stop in sketch.stops)


def _page(
    request: Request,
    desk: Desk,
    sketch: Sketch,
    stop: Stop | None,
    values: dict[str, str],
    errors: FormErrors,
    status_code: int = 200,
    revision: int | None = None,
    extra: dict[str, Any] | None = None,
) -> Response:
    lines: dict[str, list[str]] = {}
    for line in sketch.lines:
        for id_ in {call.stop for way in line.ways for call in way.calls}:
            lines.setdefault(id_, []).append(line.code)
    places = [(one.latitude, one.longitude) for one in sketch.stops]
    context = {
        "stops": sorted(sketch.stops, key=lambda one: fold(one.name)),
        "lines": lines,
        "far": {one.id: find_far((one.latitude, one.longitude), places) for one in sketch.stops},
        "far_names": list_far(sketch.stops),
        "place": lambda one: write_place((one.latitude, one.longitude)),
        "stop": stop,
        "values": values,
        "errors": errors,
        "revision": sketch.revision(STOPS) if revision is None else revision,
        "stale": None,
        "done": "Parada gravada." if query_text(request, "feito", 5) else "",
        **(extra or {}),
    }
    return render_desk(request, desk, "staff/lines/stops.html", context, status_code)


ROUTES = (StaffRoute("/linhas/paradas", keep_stops, "feed.publish", ("GET", "POST")),)
