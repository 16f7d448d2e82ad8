"""The town's feed for other software: the zip exactly as it was published, with generated fares where asked."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.tables import Authority
from gtfs.archives import ArchiveEntry, find_archive, read_archive
from gtfs.repacking import replace_files
from web import fares_files
from web.caching import MAX_AGE, PageMemory
from web.entity_tags import matches
from web.formats import local_time
from web.ranges import Part, Unsatisfiable, may_send_part, read_ranges
from web.rider.town import get_town
from web.rider.town_feed import get_feed
from web.services import Services

EARLIER_MAX_AGE = 24 * 60 * 60
"""What was published once does not change."""
MOST_VERSIONS = 2**31 - 1
ZIP = "application/zip"

_repacked = PageMemory(128 * 1024 * 1024)
"""Zips with generated fares, by the hashes of zip and fares: the same in every application of a process."""


@dataclass(frozen=True)
class Download:
    """A file to be sent, whole or in parts; `modified` is blank when only the tag tells versions apart."""

    name: str
    tag: str
    size: int
    modified: str
    max_age: int
    read: Callable[[int, int], bytes]

    @property
    def headers(self) -> dict[str, str]:
        """What is said of the file whichever part is sent."""
        kept = {"ETag": self.tag, "Cache-Control": f"public, max-age={self.max_age}", "Accept-Ranges": "bytes"}
        return {**kept, "Last-Modified": self.modified} if self.modified else kept


def send_feed(request: Request) -> Response:
    """The published zip; 304 when the client has it already, a part of it when the client asks for one."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        get_feed(session, town)
        entry = find_archive(session, town.id or 0)
        if entry is None:
            raise HTTPException(404)
        today = local_time(services.clock(), town).date()
        made = _with_fares(session, town, entry, today, services.settings.public_url)
        return send(request, made or _as_it_came(session, entry, _name(town)))


def send_earlier_feed(request: Request) -> Response:
    """The zip of any version that was published once, as it came."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        number: int = request.path_params["number"]
        entry = find_archive(session, town.id or 0, number) if number <= MOST_VERSIONS else None
        if entry is None:
            raise HTTPException(404)
        return send(request, _as_it_came(session, entry, f"{town.slug}-gtfs-{entry.number}.zip", EARLIER_MAX_AGE))


def send(request: Request, file: Download) -> Response:
    """Answer with a file by the preconditions and ranges of the request (RFC 9110, 13.2.2)."""
    if _is_known(request, file):
        return Response(status_code=304, headers=file.headers)
    headers = {**file.headers, "Content-Disposition": f'attachment; filename="{file.name}"'}
    if request.method == "HEAD":
        return Response(media_type=ZIP, headers={**headers, "Content-Length": str(file.size)})
    asked = may_send_part(request.headers.get("if-range"), file.tag, file.modified or None)
    try:
        parts = read_ranges(request.headers.get("range") if asked else None, file.size)
    except Unsatisfiable:
        return Response(status_code=416, headers={**file.headers, "Content-Range": f"bytes */{file.size}"})
    if len(parts) > 1:
        return _send_parts(file, parts, headers)
    if parts:
        headers["Content-Range"] = parts[0].content_range(file.size)
        body = file.read(parts[0].start, parts[0].length)
        return Response(body, status_code=206, media_type=ZIP, headers=headers)
    return Response(file.read(0, file.size), media_type=ZIP, headers=headers)


def _send_parts(file: Download, parts: tuple[Part, ...], headers: dict[str, str]) -> Response:
    """Several parts as multipart/byteranges; the boundary comes from the tag, which no zip contains."""
    boundary = sha256(file.tag.encode()).hexdigest()[:32]
    body = b"".join(
        f"\r\n--{boundary}\r\nContent-Type: {ZIP}\r\n".encode()
        + f"Content-Range: {part.content_range(file.size)}\r\n\r\n".encode()
        + file.read(part.start, part.length)
        for part in parts
    )
    media_type = f"multipart/byteranges; boundary={boundary}"
    return Response(body + f"\r\n--{boundary}--\r\n".encode(), 206, headers, media_type)


def _is_known(request: Request, file: Download) -> bool:
    """Whether the client's copy is the file as it is (RFC 9110, 13.1): the tag decides where it is given."""
    tag = request.headers.get("if-none-match")
    if tag is not None:
        return matches(tag, file.tag)
    if not file.modified:
        return False
    try:
        since = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
        return since >= parsedate_to_datetime(file.modified)
    except (ValueError, TypeError):
        return False


def _name(town: Authority) -> str:
    return f"{town.slug}-gtfs.zip"


def _as_it_came(session: Session, entry: ArchiveEntry, name: str, max_age: int = MAX_AGE) -> Download:
    def read(start: int, length: int) -> bytes:
        return read_archive(session, entry, *(() if length == entry.size else (start, length)))

    modified = format_datetime(entry.shown_at, usegmt=True)
    return Download(name, f'"{entry.sha256}"', entry.size, modified, max_age, read)


def _with_fares(
    session: Session, town: Authority, entry: ArchiveEntry, day: date, public_url: str
) -> Download | None:
    """The zip with generated fares; None when the version has none, or there are none to generate."""
    files = fares_files.list_fare_files(session, town, entry, day, public_url) if entry.with_fares else {}
    if not files:
        return None
    digest = sha256(entry.sha256.encode())
    for file, content in sorted(files.items()):
        digest.update(repr((file, content)).encode())
    key = digest.hexdigest()
    found = _repacked.find(key)
    body = found[0] if found else replace_files(read_archive(session, entry), files)
    if not found:
        _repacked.keep(key, body, ZIP)
    tag = f'"{sha256(body).hexdigest()}"'
    return Download(_name(town), tag, len(body), "", MAX_AGE, lambda start, length: body[start : start + length])


routes: list[BaseRoute] = [
    Route("/{a:town}/gtfs.zip", send_feed, name="feed_zip"),
    Route("/{a:town}/gtfs/{number:int}.zip", send_earlier_feed, name="earlier_feed_zip"),
]
