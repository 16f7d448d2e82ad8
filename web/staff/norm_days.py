"""The authority's calendar of working days and its office hours, each change a dated act."""

import json
from datetime import timedelta

from sqlmodel import col, select
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from complaints.authorities.choices import find_choice
from complaints.authorities.law_in_force import DAY, HOURS, WEEK
from complaints.authorities.tables import CalendarDay
from web.forms import FormErrors
from web.staff.norm_acts import ActFields, list_acts, read_act, read_day, store_act
from web.staff.routing import Desk, StaffRoute, render_desk

LAYERS = (("municipal", "Feriado municipal"), ("optional", "Ponto facultativo"))
LAYER_WORDS = {"national": "Feriado nacional", "state": "Feriado estadual", **dict(LAYERS)}
WEEKDAYS = (
    ("mo", "Segunda"), ("tu", "Terça"), ("we", "Quarta"), ("th", "Quinta"), ("fr", "Sexta"), ("sa", "Sábado"),
    ("su", "Domingo"),
)  # fmt: skip
_AHEAD = timedelta(days=400)


def keep_calendar(request: Request, desk: Desk) -> Response:
    """The days without work of the coming year; add one, or take back one that was added."""
    values, errors = {"vigencia": desk.today.isoformat()}, FormErrors()
    if request.method == "POST":
        values = desk.form.values
        changed = _take_back(desk, errors) if desk.form.text("tirar", 12) else _add_day(desk, errors)
        if changed:
            return RedirectResponse("/equipe/norma/calendario?feito=dia", status_code=303)
    with desk.services.database.read() as session:
        rows = session.exec(
            select(CalendarDay)
            .where(
                CalendarDay.authority_id == desk.authority_id,
                CalendarDay.day >= desk.today,
                CalendarDay.day <= desk.today + _AHEAD,
            )
            .order_by(col(CalendarDay.day), col(CalendarDay.layer))
        ).all()
        acts = list_acts(session, desk, DAY)
    context = {
        "rows": rows,
        "layer_words": LAYER_WORDS,
        "own": dict(LAYERS),
        "layers": LAYERS,
        "acts": [(act, json.loads(act.value)) for act in acts],
        "values": values,
        "errors": errors,
        "done": "feito" in request.query_params,
    }
    return render_desk(request, desk, "staff/norm/calendar.html", context, 422 if errors else 200)


def _add_day(desk: Desk, errors: FormErrors) -> bool:
    form = desk.form
    day, layer, name = read_day(form.text("dia", 10)), form.text("tipo", 20), form.text("nome", 121)
    if day is None or day < desk.today:
        errors.add("dia", "Escolha um dia de hoje em diante: prazos passados não mudam")
    if layer not in dict(LAYERS):
        errors.add("tipo", "Escolha se é feriado ou ponto facultativo")
    if not name or len(name) > 120:
        errors.add("nome", "Dê um nome ao dia, com até 120 letras")
    fields = read_act(form, desk.today, errors)
    if fields is not None and day is not None and fields.effective_from > day:
        errors.add("vigencia", "O ato precisa valer até o dia que ele muda")
    if errors or fields is None or day is None:
        return False
    with desk.services.database.write() as session:
        known = session.exec(
            select(CalendarDay).where(
                CalendarDay.authority_id == desk.authority_id, CalendarDay.day == day, CalendarDay.layer == layer
            )
        ).first()
        if known is not None:
            errors.add("dia", f"Este dia já está no calendário: {known.name}")
            return False
        session.add(
            CalendarDay(
                authority_id=desk.authority_id,
                day=day,
                layer=layer,
                name=name,
                source=fields.instrument[:200],
                added_at=desk.now,
            )
        )
        store_act(session, desk, DAY, day.isoformat(), {"layer": layer, "name": name, "added": True}, fields)
    return True


def _take_back(desk: Desk, errors: FormErrors) -> bool:
    """Take a day of the authority's own back out of the calendar; the acts keep both."""
    day, layer = read_day(desk.form.text("tirar", 10)), desk.form.text("tipo", 20)
    instrument = desk.form.text("instrumento", 300)
    if day is None or day < desk.today or layer not in dict(LAYERS):
        errors.add("dia", "Só dias de hoje em diante, criados aqui, podem sair do calendário")
    if not instrument:
        errors.add("dia", "Para tirar um dia, diga que ato muda o calendário")
    if errors or day is None:
        return False
    with desk.services.database.write() as session:
        row = session.exec(
            select(CalendarDay).where(
                CalendarDay.authority_id == desk.authority_id, CalendarDay.day == day, CalendarDay.layer == layer
            )
        ).first()
        if row is None:
            errors.add("dia", "Este dia já não está no calendário")
            return False
        value = {"layer": layer, "name": row.name, "source": row.source, "added": False}
        session.delete(row)
        store_act(session, desk, DAY, day.isoformat(), value, ActFields(instrument, None, desk.today))
    return True


def set_hours(request: Request, desk: Desk) -> Response:
    """On which weekdays and between which hours the authority's office is open."""
    values, errors = {"vigencia": desk.today.isoformat(), "abre": "08:00", "fecha": "17:00"}, FormErrors()
    with desk.services.database.read() as session:
        current = find_choice(session, desk.authority_id, HOURS, WEEK, desk.today)
        acts = list_acts(session, desk, HOURS, WEEK)
    chosen = current.value["weekdays"] if current else ["mo", "tu", "we", "th", "fr"]
    if current:
        values |= {"abre": current.value["opens"], "fecha": current.value["closes"]}
    if request.method == "POST":
        values = desk.form.values
        chosen = [word for word in desk.form.all("dias", 2) if word in dict(WEEKDAYS)]
        opens, closes = desk.form.text("abre", 5), desk.form.text("fecha", 5)
        if not chosen:
            errors.add("dias", "Marque pelo menos um dia da semana")
        if not (_is_hour(opens) and _is_hour(closes) and opens < closes):
            errors.add("abre", "Escreva as horas como 08:00 e 17:00, a primeira antes da segunda")
        fields = read_act(desk.form, desk.today, errors)
        if fields is not None:
            value = {"weekdays": chosen, "opens": opens, "closes": closes}
            with desk.services.database.write() as session:
                store_act(session, desk, HOURS, WEEK, value, fields)
            return RedirectResponse("/equipe/norma?feito=expediente", status_code=303)
    context = {
        "weekdays": WEEKDAYS,
        "words": dict(WEEKDAYS),
        "chosen": chosen,
        "current": current,
        "acts": [(act, json.loads(act.value)) for act in acts],
        "values": values,
        "errors": errors,
    }
    return render_desk(request, desk, "staff/norm/hours.html", context, 422 if errors else 200)


def _is_hour(text: str) -> bool:
    hour, colon, minute = text.partition(":")
    whole = all(part.isascii() and part.isdigit() and len(part) == 2 for part in (hour, minute))
    return bool(colon) and whole and int(hour) < 24 and int(minute) < 60


ROUTES = (
    StaffRoute("/norma/calendario", keep_calendar, "authority.choose", ("GET", "POST")),
    StaffRoute("/norma/expediente", set_hours, "authority.choose", ("GET", "POST")),
)
