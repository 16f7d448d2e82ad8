"""The authority's acts on the fare: what is in force, what is to come, and a new one, seen before it is made."""

import json
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from complaints.authorities.choices import Choice
from complaints.authorities.fares import (
    FARE,
    FareAct,
    LineIdTooLong,
    fare_key,
    fare_value,
    fares_on,
    read_fare,
)
from complaints.authorities.law_in_force import law_on, settings_in_force
from gtfs.published import LineEntry, find_published, list_lines
from web.forms import FormErrors, query_text
from web.law_fares import reduced_fares
from web.staff.norm_acts import ActFields, PastAct, list_acts, read_act, store_act
from web.staff.norm_annex import read_reais
from web.staff.routing import Desk, StaffRoute, render_desk

PERMISSION = "fare.record"
_LONGEST_WORDS = 120


@dataclass(frozen=True)
class NewFare:
    """A fare as typed: for all lines (None) or one, in cents, and the words of the act."""

    line: LineEntry | None
    cents: int
    kind: str
    bodies: tuple[str, ...]
    number: str


def show_fares(request: Request, desk: Desk) -> Response:
    """The fares in force, those to come, and every act so far."""
    _require_fares(desk)
    with desk.services.database.read() as session:
        lines = {line.gtfs_id: line for line in _lines(session, desk)}
        acts = list_acts(session, desk, FARE)
        context = {
            "fares": fares_on(session, desk.authority_id, desk.today),
            "lines": lines,
            "acts": [(act, _read(act)) for act in acts],
            "coming": [(act, _read(act)) for act in acts if act.effective_from > desk.today],
            "done": query_text(request, "feito", 20),
        }
    return render_desk(request, desk, "staff/fares/list.html", context)


def record_fare(request: Request, desk: Desk) -> Response:
    """A new act: filled in, then shown with what each category will pay, then made."""
    _require_fares(desk)
    errors, form = FormErrors(), desk.form
    if request.method != "POST":
        return _form_page(request, desk, {"vigencia": desk.today.isoformat()}, errors)
    with desk.services.database.read() as session:
        fare = _read_form(session, desk, errors)
    fields = read_act(form, desk.today, errors)
    if fields is None or fare is None:
        return _form_page(request, desk, form.values, errors)
    if not form.text("confirmar", 5):
        return _form_page(request, desk, form.values, errors, fare, fields)
    value = fare_value(fare.cents, fare.kind, fare.bodies, fare.number)
    with desk.services.database.write() as session:
        store_act(session, desk, FARE, fare_key(fare.line.gtfs_id if fare.line else None), value, fields)
    return RedirectResponse("/equipe/tarifas?feito=tarifa", status_code=303)


def _require_fares(desk: Desk) -> None:
    if not law_on(desk.authority, desk.today).has_fare:
        raise HTTPException(404)


def _read_form(session: Session, desk: Desk, errors: FormErrors) -> NewFare | None:
    form = desk.form
    slug, free = form.text("linha", 80), form.text("gratis", 5) == "sim"
    line = next((line for line in _lines(session, desk) if line.slug == slug), None)
    if slug and line is None:
        errors.add("linha", "Escolha uma linha da lista, ou deixe em branco para todas")
    if line is not None:
        try:
            fare_key(line.gtfs_id)
        except LineIdTooLong:
            errors.add("linha", "O código desta linha é longo demais para um ato só dela")
    cents = 0 if free else read_reais(form.text("valor", 20), errors)
    if not free and cents == 0 and "valor" not in errors:
        errors.add("valor", "Para zero, marque que ninguém paga")
    for name in ("especie", "orgaos", "numero"):
        if form.is_longer(name, _LONGEST_WORDS):
            errors.add(name, f"Use até {_LONGEST_WORDS} letras")
    if errors:
        return None
    bodies = tuple(filter(None, (body.strip() for body in form.text("orgaos", _LONGEST_WORDS).split(","))))
    return NewFare(line, cents, form.text("especie", _LONGEST_WORDS), bodies, form.text("numero", _LONGEST_WORDS))


def _form_page(
    request: Request,
    desk: Desk,
    values: dict[str, str],
    errors: FormErrors,
    fare: NewFare | None = None,
    fields: ActFields | None = None,
) -> Response:
    rulebook = law_on(desk.authority, fields.effective_from if fields else desk.today)
    with desk.services.database.read() as session:
        lines = _lines(session, desk)
        settings = settings_in_force(session, desk.authority, desk.today)
    context: dict[str, Any] = {
        "lines": tuple((line.slug, line.name) for line in lines),
        "values": values,
        "errors": errors,
        "fare": fare,
        "fields": fields,
        "titles": reduced_fares(rulebook, settings, fare.cents) if fare else (),
    }
    return render_desk(request, desk, "staff/fares/form.html", context, 422 if errors else 200)


def _lines(session: Session, desk: Desk) -> tuple[LineEntry, ...]:
    feed = find_published(session, desk.authority_id)
    return list_lines(session, feed) if feed else ()


def _read(act: PastAct) -> FareAct | None:
    choice = Choice(json.loads(act.value), act.instrument, act.document, act.effective_from)
    return read_fare(choice, act.key)


ROUTES = (
    StaffRoute("/tarifas", show_fares, PERMISSION),
    StaffRoute("/tarifas/nova", record_fare, PERMISSION, ("GET", "POST")),
)
