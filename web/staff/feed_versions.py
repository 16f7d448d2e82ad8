"""One version of the feed: what is in it and wrong with it, and the acts that show it or take it back."""

import json
from datetime import date
from typing import Any

from sqlmodel import Session, select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from gtfs.changes import PreparedChanges, keep_changes, prepare_plan, prepare_publication
from gtfs.planning import (
    AlreadyPublished,
    DayTaken,
    NotPlanned,
    Planning,
    PlanTooEarly,
    PlanTooLate,
    cancel_plan,
    plan,
)
from gtfs.publishing import Publishing, RollingBack, StalePublication, publish, rollback
from gtfs.tables import RETIRED, FeedArchive, FeedVersion
from gtfs.versions import UnknownVersion, get_version, set_with_fares
from web.forms import FormErrors, query_text, whole_number
from web.staff.case_forms import read_day
from web.staff.feed_difference import describe_difference
from web.staff.feed_uploads import csv_response, read_report
from web.staff.feed_words import DONE, FEED_WORDS
from web.staff.feeds import PERMISSION, describe, published_number, who
from web.staff.routing import Desk, StaffRoute, render_desk

NOTHING = 0
"""Stands in forms for `no version is published`."""


def show_version(request: Request, desk: Desk) -> Response:
    """Summary, acts, difference from what riders see, report and files of a version."""
    with desk.services.database.read() as session:
        context = _context(session, request, desk)
    context["done"] = DONE.get(query_text(request, "feito", 20), "")
    return render_desk(request, desk, "staff/feeds/version.html", context)


def publish_version(request: Request, desk: Desk) -> Response:
    """Ask once more, saying what changes for riders; then publish, now or on a day."""
    if request.method != "POST":
        return _confirm(request, desk)
    number, expected = request.path_params["number"], _expected(desk)
    errors = FormErrors()
    day = _read_day(desk, errors)
    if errors:
        return _confirm(request, desk, errors)
    try:
        with desk.services.database.read() as session:
            changes = _prepare(session, desk, number, day)
        with desk.services.database.write() as session:
            _act(session, desk, number, expected, day)
            keep_changes(session, changes)
    except StalePublication:
        return _confirm(request, desk, stale=True)
    except (AlreadyPublished, PlanTooEarly, PlanTooLate, DayTaken) as refused:
        return _confirm(request, desk, FormErrors({"dia": _say_why(refused)}))
    except UnknownVersion:
        raise HTTPException(404) from None
    return RedirectResponse(f"/equipe/horarios?feito={'marcada' if day else 'publicada'}", status_code=303)


def _prepare(session: Session, desk: Desk, number: int, day: date | None) -> PreparedChanges | None:
    """What riders will be told, worked out before anything is locked."""
    if day is None:
        return prepare_publication(session, desk.authority_id, number, desk.today)
    return prepare_plan(session, desk.authority_id, number, day)


def _act(session: Session, desk: Desk, number: int, expected: int | None, day: date | None) -> None:
    by = who(desk)
    if day is not None:
        plan(session, Planning(desk.authority_id, number, day, by, desk.today, expected), desk.now)
    elif get_version(session, desk.authority_id, number).state == RETIRED:
        rollback(session, RollingBack(desk.authority_id, by, number, expected), desk.now)
    else:
        publish(session, Publishing(desk.authority_id, number, by, expected), desk.now)


def _say_why(refused: Exception) -> str:
    if isinstance(refused, DayTaken):
        return f"A versão {refused.number} já está marcada para este dia"
    if isinstance(refused, PlanTooLate):
        return f"A última viagem desta versão é em {refused.last_day:%d/%m/%Y}: escolha um dia até lá"
    if isinstance(refused, PlanTooEarly):
        return "Escolha um dia depois de hoje, ou publique agora"
    return "Esta versão já é a que os passageiros veem"


def unplan_version(request: Request, desk: Desk) -> Response:
    """Take back the day set for a draft."""
    try:
        with desk.services.database.write() as session:
            cancel_plan(session, desk.authority_id, request.path_params["number"])
    except UnknownVersion:
        raise HTTPException(404) from None
    except NotPlanned:
        pass  # somebody cancelled it already, or its day came
    return RedirectResponse("/equipe/horarios?feito=desmarcada", status_code=303)


def switch_fares(request: Request, desk: Desk) -> Response:
    """Put the fares made from the law into the public zip of a version, or leave them out."""
    number = request.path_params["number"]
    wanted = desk.form.text("tarifas", 5) == "sim"
    try:
        with desk.services.database.write() as session:
            set_with_fares(session, desk.authority_id, number, wanted)
    except UnknownVersion:
        raise HTTPException(404) from None
    return RedirectResponse(f"/equipe/horarios/{number}?feito=tarifas", status_code=303)


def send_zip(request: Request, desk: Desk) -> Response:
    """The zip of a version as it came."""
    with desk.services.database.read() as session:
        version = _version(session, request, desk)
        content = session.exec(
            select(FeedArchive.content).where(
                FeedArchive.authority_id == desk.authority_id, FeedArchive.version_id == version.id
            )
        ).one()
    headers = {"Content-Disposition": f'attachment; filename="{desk.authority.slug}-{version.number}.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


def send_report_json(request: Request, desk: Desk) -> Response:
    """The report of a version, for programs."""
    with desk.services.database.read() as session:
        return JSONResponse(json.loads(_version(session, request, desk).report))


def send_report_csv(request: Request, desk: Desk) -> Response:
    """The report of a version as a spreadsheet."""
    with desk.services.database.read() as session:
        version = _version(session, request, desk)
    return csv_response(read_report(version.report), f"relatorio-versao-{version.number}.csv")


def _confirm(request: Request, desk: Desk, errors: FormErrors | None = None, stale: bool = False) -> Response:
    with desk.services.database.read() as session:
        context = _context(session, request, desk)
    context |= {"errors": errors or FormErrors(), "stale": stale, "values": desk.form.values}
    status = 409 if stale else 422 if errors else 200
    return render_desk(request, desk, "staff/feeds/publish.html", context, status)


def _context(session: Session, request: Request, desk: Desk) -> dict[str, Any]:
    version = _version(session, request, desk)
    present = published_number(session, desk.authority_id)
    return {
        **FEED_WORDS,
        "row": describe(version),
        "version": version,
        "present": present,
        "expected": present or NOTHING,
        "difference": describe_difference(session, version, desk.today),
        "report": read_report(version.report),
        "report_address": f"/equipe/horarios/{version.number}",
    }


def _version(session: Session, request: Request, desk: Desk) -> FeedVersion:
    try:
        return get_version(session, desk.authority_id, request.path_params["number"])
    except UnknownVersion:
        raise HTTPException(404) from None


def _expected(desk: Desk) -> int | None:
    """The number that was published when the form was drawn."""
    return whole_number(desk.form.text("esperada", 10)) or None


def _read_day(desk: Desk, errors: FormErrors) -> date | None:
    """The day chosen; None when it is to be now."""
    if desk.form.text("quando", 10) != "dia":
        return None
    day = read_day(desk.form.text("dia", 10))
    if day is None:
        errors.add("dia", "Escreva o dia em que a versão passa a valer")
    elif day <= desk.today:
        errors.add("dia", "Escolha um dia depois de hoje, ou publique agora")
    return day


ROUTES = (
    StaffRoute("/horarios/{number:int}", show_version, PERMISSION),
    StaffRoute("/horarios/{number:int}/publicar", publish_version, PERMISSION, ("GET", "POST")),
    StaffRoute("/horarios/{number:int}/desmarcar", unplan_version, PERMISSION, ("POST",)),
    StaffRoute("/horarios/{number:int}/tarifas", switch_fares, PERMISSION, ("POST",)),
    StaffRoute("/horarios/{number:int}/gtfs.zip", send_zip, PERMISSION),
    StaffRoute("/horarios/{number:int}/relatorio.json", send_report_json, PERMISSION),
    StaffRoute("/horarios/{number:int}/relatorio.csv", send_report_csv, PERMISSION),
)
