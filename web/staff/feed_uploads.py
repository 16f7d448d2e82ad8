"""The page that follows an upload: how far it is, then its report, also as JSON and as CSV."""

import json
from datetime import timedelta

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gtfs.checks.notices import Report, report_from_json
from gtfs.checks.report_csv import report_to_csv
from gtfs.clerk_tables import READY, REFUSED, WAITING, WORKING, FeedUpload
from gtfs.file_difference import FileDifference, difference_from_json
from gtfs.tables import FeedVersion
from gtfs.uploads import UnknownUpload, get_upload
from web.staff.feed_words import FEED_WORDS
from web.staff.feeds import PERMISSION, describe
from web.staff.routing import Desk, StaffRoute, render_desk

PATIENCE = timedelta(minutes=1)
"""Longer in the queue than this, and the page says that the worker seems to stand still."""


def show_upload(request: Request, desk: Desk) -> Response:
    """Progress while the worker has it (the page asks again by itself), then what came of it."""
    upload = _get(request, desk)
    with desk.services.database.read() as session:
        version = session.get(FeedVersion, (desk.authority_id, upload.version_id)) if upload.version_id else None
    context = {
        **FEED_WORDS,
        "upload": upload,
        "row": describe(version) if version else None,
        "known_before": version is not None and version.created_at < upload.created_at,
        "report": read_report(upload.report) if upload.report else None,
        "changes": _read_difference(upload.report),
        "report_address": f"/equipe/horarios/envios/{upload.number}",
        "is_open": upload.state in (WAITING, WORKING),
        "stands_still": upload.state == WAITING and desk.now - upload.created_at > PATIENCE,
    }
    return render_desk(request, desk, "staff/feeds/upload.html", context, block_name="progress")


def send_upload_json(request: Request, desk: Desk) -> Response:
    """State and report of an upload, for programs."""
    upload = _get(request, desk)
    return JSONResponse(
        {
            "number": upload.number,
            "state": upload.state,
            "step": upload.step,
            "report": json.loads(upload.report) if upload.report else None,
        }
    )


def send_upload_csv(request: Request, desk: Desk) -> Response:
    """The report as a spreadsheet."""
    upload = _get(request, desk)
    if upload.state not in (READY, REFUSED) or not upload.report:
        raise HTTPException(404)
    return csv_response(read_report(upload.report), f"relatorio-envio-{upload.number}.csv")


def _read_difference(report: str | None) -> FileDifference | None:
    found = json.loads(report).get("difference") if report else None
    return difference_from_json(found) if found else None


def read_report(text: str) -> Report:
    """The report stored as JSON text."""
    return report_from_json(json.loads(text))


def csv_response(report: Report, name: str) -> Response:
    """A report as a file to open in a spreadsheet."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(report_to_csv(report), media_type="text/csv; charset=utf-8", headers=headers)


def _get(request: Request, desk: Desk) -> FeedUpload:
    try:
        with desk.services.database.read() as session:
            return get_upload(session, desk.authority_id, request.path_params["number"])
    except UnknownUpload:
        raise HTTPException(404) from None


ROUTES = (
    StaffRoute("/horarios/envios/{number:int}", show_upload, PERMISSION),
    StaffRoute("/horarios/envios/{number:int}/relatorio.json", send_upload_json, PERMISSION),
    StaffRoute("/horarios/envios/{number:int}/relatorio.csv", send_upload_csv, PERMISSION),
)
