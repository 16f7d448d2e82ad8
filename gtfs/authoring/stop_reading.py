"""Stops as typed one by one or pasted as a table: name and coordinates."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gtfs.authoring.cells import Row, find_header, list_unused, read_rows
from gtfs.authoring.coordinates import BadPlace, find_far, read_pair, read_place
from gtfs.authoring.distances import Place
from gtfs.authoring.faults import Fault
from gtfs.authoring.network import Stop
from gtfs.folding import fold, slugify

LONGEST_NAME = 120
MOST_STOPS = 2_000

NAME, LATITUDE, LONGITUDE, PLACE = "nome", "latitude", "longitude", "coordenadas"
COLUMNS = {
    NAME: ("nome", "parada", "ponto", "nome da parada", "nome do ponto", "stop_name"),
    LATITUDE: ("latitude", "lat", "stop_lat"),
    LONGITUDE: ("longitude", "lon", "long", "lng", "stop_lon"),
    PLACE: ("coordenadas", "coordenada", "posicao", "local", "lat,lon", "lat, lon", "latitude, longitude", "mapa"),
}
TEMPLATE = (("nome", "latitude", "longitude"), ("Rodoviária do Povo", "-22.9168", "-42.8205"))


@dataclass(frozen=True, slots=True)
class StopTable:
    """The stops of the sketch with the table in: `added` and `moved` name what changes, `far` what is far off.

    `unused` names columns nobody looked at.
    """

    stops: tuple[Stop, ...]
    added: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    far: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


def read_stop_table(text: str, known: Sequence[Stop]) -> StopTable:
    """Put every row into `known`: a name that is there already gets the new place, others are added."""
    rows, broken = read_rows(text)
    faults = list(broken)
    header = find_header(rows[0], COLUMNS) if rows else None
    unused = list_unused(rows[0], header.values()) if header else _list_extra(rows)
    stops = {fold(stop.name): stop for stop in known}
    seen: dict[str, int] = {}
    added, moved = [], []
    for row in rows[1:] if header else rows:
        try:
            name, place = _read_row(row, header)
            _check_name(name, row, seen)
        except BadPlace as bad:
            faults.append(Fault(row.number, bad.column, bad.message))
            continue
        old = stops.get(fold(name))
        stops[fold(name)] = _put(old, name, place, stops.values())
        if old is None:
            added.append(name)
        elif (old.latitude, old.longitude) != place:
            moved.append(name)
    if not rows and not faults:
        faults.append(Fault(1, NAME, "a tabela está vazia: escreva uma parada por linha"))
    if len(stops) > MOST_STOPS:
        faults.append(Fault(rows[-1].number, NAME, f"são mais de {MOST_STOPS} paradas: envie um arquivo GTFS"))
    whole = tuple(stops.values())
    return StopTable(whole, tuple(added), tuple(moved), list_far(whole), unused, tuple(faults))


def add_stop(name: str, place: Place, known: Sequence[Stop]) -> Stop:
    """A new stop with an id of its own made from its name."""
    return _put(None, name, place, known)


def list_far(stops: Sequence[Stop]) -> tuple[str, ...]:
    """Names of stops that lie far from the others, each with the distance."""
    places = [(stop.latitude, stop.longitude) for stop in stops]
    found = ((stop, find_far(place, places)) for stop, place in zip(stops, places, strict=True))
    return tuple(f"{stop.name} ({km:.0f} km)" for stop, km in found if km is not None)


def _read_row(row: Row, header: dict[str, int] | None) -> tuple[str, Place]:
    """Without a header: name and both coordinates in one cell or in two, or with decimal commas in four."""
    columns = header or {NAME: 0, LATITUDE: 1, LONGITUDE: 2}
    name = " ".join(row.cell(columns.get(NAME)).split())
    if PLACE in columns:
        return name, read_pair(row.cell(columns[PLACE]))
    latitude, longitude = row.cell(columns.get(LATITUDE)), row.cell(columns.get(LONGITUDE))
    rest = [cell for cell in row.cells[1:] if cell]
    if header is None and len(rest) == 1:
        return name, read_pair(rest[0])
    if header is None and _is_split_by_commas(row):
        return name, read_place(f"{rest[0]},{rest[1]}", f"{rest[2]},{rest[3]}")
    return name, read_place(latitude, longitude)


def _list_extra(rows: Sequence[Row]) -> tuple[str, ...]:
    """Columns without a header that nobody looks at."""
    widths = [len(row.cells) for row in rows if not _is_split_by_commas(row)]
    return tuple(f"coluna {number}" for number in range(4, max(widths, default=0) + 1))


def _is_split_by_commas(row: Row) -> bool:
    """Whether decimal commas have made four cells of two coordinates."""
    rest = [cell for cell in row.cells[1:] if cell]
    return len(rest) == 4 and all(cell.lstrip("-+").isdigit() for cell in rest)


def _check_name(name: str, row: Row, seen: dict[str, int]) -> None:
    """Two stops need two names: people find stops by name, and lines are typed with them."""
    key = fold(name)
    if not slugify(name):
        raise BadPlace(NAME, "falta o nome da parada")
    if len(name) > LONGEST_NAME:
        raise BadPlace(NAME, f"o nome tem mais de {LONGEST_NAME} letras: encurte")
    if key in seen:
        advice = f"dê outro nome, como «{name[:40]} (sentido Centro)»"
        raise BadPlace(NAME, f"«{name}» já está na linha {seen[key]}: apague uma delas ou {advice}")
    seen[key] = row.number


def _put(old: Stop | None, name: str, place: Place, known: Iterable[Stop]) -> Stop:
    if old is not None:
        return replace(old, name=name, latitude=place[0], longitude=place[1])
    taken = {stop.id for stop in known}
    slug = slugify(name) or "parada"
    id_ = next(id_ for number in range(1, len(taken) + 2) if (id_ := _number(slug, number)) not in taken)
    return Stop(id_, name, place[0], place[1])


def _number(slug: str, number: int) -> str:
    return slug if number == 1 else f"{slug}-{number}"
