"""Replacing one file inside the feed: chosen, looked at as a difference, then a version of its own."""

from collections.abc import Sequence

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gtfs.archive import MEGABYTE, Limits, open_archive
from gtfs.checks.notices import Notices
from gtfs.repacking import replace_files
from gtfs.specification import load_specification
from gtfs.tables import FeedVersion
from gtfs.uploads import NewUpload, NotProposed, UnknownUpload, decide_proposal
from gtfs.versions import UnknownVersion, get_version, get_version_archive
from web.forms import FormErrors
from web.staff.feeds import LARGEST, PERMISSION, keep_upload, who
from web.staff.routing import Desk, StaffRoute, render_desk

LARGEST_FILE = 128 * MEGABYTE
"""Bytes of one file before it is packed."""


def replace_file(request: Request, desk: Desk) -> Response:
    """Choose the file and send the new one; what it changes is shown before anything is kept as a version."""
    with desk.services.database.read() as session:
        version, archive = _get(session, request, desk)
    names = list_names(archive)
    if request.method != "POST":
        return _page(request, desk, version, names, FormErrors())
    errors = FormErrors()
    name, files = desk.form.text("nome", 60), desk.form.files("arquivo")
    if name not in dict(names):
        errors.add("nome", "Escolha qual arquivo será trocado")
    if not files:
        errors.add("arquivo", "Escolha o arquivo novo. Um arquivo vazio não serve.")
    elif files[0].content.startswith(b"PK\x03\x04"):
        errors.add("arquivo", "Este é um .zip: para mandar a rede inteira use Horários, Enviar um arquivo GTFS")
    if errors:
        return _page(request, desk, version, names, errors)
    content = replace_files(archive, {name: files[0].content})
    if len(content) > LARGEST:
        errors.add("arquivo", f"Com este arquivo a rede passa de {LARGEST // MEGABYTE} MB")
        return _page(request, desk, version, names, errors)
    source = f"{name} da versão {version.number}"
    upload = NewUpload(desk.authority_id, "file", source, content, who(desk), base_id=version.id)
    return keep_upload(desk, upload, errors) or _page(request, desk, version, names, errors)


def decide(request: Request, desk: Desk) -> Response:
    """The clerk's word on a replaced file after the look at what it changes."""
    number = request.path_params["number"]
    try:
        with desk.services.database.write() as session:
            decide_proposal(session, desk.authority_id, number, desk.form.text("trocar", 5) == "sim", desk.now)
    except UnknownUpload:
        raise HTTPException(404) from None
    except NotProposed:
        pass  # decided already: its page says how
    return RedirectResponse(f"/equipe/horarios/envios/{number}", status_code=303)


def list_names(archive: bytes) -> Sequence[tuple[str, str]]:
    """The files that may be replaced or added: those of the standard, the ones in the zip first."""
    opened = open_archive(archive, "", Limits(), Notices())
    if opened is None:
        return ()
    with opened:
        inside = set(opened.members)
    known = sorted(load_specification(), key=lambda name: (name not in inside, name))
    return tuple((name, name if name in inside else f"{name} (não há nesta versão)") for name in known)


def _page(
    request: Request, desk: Desk, version: FeedVersion, names: Sequence[tuple[str, str]], errors: FormErrors
) -> Response:
    context = {"version": version, "names": names, "errors": errors, "values": desk.form.values}
    return render_desk(request, desk, "staff/feeds/file.html", context, 422 if errors else 200)


def _get(session: Session, request: Request, desk: Desk) -> tuple[FeedVersion, bytes]:
    try:
        version = get_version(session, desk.authority_id, request.path_params["number"])
    except UnknownVersion:
        raise HTTPException(404) from None
    return version, get_version_archive(session, desk.authority_id, version.id)


ROUTES = (
    StaffRoute(
        "/horarios/{number:int}/arquivos",
        replace_file,
        PERMISSION,
        ("GET", "POST"),
        max_files=1,
        max_body_size=LARGEST_FILE,
    ),
    StaffRoute("/horarios/envios/{number:int}/decidir", decide, PERMISSION, ("POST",)),
)
