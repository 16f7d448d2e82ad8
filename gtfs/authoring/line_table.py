"""Many lines in one table: a row for each way, a column for each kind of day."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gtfs.authoring.cells import Row, find_header, list_unused, read_rows
from gtfs.authoring.day_times import write_times
from gtfs.authoring.faults import Fault
from gtfs.authoring.line_reading import LineText, WayText, read_line
from gtfs.authoring.network import Stop
from gtfs.authoring.sketch import BACK, CIRCULAR, OUT, WAYS, DayKind, Sketch, SketchLine
from gtfs.folding import fold

MOST_LINES = 300

CODE, NAME, DESCRIPTION, WAY, HEADSIGN, STOPS = "linha", "nome", "descrição", "sentido", "destino", "paradas"
COLUMNS = {
    CODE: ("linha", "código", "codigo da linha", "número", "numero da linha", "nº"),
    NAME: ("nome", "nome da linha", "denominação"),
    DESCRIPTION: ("descrição", "observação", "obs", "observações"),
    WAY: ("sentido", "direção"),
    HEADSIGN: ("destino", "letreiro"),
    STOPS: ("paradas", "itinerário", "caminho", "pontos"),
}
_FIXED = (CODE, NAME, DESCRIPTION, WAY, HEADSIGN, STOPS)
_BETWEEN = re.compile(r"\s*(?:>|→|\||\n)\s*")
_FIELDS = {"codigo": CODE, "nome": NAME, "descricao": DESCRIPTION, "destino": HEADSIGN, "paradas": STOPS}


@dataclass(frozen=True, slots=True)
class LineTable:
    """The lines of a table; `replaced` are codes of lines that were there, `unused` columns not looked at."""

    lines: tuple[SketchLine, ...] = ()
    replaced: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


@dataclass(slots=True)
class _Gathering:
    """The rows of one line, each with its way."""

    code: str
    name: str
    description: str
    row: int
    ways: dict[str, tuple[Row, WayText]] = field(default_factory=dict)


def read_line_table(text: str, sketch: Sketch) -> LineTable:
    """Lines whose stops are those of the sketch; a line of a code that is there already replaces it."""
    rows, broken = read_rows(text)
    faults = list(broken)
    kinds = sketch.days.kinds
    names = {**COLUMNS, **{f"dia:{kind.id}": (kind.name, kind.id) for kind in kinds}}
    header = find_header(rows[0], names) if rows else None
    if header is None or CODE not in header:
        advice = "a primeira linha precisa ter os nomes das colunas, como no modelo: linha, nome, sentido, paradas"
        return LineTable(faults=(*faults, Fault(1, CODE, advice)))
    gathered = _gather(rows[1:], header, kinds, faults)
    lines = [line for one in gathered for line in _read(one, sketch, faults)]
    if len(lines) > MOST_LINES:
        faults.append(Fault(gathered[MOST_LINES].row, CODE, f"são mais de {MOST_LINES} linhas de transporte"))
    if not gathered and not faults:
        faults.append(Fault(2, CODE, "a tabela não tem nenhuma linha de transporte"))
    return LineTable(
        lines=tuple(lines),
        replaced=tuple(line.code for line in lines if sketch.find_line(line.code)),
        unused=list_unused(rows[0], header.values()),
        faults=tuple(sorted(faults, key=lambda fault: fault.row)),
    )


def write_line_table(sketch: Sketch) -> Iterator[Sequence[str]]:
    """The rows of the table for the lines of the sketch, the header first; an example where there is no line."""
    kinds = sketch.days.kinds
    yield (*_FIXED, *(kind.name for kind in kinds))
    if not sketch.lines:
        times = ["05:30 06:10-20:10/40", "a cada 30 min das 06:00 às 20:00", "horário a publicar"]
        yield (
            "V01",
            "Centro x Praia",
            "",
            OUT,
            "Praia",
            "Rodoviária 0 > Mercado > Praia 20",
            *times[: len(kinds)],
        )
        yield ("V01", "", "", BACK, "Centro", "", *("06:00 07:00" for _ in kinds))
    stops = {stop.id: stop for stop in sketch.stops}
    for line in sketch.lines:
        if not line.ways:
            yield (line.code, line.name, line.description, "", "", "", *("" for _ in kinds))
        for way in line.ways:
            calls = " > ".join(
                stops[call.stop].name + ("" if call.minute is None else f" {call.minute}")
                for call in way.calls
                if call.stop in stops
            )
            times = [write_times(way.times[kind.id]) if kind.id in way.times else "" for kind in kinds]
            yield (line.code, line.name, line.description, way.key, way.headsign, calls, *times)


def _gather(
    rows: Sequence[Row], header: Mapping[str, int], kinds: Sequence[DayKind], faults: list[Fault]
) -> list[_Gathering]:
    """A row without a code belongs to the line above."""
    found: dict[str, _Gathering] = {}
    code = ""
    for row in rows:
        cells = {column: row.cell(header.get(column)) for column in _FIXED}
        code = cells[CODE] or code
        if not code:
            faults.append(Fault(row.number, CODE, "falta o código da linha"))
            continue
        one = found.setdefault(code.casefold(), _Gathering(code, "", "", row.number))
        for name in (NAME, DESCRIPTION):
            _merge(one, name, cells[name], row, faults)
        times = {kind.id: row.cell(header.get(f"dia:{kind.id}")) for kind in kinds}
        if not any((cells[WAY], cells[HEADSIGN], cells[STOPS], *times.values())):
            continue
        key = _find_way(cells[WAY], cells[STOPS], one)
        if key is None:
            faults.append(Fault(row.number, WAY, f"«{cells[WAY][:40]}» não é sentido: escreva {', '.join(WAYS)}"))
        elif key in one.ways:
            earlier = one.ways[key][0].number
            faults.append(Fault(row.number, WAY, f"a {key} desta linha já está na linha {earlier}"))
        else:
            stops = "\n".join(_BETWEEN.split(cells[STOPS]))
            one.ways[key] = (row, WayText(key, cells[HEADSIGN], stops, times))
    return list(found.values())


def _merge(one: _Gathering, name: str, cell: str, row: Row, faults: list[Fault]) -> None:
    attribute = "name" if name == NAME else "description"
    known = getattr(one, attribute)
    if cell and known and cell != known:
        faults.append(
            Fault(row.number, name, f"«{cell[:40]}» é diferente de «{known[:40]}», acima, na mesma linha")
        )
    elif cell:
        setattr(one, attribute, cell)


def _find_way(text: str, stops: str, one: _Gathering) -> str | None:
    """The way that a word names; without a word a circle where the ends are the same, else out, then back."""
    word = fold(text)
    if word:
        return next((key for key in WAYS if word == key or word in (key[0], f"de {key}")), None)
    ends = [fold(re.sub(r"[\s\d]+$", "", part)) for part in _BETWEEN.split(stops) if part.strip()]
    if len(ends) > 2 and ends[0] == ends[-1]:
        return CIRCULAR
    return BACK if OUT in one.ways else OUT


def _read(one: _Gathering, sketch: Sketch, faults: list[Fault]) -> Iterator[SketchLine]:
    """The line of the rows; items of its project stay those of the line it replaces."""
    if CIRCULAR in one.ways and len(one.ways) > 1:
        row = one.ways[CIRCULAR][0].number
        faults.append(Fault(row, WAY, "uma linha circular não tem ida nem volta: dê outro código"))
        return
    old = sketch.find_line(one.code)
    ways = tuple(one.ways[key][1] for key in WAYS if key in one.ways)
    text = LineText(one.code, one.name or (old.name if old else ""), one.description, ways)
    line, wrong = read_line(text, sketch.stops, sketch.days.kinds, old)
    faults.extend(_place(fault, one, sketch.days.kinds) for fault in wrong)
    yield replace(line, project=old.project if old else {})


def _place(fault: Fault, one: _Gathering, kinds: Sequence[DayKind]) -> Fault:
    """The same fault by its cell of the table."""
    key, _, rest = fault.field.partition("_")
    if key not in one.ways:
        return fault.within(one.row, _FIELDS[fault.field])
    row = one.ways[key][0].number
    column = next((kind.name for kind in kinds if rest == f"dia_{kind.id}"), _FIELDS.get(rest, rest))
    if rest == "paradas":
        return replace(fault, row=row, column=column, message=f"parada {fault.row}: {fault.message}")
    return fault.within(row, column)


def stops_of(lines: Sequence[SketchLine], stops: Sequence[Stop]) -> set[str]:
    """The ids of stops that lines call at."""
    called = {call.stop for line in lines for way in line.ways for call in way.calls}
    return called & {stop.id for stop in stops}
