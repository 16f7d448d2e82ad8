"""The clerk's alerts: what riders are told now, what is to come, and a form seen as riders will see it."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gtfs.alert_words import load_alert_words
from gtfs.alerts import (
    Alert,
    AlertEnded,
    AlertValues,
    Informed,
    StaleAlert,
    UnknownAlert,
    add_alert,
    change_alert,
    end_alert,
    get_alert,
    list_current,
    list_ended,
)
from gtfs.published import LineEntry, PublishedFeed, find_published, list_lines
from web.forms import FormErrors, query_text, whole_number
from web.rider.town_feed import FIRST_YEAR, LAST_YEAR
from web.staff.alert_places import PLACES_LIMIT, find_named_stops, list_gone
from web.staff.case_forms import read_day
from web.staff.feeds import who
from web.staff.routing import Desk, StaffRoute, render_desk

PERMISSION = "alert.publish"
LONGEST_HEADER, LONGEST_TEXT = 160, 2000
DONE = {"feito": "Os passageiros já veem o aviso.", "mudado": "O aviso foi mudado.", "acabou": "O aviso acabou."}


def show_alerts(request: Request, desk: Desk) -> Response:
    """What holds now, what is to come, what is over; and what needs a look."""
    with desk.services.database.read() as session:
        current = list_current(session, desk.authority_id, desk.now)
        feed = find_published(session, desk.authority_id)
        context = {
            "active": [alert for alert in current if alert.is_active(desk.now)],
            "coming": [alert for alert in current if not alert.is_active(desk.now)],
            "ended": list_ended(session, desk.authority_id, desk.now),
            "gone": list_gone(session, feed, current),
            "templates": load_alert_words().templates,
            "done": DONE.get(query_text(request, "feito", 10), ""),
        }
    return render_desk(request, desk, "staff/alerts/list.html", context)


def new_alert(request: Request, desk: Desk) -> Response:
    """A new alert: filled in, seen as riders will see it, then published."""
    if request.method != "POST":
        return _form_page(request, desk, _first_values(request, desk), (), FormErrors())
    errors = FormErrors()
    values = _read_form(desk, errors)
    if values is None or not desk.form.text("confirmar", 5):
        return _form_page(request, desk, desk.form.values, desk.form.all("linhas", 80), errors, values)
    with desk.services.database.write() as session:
        add_alert(session, desk.authority_id, values, who(desk), desk.now)
    return RedirectResponse("/equipe/avisos?feito=feito", status_code=303)


def edit_alert(request: Request, desk: Desk) -> Response:
    """Change an alert that holds or is to come; one that somebody else changed meanwhile is shown first."""
    alert = _get(request, desk)
    if request.method != "POST":
        shown = _typed(desk, alert) | {"revisao": str(alert.revision)}
        return _form_page(request, desk, shown, _slugs(alert), FormErrors(), number=alert.number)
    errors = FormErrors()
    values = _read_form(desk, errors)
    typed, lines = desk.form.values, desk.form.all("linhas", 80)
    if values is None or not desk.form.text("confirmar", 5):
        return _form_page(request, desk, typed, lines, errors, values, number=alert.number)
    revision = whole_number(desk.form.text("revisao", 9))
    try:
        with desk.services.database.write() as session:
            change_alert(session, desk.authority_id, alert.number, revision, values, who(desk), desk.now)
    except StaleAlert as stale:
        typed |= {"revisao": str(stale.alert.revision)}
        return _form_page(request, desk, typed, lines, errors, values, number=alert.number, stale=stale.alert)
    except AlertEnded:
        errors.add("texto", "Este aviso já acabou. Faça um aviso novo.")
        return _form_page(request, desk, typed, lines, errors, number=alert.number)
    return RedirectResponse("/equipe/avisos?feito=mudado", status_code=303)


def finish_alert(request: Request, desk: Desk) -> Response:
    """End an alert now, if it is still as this person saw it; else its form shows how it is."""
    alert = _get(request, desk)
    if whole_number(desk.form.text("revisao", 9)) != alert.revision and alert.is_active(desk.now):
        shown = _typed(desk, alert) | {"revisao": str(alert.revision)}
        return _form_page(request, desk, shown, _slugs(alert), FormErrors(), number=alert.number, stale=alert)
    with desk.services.database.write() as session:
        end_alert(session, desk.authority_id, alert.number, who(desk), desk.now)
    return RedirectResponse("/equipe/avisos?feito=acabou", status_code=303)


def _get(request: Request, desk: Desk) -> Alert:
    try:
        with desk.services.database.read() as session:
            return get_alert(session, desk.authority_id, request.path_params["number"])
    except UnknownAlert:
        raise HTTPException(404) from None


def _form_page(
    request: Request,
    desk: Desk,
    values: Mapping[str, str],
    chosen: tuple[str, ...],
    errors: FormErrors,
    preview: AlertValues | None = None,
    *,
    number: int | None = None,
    stale: Alert | None = None,
) -> Response:
    words = load_alert_words()
    with desk.services.database.read() as session:
        feed = find_published(session, desk.authority_id)
        lines = list_lines(session, feed) if feed else ()
        gone = _list_gone_of(session, desk, feed, number)
    seen = Alert(number or 0, 0, preview, "", "", desk.now) if preview else None
    context: dict[str, Any] = {
        "values": values,
        "chosen": chosen,
        "errors": errors,
        "lines": tuple((line.slug, line.name) for line in lines),
        "causes": tuple(words.causes.items()),
        "effects": tuple((word, effect.label) for word, effect in words.effects.items()),
        "seen": seen,
        "alerts": (seen,) if seen else (),
        "number": number,
        "stale": stale,
        "gone": gone,
        "longest_header": LONGEST_HEADER,
    }
    status = 409 if stale else 422 if errors else 200
    return render_desk(request, desk, "staff/alerts/form.html", context, status)


def _list_gone_of(session: Session, desk: Desk, feed: PublishedFeed | None, number: int | None) -> list[str]:
    if number is None:
        return []
    alert = get_alert(session, desk.authority_id, number)
    return list_gone(session, feed, [alert]).get(number, [])


def _read_form(desk: Desk, errors: FormErrors) -> AlertValues | None:
    form, words = desk.form, load_alert_words()
    header, text = form.text("titulo", LONGEST_HEADER + 1), form.text("texto", LONGEST_TEXT + 1)
    for name, value, longest, ask in (
        ("titulo", header, LONGEST_HEADER, "Escreva o aviso em uma frase"),
        ("texto", text, LONGEST_TEXT, "Diga o que muda e o que fazer"),
    ):
        if not value:
            errors.add(name, ask)
        elif len(value) > longest:
            errors.add(name, f"Use até {longest} letras")
    effect, cause = form.text("efeito", 30), form.text("causa", 30) or "UNKNOWN_CAUSE"
    if effect not in words.effects:
        errors.add("efeito", "Escolha o que acontece")
    if cause not in words.causes:
        errors.add("causa", "Escolha uma causa da lista")
    starts = _read_instant(desk, "inicio", errors, desk.now)
    ends = _read_instant(desk, "fim", errors, None)
    if starts and ends and ends <= starts:
        errors.add("fim_dia", "O fim tem de ser depois do começo")
    elif ends and ends <= desk.now:
        errors.add("fim_dia", "O fim já passou")
    with desk.services.database.read() as session:
        informed = _read_informed(session, desk, errors)
    if errors or starts is None:
        return None
    return AlertValues(informed, cause, effect, header, text, starts, ends)


def _read_informed(session: Session, desk: Desk, errors: FormErrors) -> tuple[Informed, ...]:
    where = desk.form.text("onde", 10)
    if where == "cidade":
        return (Informed("town"),)
    feed = find_published(session, desk.authority_id)
    if where not in ("linhas", "paradas"):
        errors.add("onde", "Diga onde o aviso vale")
    elif feed is None:
        errors.add("onde", "Sem linhas publicadas, o aviso só pode valer em toda a cidade")
    elif where == "linhas":
        return _read_lines(session, feed, desk.form.all("linhas", 80), errors)
    else:
        return _read_stops(session, feed, desk.form.text("paradas"), errors)
    return ()


def _read_lines(
    session: Session, feed: PublishedFeed, slugs: tuple[str, ...], errors: FormErrors
) -> tuple[Informed, ...]:
    found = [line for line in list_lines(session, feed) if line.slug in slugs]
    if not found:
        errors.add("linhas", "Marque pelo menos uma linha das publicadas hoje")
    return tuple(_informed_line(line) for line in found)


def _informed_line(line: LineEntry) -> Informed:
    return Informed("line", line.gtfs_id, line.slug, line.name)


def _read_stops(session: Session, feed: PublishedFeed, text: str, errors: FormErrors) -> tuple[Informed, ...]:
    names = [name.strip() for name in text.splitlines() if name.strip()]
    if not names or len(names) > PLACES_LIMIT:
        errors.add("paradas", f"Escreva de uma a {PLACES_LIMIT} paradas, uma em cada linha")
        return ()
    stops, faults = find_named_stops(session, feed, names)
    if faults:
        errors.add("paradas", " ".join(faults))
    return tuple(Informed("stop", stop.gtfs_id, stop.slug, stop.name) for stop in stops)


def _read_instant(desk: Desk, name: str, errors: FormErrors, default: datetime | None) -> datetime | None:
    """The instant of two fields, a day and a clock of the town; the default when both are blank."""
    day_text, clock_text = desk.form.text(f"{name}_dia", 10), desk.form.text(f"{name}_hora", 8)
    if not day_text and not clock_text:
        return default
    day = read_day(day_text)
    try:
        clock = time.fromisoformat(clock_text) if clock_text else time()
    except ValueError:
        errors.add(f"{name}_hora", "Escreva a hora como 07:30")
        return None
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        errors.add(f"{name}_dia", "Escreva o dia, como 05/12/2026")
        return None
    if name == "fim" and not clock_text:
        day += timedelta(days=1)  # the last day holds to its end
    zone = ZoneInfo(desk.authority.time_zone)
    return datetime.combine(day, clock.replace(tzinfo=None), tzinfo=zone).astimezone(UTC)


def _first_values(request: Request, desk: Desk) -> dict[str, str]:
    """An empty form, or the beginning that `?modelo=` names; the start is now."""
    local = desk.now.astimezone(ZoneInfo(desk.authority.time_zone))
    values = {"inicio_dia": local.date().isoformat(), "inicio_hora": f"{local:%H:%M}", "onde": "linhas"}
    template = load_alert_words().templates.get(query_text(request, "modelo", 20))
    if template is None:
        return values
    return values | {
        "efeito": template.effect,
        "causa": template.cause,
        "titulo": template.header,
        "texto": template.description,
    }


def _typed(desk: Desk, alert: Alert) -> dict[str, str]:
    """An alert as its form would have been filled in."""
    values, zone = alert.values, ZoneInfo(desk.authority.time_zone)
    kinds = {"town": "cidade", "line": "linhas", "stop": "paradas"}
    typed = {
        "onde": kinds[values.informed[0].kind] if values.informed else "cidade",
        "paradas": "\n".join(one.slug for one in values.informed if one.kind == "stop"),
        "efeito": values.effect,
        "causa": values.cause,
        "titulo": values.header,
        "texto": values.description,
    }
    for name, instant in (("inicio", values.starts_at), ("fim", values.ends_at)):
        if instant is not None:
            local = instant.astimezone(zone)
            typed |= {f"{name}_dia": local.date().isoformat(), f"{name}_hora": f"{local:%H:%M}"}
    return typed


def _slugs(alert: Alert) -> tuple[str, ...]:
    return tuple(one.slug for one in alert.values.informed if one.kind == "line")


ROUTES = (
    StaffRoute("/avisos", show_alerts, PERMISSION),
    StaffRoute("/avisos/novo", new_alert, PERMISSION, ("GET", "POST")),
    StaffRoute("/avisos/{number:int}", edit_alert, PERMISSION, ("GET", "POST")),
    StaffRoute("/avisos/{number:int}/acabar", finish_alert, PERMISSION, ("POST",)),
)
