"""The sketch as a whole: made into a feed that is checked and handed over, or filled from the published one."""

import json
from dataclasses import dataclass
from hashlib import sha256

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gtfs.authoring.carrying import TooBig, carry_feed
from gtfs.authoring.feed_making import make_feed, name_version
from gtfs.authoring.gaps import has_serious_gaps, list_gaps, list_line_gaps
from gtfs.authoring.keeping import PartChange
from gtfs.authoring.sketch import AGENCY, DAYS, STOPS, Sketch
from gtfs.authoring.sketch_json import agency_to_json, days_to_json, line_to_json, stops_to_json
from gtfs.checking import check_feed
from gtfs.checks.notices import Notices
from gtfs.publishing import find_published_version
from gtfs.uploads import NewUpload, TooManyUploads, add_upload
from gtfs.versions import get_version_archive
from gtfs.zip_reading import read_feed
from web.errors import Refused
from web.staff.routing import Desk, StaffRoute, render_desk
from web.staff.sketch_desk import HOME, describe_agency, keep, load_sketch

UPLOAD = "/equipe/horarios/envios"
MOST_BYTES = 3_000_000
"""A published zip that is bigger is no small feed, and is not opened here."""


def make_upload(request: Request, desk: Desk) -> Response:
    """Build and check the zip, and on the word of the clerk hand it over as an upload."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
    if has_serious_gaps(sketch, desk.today):
        gaps = [gap.words for gap in list_gaps(sketch, desk.today) if gap.serious]
        gaps += [
            f"Linha {line.code}, {gap.words}"
            for line in sketch.lines
            for gap in list_line_gaps(line, sketch)
            if gap.serious
        ]
        return render_desk(request, desk, "staff/lines/check.html", {"gaps": gaps, "report": None}, 422)
    raw = make_feed(sketch)
    name = f"{desk.authority.slug}-{name_version(sketch)}.zip"
    report = check_feed(raw, name, desk.today)
    seen = sha256(raw).hexdigest()
    confirmed = desk.form.text("confirmar", 64)
    if confirmed == seen and report.accepted:
        return _hand_over(desk, name, raw)
    context = {"gaps": (), "report": report, "seen": seen, "changed": bool(confirmed), "sketch": sketch}
    status = 409 if confirmed else 200 if report.accepted else 422
    return render_desk(request, desk, "staff/lines/check.html", context, status)


def carry_published(request: Request, desk: Desk) -> Response:
    """Fill the empty sketch with what is published, after showing what it cannot hold."""
    with desk.services.database.read() as session:
        sketch = load_sketch(session, desk)
        published = _read_published(session, desk)
    if not sketch.empty:
        raise Refused(
            409,
            "O rascunho não está vazio",
            "As linhas publicadas só vêm para um rascunho sem linhas e sem paradas, para não apagar o trabalho.",
            "Continue com o que está no rascunho, ou apague as linhas e as paradas antes.",
        )
    feed = read_feed(published.raw, f"versao-{published.number}.zip", Notices())
    try:
        carried, losses = carry_feed(feed, describe_agency(desk), sketch)
    except TooBig as big:
        raise _refuse_big(str(big)) from None
    if desk.form.text("confirmar", 10) != str(published.number):
        context = {"number": published.number, "carried": carried, "losses": losses}
        return render_desk(request, desk, "staff/lines/carry.html", context)
    if keep(desk, _list_changes(carried, sketch)):
        return RedirectResponse(HOME, status_code=303)
    return RedirectResponse(f"{HOME}?feito=trazido", status_code=303)


@dataclass(frozen=True)
class _Published:
    number: int
    raw: bytes


def _read_published(session: Session, desk: Desk) -> _Published:
    """The published zip; raises HTTPException 404 when there is none, and Refused when it is too big."""
    version = find_published_version(session, desk.authority_id)
    if version is None:
        raise HTTPException(404)
    if json.loads(version.summary)["bytes"] > MOST_BYTES:
        raise _refuse_big("o arquivo é grande")
    return _Published(version.number, get_version_archive(session, desk.authority_id, version.id))


def _refuse_big(reason: str) -> Refused:
    return Refused(
        409,
        "O que está publicado não cabe aqui",
        f"Este rascunho é para redes pequenas, e {reason}.",
        "Corrija o arquivo GTFS no programa em que ele foi feito e envie-o em Horários.",
    )


def _list_changes(carried: Sketch, before: Sketch) -> list[PartChange]:
    parts = {
        AGENCY: agency_to_json(carried.agency),
        DAYS: days_to_json(carried.days),
        STOPS: stops_to_json(carried.stops),
        **{line.part: line_to_json(line) for line in carried.lines},
    }
    return [PartChange(part, content, before.revision(part)) for part, content in parts.items()]


def _hand_over(desk: Desk, name: str, raw: bytes) -> Response:
    try:
        with desk.services.database.write() as session:
            number = add_upload(
                session, NewUpload(desk.authority_id, "feed", name, raw, desk.member.email), desk.now
            ).number
    except TooManyUploads:
        raise Refused(
            429,
            "Há envios demais esperando",
            "O arquivo não foi enviado, porque outros ainda estão sendo lidos. O rascunho continua aqui.",
            "Espere alguns minutos e gere de novo.",
        ) from None
    return RedirectResponse(f"{UPLOAD}/{number}", status_code=303)


ROUTES = (
    StaffRoute("/linhas/gerar", make_upload, "feed.publish", ("POST",)),
    StaffRoute("/linhas/trazer", carry_published, "feed.publish", ("POST",)),
)
