"""The lines of the feed being made: their list with what each lacks, and the form of one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gtfs.authoring.gaps import has_serious_gaps, list_gaps, list_line_gaps
from gtfs.authoring.keeping import PartChange, StaleSketch
from gtfs.authoring.line_reading import read_line
from gtfs.authoring.projects import list_items
from gtfs.authoring.sketch import BACK, LINE, OUT, Sketch, SketchLine
from gtfs.authoring.sketch_json import line_from_json, line_to_json
from gtfs.published import find_published
from web.forms import FormErrors, query_text, whole_number
from web.staff.routing import Desk, StaffRoute, render_desk
from web.staff.sketch_desk import HOME, keep, load_sketch, tell_faults
from web.staff.sketch_line_form import (
    ONE_LINE_BOXES,
    SHAPES,
    THERE_AND_BACK,
    add_stop_row,
    fill_form,
    list_boxes,
    place_fault,
    read_boxes,
)

DONE = {
    "linha": "Linha gravada.",
    "apagada": "Linha apagada.",
    "paradas": "Paradas gravadas.",
    "dias": "Dias gravados.",
    "orgao": "Dados do órgão gravados.",
    "colado": "Planilha gravada.",
    "trazido": "As linhas publicadas estão aqui. Corrija o que for preciso e gere o arquivo.",
}


def show_lines(request: Request, desk: Desk) -> Response:
    """Everything drawn so far, with what is missing in each line."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
        published = find_published(session, desk.authority_id) if sketch.empty else None
    context = {
        "sketch": sketch,
        "lines": [(line, list_line_gaps(line, sketch)) for line in sketch.lines],
        "gaps": list_gaps(sketch, desk.today),
        "ready": not has_serious_gaps(sketch, desk.today),
        "published": published,
        "done": DONE.get(query_text(request, "feito", 20), ""),
    }
    return render_desk(request, desk, "staff/lines/list.html", context)


def draw_line(request: Request, desk: Desk) -> Response:
    """A new line, blank or from another one of `?de=`."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
    if request.method == "POST":
        return _take_line(request, desk, sketch, None)
    source = sketch.find_line(query_text(request, "de", 40))
    values = {**fill_form(source, sketch), "codigo": "", "nome": ""} if source else {"caminho": THERE_AND_BACK}
    return _form_page(request, desk, sketch, None, values, FormErrors())


def change_line(request: Request, desk: Desk) -> Response:
    """One line of the sketch."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
    line = get_line(request, sketch)
    if request.method == "POST":
        return _take_line(request, desk, sketch, line)
    return _form_page(request, desk, sketch, line, fill_form(line, sketch), FormErrors())


def drop_line(request: Request, desk: Desk) -> Response:
    """Take one line out of the sketch, as it was seen."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
    line = get_line(request, sketch)
    errors = FormErrors()
    if not desk.form.text("confirmar", 5):
        errors.add("confirmar", "Marque que a linha deve ser apagada")
        return _form_page(request, desk, sketch, line, fill_form(line, sketch), errors, 422)
    stale = keep(desk, [PartChange(line.part, None, whole_number(desk.form.text("revisao", 10)))])
    if stale:
        return _form_page(request, desk, sketch, line, fill_form(line, sketch), errors, 409, stale)
    return RedirectResponse(f"{HOME}?feito=apagada", status_code=303)


def get_line(request: Request, sketch: Sketch) -> SketchLine:
    """The line of the address; raises HTTPException 404."""
    line = sketch.find_line(request.path_params["code"])
    if line is None:
        raise HTTPException(404)
    return line


def _take_line(request: Request, desk: Desk, sketch: Sketch, old: SketchLine | None) -> Response:
    """Keep the line, or show the form again with every fault; `acrescentar` only adds a stop to a way."""
    form, kinds = desk.form, sketch.days.kinds
    values, errors = form.values, FormErrors()
    way = form.text("acrescentar", 10)
    stop = sketch.stops_by_id().get(form.text(f"{way}_nova_parada", 200))
    if way in (OUT, BACK):
        if stop is None:
            errors.add(f"{way}_nova_parada", "Escolha a parada")
        shown = add_stop_row(values, way, stop) if stop else values
        return _form_page(request, desk, sketch, old, shown, errors)
    text, faults = read_boxes(form, kinds, list_items(desk.authority.law_id))
    line, wrong = read_line(text, sketch.stops, kinds, old)
    tell_faults([*faults, *(place_fault(fault, kinds) for fault in wrong)], errors, ONE_LINE_BOXES)
    same = sketch.find_line(line.code)
    if same is not None and (old is None or same.code != old.code):
        errors.add("codigo", f"Já existe a linha {same.code}, {same.name}: use outro código")
    if errors:
        return _form_page(request, desk, sketch, old, values, errors, 422)
    line = _with_own_id(line, sketch, old)
    seen = whole_number(form.text("revisao", 10))
    changes = [PartChange(line.part, line_to_json(line), seen if old and old.part == line.part else 0)]
    if old and old.part != line.part:
        changes.append(PartChange(old.part, None, seen))
    if stale := keep(desk, changes):
        return _form_page(request, desk, sketch, old, values, errors, 409, stale)
    again = form.text("depois", 10) == "outra"
    return RedirectResponse(f"{HOME}/nova" if again else f"{HOME}/{line.code}/previa", status_code=303)


def _with_own_id(line: SketchLine, sketch: Sketch, old: SketchLine | None) -> SketchLine:
    """A new line's id is its code, unless a renamed line still has that id."""
    taken = {other.id for other in sketch.lines}
    if old is not None or line.id not in taken:
        return line
    return replace(line, id=next(id_ for n in range(2, len(taken) + 3) if (id_ := f"{line.id}-{n}") not in taken))


def _form_page(
    request: Request,
    desk: Desk,
    sketch: Sketch,
    line: SketchLine | None,
    values: Mapping[str, str],
    errors: FormErrors,
    status_code: int = 200,
    stale: StaleSketch | None = None,
) -> Response:
    """The form; after a stale one it carries the revision that is there now, and shows what is there."""
    revision = stale.revision if stale else sketch.revision(line.part) if line else 0
    if request.method == "POST" and not stale and values.get("revisao"):
        revision = whole_number(values["revisao"])
    context: dict[str, Any] = {
        "sketch": sketch,
        "line": line,
        "boxes": list_boxes(sketch.days.kinds),
        "shapes": SHAPES,
        "stop_options": [(stop.id, stop.name) for stop in sorted(sketch.stops, key=lambda stop: stop.name)],
        "items": list_items(desk.authority.law_id),
        "values": dict(values),
        "errors": errors,
        "revision": revision,
        "stale": stale,
        "present": _show_present(stale, sketch) if stale else (),
    }
    return render_desk(request, desk, "staff/lines/form.html", context, status_code)


def _show_present(stale: StaleSketch, sketch: Sketch) -> list[tuple[str, str]]:
    """What the line is now, box by box."""
    if stale.content is None or not stale.part.startswith(LINE):
        return []
    line = line_from_json(stale.part.removeprefix(LINE), stale.content)
    labels = {"codigo": "Código", "nome": "Nome", "descricao": "Descrição"}
    for boxes in list_boxes(sketch.days.kinds):
        labels[f"{boxes.prefix}_destino"] = f"{boxes.heading}: destino"
        labels[f"{boxes.prefix}_paradas"] = f"{boxes.heading}: paradas"
        labels |= {name: f"{boxes.heading}: {label}" for name, label in boxes.days}
    return [(labels[box], text) for box, text in fill_form(line, sketch).items() if box in labels and text]


ROUTES = (
    StaffRoute("/linhas", show_lines, "feed.publish"),
    StaffRoute("/linhas/nova", draw_line, "feed.publish", ("GET", "POST")),
)
LINE_ROUTES = (
    StaffRoute("/linhas/{code}", change_line, "feed.publish", ("GET", "POST")),
    StaffRoute("/linhas/{code}/apagar", drop_line, "feed.publish", ("POST",)),
)
"""After all addresses beside those of lines."""
