"""The form of one line: its boxes filled from a line, and read back into text for gtfs.authoring."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gtfs.authoring.call_reading import is_reverse, write_calls
from gtfs.authoring.day_times import write_times
from gtfs.authoring.faults import Fault
from gtfs.authoring.line_reading import LineText, WayText
from gtfs.authoring.network import Stop
from gtfs.authoring.projects import LONGEST_ITEM, ProjectItem
from gtfs.authoring.sketch import BACK, CIRCULAR, OUT, DayKind, Sketch, SketchLine
from web.forms import Form

THERE_AND_BACK, ONE_WAY = "ida-e-volta", "so-ida"
SHAPES = (
    (THERE_AND_BACK, "Vai e volta"),
    (CIRCULAR, "É circular", "Termina na parada onde começa. Preencha só a primeira parte."),
    (ONE_WAY, "Só vai", "Preencha só a primeira parte."),
)
ONE_LINE_BOXES = ("codigo", "nome", "ida_destino", "volta_destino")
LONGEST_BOX = 20_000


@dataclass(frozen=True, slots=True)
class WayBoxes:
    """The boxes of one way: their prefix, heading, and one (name, label) for each kind of day."""

    prefix: str
    heading: str
    days: tuple[tuple[str, str], ...]


def list_boxes(kinds: Sequence[DayKind]) -> tuple[WayBoxes, ...]:
    """The boxes of the way out and of the way back."""
    headings = ((OUT, "Ida"), (BACK, "Volta"))
    return tuple(
        WayBoxes(key, heading, tuple((name_box(key, number), kind.name) for number, kind in enumerate(kinds, 1)))
        for key, heading in headings
    )


def name_box(prefix: str, number: int) -> str:
    """The box of the times on the kind of day of that number."""
    return f"{prefix}_dia_{number}"


def fill_form(line: SketchLine, sketch: Sketch) -> dict[str, str]:
    """The values of the boxes; a way back that is the reverse of the way out stays blank."""
    values = {"codigo": line.code, "nome": line.name, "descricao": line.description}
    values |= {f"projeto_{key}": text for key, text in line.project.items()}
    keys = [way.key for way in line.ways]
    values["caminho"] = CIRCULAR if CIRCULAR in keys else ONE_WAY if keys == [OUT] else THERE_AND_BACK
    stops = sketch.stops_by_id()
    out = next((way.calls for way in line.ways if way.key == OUT), ())
    for way in line.ways:
        prefix = BACK if way.key == BACK else OUT
        turned = way.key == BACK and is_reverse(out, way.calls)
        values[f"{prefix}_destino"] = way.headsign
        values[f"{prefix}_paradas"] = "" if turned else write_calls(way.calls, stops)
        for number, kind in enumerate(sketch.days.kinds, 1):
            if kind.id in way.times:
                values[name_box(prefix, number)] = write_times(way.times[kind.id])
    return values


def read_boxes(form: Form, kinds: Sequence[DayKind], items: Sequence[ProjectItem]) -> tuple[LineText, list[Fault]]:
    """The text of the boxes; a fault where a box is filled in that the kind of way has no use for."""
    shape = form.text("caminho", 20)
    out, back = (_read_way(form, prefix, kinds) for prefix in (OUT, BACK))
    faults = []
    ways: tuple[WayText, ...] = (out,) if _is_filled(out) or shape == CIRCULAR else ()
    if shape == CIRCULAR:
        ways = (replace(out, key=CIRCULAR),) if _is_filled(out) else ()
    elif ways and shape != ONE_WAY:
        ways = (out, back)
    if shape in (CIRCULAR, ONE_WAY) and _is_filled(back):
        advice = "esta linha não tem volta: apague a volta, ou marque que ela vai e volta"
        faults.append(Fault(1, "1", advice, f"{BACK}_paradas"))
    elif not ways and _is_filled(back):
        faults.append(Fault(1, "1", "preencha a ida antes da volta", f"{OUT}_paradas"))
    project = {item.key: form.text(f"projeto_{item.key}", LONGEST_ITEM) for item in items if item.typed}
    code, name = (" ".join(form.text(box, 300).split()) for box in ("codigo", "nome"))
    return LineText(code, name, form.text("descricao", 3_000), ways, project), faults


def place_fault(fault: Fault, kinds: Sequence[DayKind]) -> Fault:
    """The same fault with the name of its box in this form; the boxes of a circle are those of the way out."""
    field = fault.field.replace(f"{CIRCULAR}_", f"{OUT}_", 1)
    prefix, _, rest = field.partition("_dia_")
    for number, kind in enumerate(kinds, 1):
        if rest == kind.id:
            field = name_box(prefix, number)
    return replace(fault, field=field)


def add_stop_row(values: Mapping[str, str], prefix: str, stop: Stop) -> dict[str, str]:
    """The values with a stop more at the end of a way."""
    box = f"{prefix}_paradas"
    rows = [*values.get(box, "").rstrip().splitlines(), stop.name]
    return {**values, box: "\n".join(rows)}


def _read_way(form: Form, prefix: str, kinds: Sequence[DayKind]) -> WayText:
    times = {kind.id: form.raw(name_box(prefix, number), LONGEST_BOX) for number, kind in enumerate(kinds, 1)}
    return WayText(prefix, form.text(f"{prefix}_destino", 300), form.raw(f"{prefix}_paradas", LONGEST_BOX), times)


def _is_filled(way: WayText) -> bool:
    return any(text.strip() for text in (way.stops, way.headsign, *way.times.values()))
