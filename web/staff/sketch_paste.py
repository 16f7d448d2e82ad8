"""Whole spreadsheets pasted or uploaded: shown first with every fault, kept when confirmed."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gtfs.authoring.cells import UnreadableTable, decode_table, write_rows
from gtfs.authoring.keeping import PartChange
from gtfs.authoring.line_table import LineTable, read_line_table, write_line_table
from gtfs.authoring.sketch import STOPS, Sketch
from gtfs.authoring.sketch_json import line_to_json, stops_to_json
from gtfs.authoring.stop_reading import TEMPLATE, StopTable, read_stop_table
from web.forms import FormErrors, clean, query_text
from web.staff.routing import Desk, StaffRoute, render_desk
from web.staff.sketch_desk import HOME, keep, load_sketch

MAX_FILE = 1_000_000
KINDS = (
    ("paradas", "Paradas", "Nome, latitude e longitude."),
    (
        "linhas",
        "Linhas e horários",
        "Uma linha da planilha para cada sentido. As paradas precisam estar cadastradas.",
    ),
)
SHOWN_FAULTS = 100


@dataclass(frozen=True)
class Pasted:
    """A table as it was read; `changes` keep it, `revisions` names what it was read against."""

    table: StopTable | LineTable
    changes: tuple[PartChange, ...]
    revisions: str


def paste_table(request: Request, desk: Desk) -> Response:
    """Take a table of stops or of lines."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
    values, errors = {"o-que": query_text(request, "o-que", 10) or "linhas"}, FormErrors()
    if request.method != "POST":
        return _page(request, desk, values, errors)
    form = desk.form
    kind = form.text("o-que", 10)
    if kind not in {name for name, _, _ in KINDS}:
        errors.add("o-que", "Escolha o que a planilha traz")
    text = _read_text(desk, errors)
    values = {"o-que": kind, "conteudo": text}
    if errors:
        return _page(request, desk, values, errors, status_code=422)
    pasted = _read(kind, text, sketch)
    if pasted.table.faults:
        count = len(pasted.table.faults)
        words = "Há uma falta na planilha" if count == 1 else f"Há {count} faltas na planilha"
        errors.add("conteudo", f"{words}. Corrija e envie de novo. Nada foi gravado.")
        return _page(request, desk, values, errors, pasted, 422)
    confirmed = form.text("confirmar", 64)
    if not confirmed or confirmed != pasted.revisions:
        return _page(request, desk, values, errors, pasted, 409 if confirmed else 200, changed=bool(confirmed))
    if keep(desk, pasted.changes):
        return _page(request, desk, values, errors, pasted, 409, changed=True)
    return RedirectResponse(f"{HOME}?feito=colado", status_code=303)


def send_template(request: Request, desk: Desk) -> Response:
    """The spreadsheet to fill in, for `?de=paradas` or for lines, with what is there already."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
    if query_text(request, "de", 10) == "paradas":
        known = [(stop.name, f"{stop.latitude:.6f}", f"{stop.longitude:.6f}") for stop in sketch.stops]
        name, text = "paradas.csv", write_rows([TEMPLATE[0], *known] if known else TEMPLATE)
    else:
        name, text = "linhas.csv", write_rows(write_line_table(sketch))
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response("\ufeff" + text, media_type="text/csv; charset=utf-8", headers=headers)


def _read_text(desk: Desk, errors: FormErrors) -> str:
    """The text of the file, else of the box."""
    files = desk.form.files("arquivo")
    if not files:
        text = desk.form.raw("conteudo", MAX_FILE)
        if not text.strip():
            errors.add("conteudo", "Cole as células da planilha, ou escolha um arquivo CSV")
        return text
    try:
        return clean(decode_table(files[0].content))
    except UnreadableTable as unreadable:
        errors.add("arquivo", str(unreadable))
        return ""


def _read(kind: str, text: str, sketch: Sketch) -> Pasted:
    changes: tuple[PartChange, ...]
    if kind == "paradas":
        stops = read_stop_table(text, sketch.stops)
        changes = (PartChange(STOPS, stops_to_json(stops.stops), sketch.revision(STOPS)),)
        return Pasted(stops, changes, _name_revisions(changes))
    lines = read_line_table(text, sketch)
    found = []
    for line in lines.lines:
        old = sketch.find_line(line.code)
        part = old.part if old else line.part
        found.append(PartChange(part, line_to_json(line), sketch.revision(part)))
    changes = tuple(found)
    return Pasted(lines, changes, _name_revisions((*changes, PartChange(STOPS, None, sketch.revision(STOPS)))))


def _name_revisions(changes: tuple[PartChange, ...]) -> str:
    """What was seen, in short: the form that confirms carries it."""
    return sha256(repr([(change.part, change.expected) for change in changes]).encode()).hexdigest()[:16]


def _page(
    request: Request,
    desk: Desk,
    values: dict[str, str],
    errors: FormErrors,
    pasted: Pasted | None = None,
    status_code: int = 200,
    *,
    changed: bool = False,
) -> Response:
    whole = pasted is not None and not pasted.table.faults
    context: dict[str, Any] = {
        "kinds": KINDS,
        "values": values,
        "errors": errors,
        "faults": pasted.table.faults[:SHOWN_FAULTS] if pasted else (),
        "pasted": pasted if whole else None,
        "changed": changed,
    }
    return render_desk(request, desk, "staff/lines/paste.html", context, status_code)


ROUTES = (
    StaffRoute(
        "/linhas/colar", paste_table, "feed.publish", ("GET", "POST"), max_files=1, max_body_size=3 * MAX_FILE
    ),
    StaffRoute("/linhas/modelo.csv", send_template, "feed.publish"),
)
