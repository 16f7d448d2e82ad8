"""What a page says of one vehicle and its seal, in words: never holder, driver or debts."""

from dataclasses import dataclass
from datetime import date, datetime

from complaints.authorities.tables import Authority
from complaints.law.rulebook import get_rulebook
from complaints.registry.plates import format_plate, old_form
from complaints.registry.seal_code import format_code
from complaints.registry.seals import seal_state, state_among
from complaints.registry.tables import Seal
from complaints.registry.vehicle_search import VehicleView
from web.addresses import town_url
from web.formats import day_in_words, local_day_in_words

KINDS = {"van": "Van", "microonibus": "Micro-ônibus", "onibus": "Ônibus"}
SCHOOL_SERVICES = ("school", "special_school")


@dataclass(frozen=True)
class StateWords:
    """How a page speaks of a state: `tone` of its notice, a short name, a dated title, what it means."""

    tone: str
    name: str
    title: str
    text: str


STATES = {
    "valid": StateWords(
        "good",
        "Selo válido",
        "Selo válido até {day}",
        "Está em dia no cadastro de {town}. Confira se a placa é a mesma.",
    ),
    "expired": StateWords(
        "warn",
        "Selo vencido",
        "Selo vencido: valia até {day}",
        "O último dia de validade já passou. Se você viu este selo em um veículo rodando, avise: "
        "isso ajuda a fiscalização.",
    ),
    "revoked": StateWords(
        "bad",
        "Selo cancelado",
        "Selo cancelado em {day}",
        "Este selo não vale mais. Se você viu este selo em um veículo rodando, avise: isso ajuda a fiscalização.",
    ),
    "none": StateWords(
        "warn",
        "Veículo sem selo",
        "Veículo sem selo",
        "O veículo está no cadastro de {town}, mas nenhum selo foi emitido para ele por aqui. "
        "Se ele está rodando, você pode avisar.",
    ),
    "withdrawn": StateWords(
        "bad",
        "Veículo fora do cadastro",
        "Veículo fora do cadastro desde {day}",
        "Ele saiu do cadastro de {town}. Se você o viu levando passageiros, avise.",
    ),
}


@dataclass(frozen=True)
class Notice:
    """One message at the head of a sheet."""

    tone: str
    title: str
    text: str


@dataclass(frozen=True)
class Sheet:
    """Everything a template shows. `state` is a key of STATES, of the seal unless the vehicle is withdrawn."""

    heading: str
    state: str
    seal_state: str
    notices: tuple[Notice, ...]
    plate: str
    old_plate: str | None
    rows: tuple[tuple[str, str], ...]
    complain: str
    law: tuple[tuple[str, str], ...]


def vehicle_sheet(authority: Authority, view: VehicleView, today: date) -> Sheet:
    """The sheet of a vehicle found by its plate or number: its newest seal decides."""
    notice = _notice(authority, view.seal_state, view.seal_valid_until, view.seal_revoked_at)
    complain = town_url(authority, "reclamar", placa=view.plate)
    rows = _dated_rows(authority, view.seal_issued_at, view.last_inspected_at)
    return _sheet(authority, view, view.seal_state, (notice,), complain, today, rows)


def seal_sheet(authority: Authority, view: VehicleView, seal: Seal, newest: Seal, today: date) -> Sheet:
    """The sheet of a seal that was read: its own state, unless a newer seal of the vehicle is worth less."""
    state = state_among(seal, newest, today)
    decides = seal if seal_state(seal, today) == state else newest
    notices = [_notice(authority, state, decides.valid_until, decides.revoked_at)]
    if newest.id != seal.id:
        notices.append(_replaced_notice(authority, newest, today))
    complain = town_url(authority, "reclamar", selo=seal.code)
    dates = _dated_rows(authority, seal.issued_at, view.last_inspected_at)
    rows = (("Código do selo", format_code(seal.code)), *dates)
    return _sheet(authority, view, state, tuple(notices), complain, today, rows)


def kind_in_words(kind: str, service: str) -> str:
    """`Van`, `Van escolar`; a kind we do not know stays as it is."""
    words = KINDS.get(kind, kind)
    return f"{words} escolar" if service in SCHOOL_SERVICES else words


def _sheet(
    authority: Authority,
    view: VehicleView,
    seal: str,
    notices: tuple[Notice, ...],
    complain: str,
    today: date,
    seal_rows: tuple[tuple[str, str], ...],
) -> Sheet:
    state = seal
    if view.withdrawn_on and view.withdrawn_on <= today:
        state = "withdrawn"
        notices = (_notice(authority, state, view.withdrawn_on, None), *notices)
    old = old_form(view.plate)
    return Sheet(
        heading=STATES[state].name,
        state=state,
        seal_state=seal,
        notices=notices,
        plate=view.plate,
        old_plate=format_plate(old) if old else None,
        rows=(*_vehicle_rows(authority, view), *seal_rows),
        complain=complain,
        law=_law(authority.law_id),
    )


def _notice(authority: Authority, state: str, day: date | None, revoked_at: datetime | None) -> Notice:
    words = STATES[state]
    said = local_day_in_words(revoked_at, authority) if revoked_at else day_in_words(day) if day else ""
    return Notice(words.tone, words.title.format(day=said), words.text.format(town=authority.town))


def _replaced_notice(authority: Authority, newest: Seal, today: date) -> Notice:
    valid_until = day_in_words(newest.valid_until)
    revoked_on = local_day_in_words(newest.revoked_at, authority) if newest.revoked_at else ""
    said = {
        "valid": f"O mais novo vale até {valid_until}. Procure por ele no veículo.",
        "expired": f"O mais novo valia até {valid_until}.",
        "revoked": f"O mais novo foi cancelado em {revoked_on}.",
    }[seal_state(newest, today)]
    return Notice("warn", "Este não é o selo mais novo deste veículo", said)


def _vehicle_rows(authority: Authority, view: VehicleView) -> tuple[tuple[str, str], ...]:
    services = get_rulebook(authority.law_id).service_labels((view.service,))
    rows = [
        ("Veículo", kind_in_words(view.kind, view.service)),
        ("Número do veículo (prefixo)", view.fleet_number),
        ("Linha", view.line_name or "Não informada") if authority.has_lines else ("Linha", None),
        ("Serviço", services[0] if services else None),
        ("Cor", view.colour),
        ("Modelo", view.model),
    ]
    return tuple((term, value) for term, value in rows if value)


def _dated_rows(
    authority: Authority, issued_at: datetime | None, inspected_at: datetime | None
) -> tuple[tuple[str, str], ...]:
    rows = [("Selo emitido em", issued_at), ("Última vistoria registrada", inspected_at)]
    return tuple((term, local_day_in_words(at, authority)) for term, at in rows if at)


def _law(law_id: str) -> tuple[tuple[str, str], ...]:
    """What the town's law says of the proof of inspection, each sentence with its articles."""
    rulebook = get_rulebook(law_id)
    said = [(row.text, row.citations) for row in rulebook.credentials]
    if rulebook.inspection:
        said.append((rulebook.inspection.text, rulebook.inspection.citations))
    return tuple((text, f"{rulebook.law.name}, {'; '.join(citations)}") for text, citations in said)
