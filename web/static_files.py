"""The static folder, read and compressed once at start-up and served with addresses that name the content."""

import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from web.encodings import choose_encoding, compress
from web.entity_tags import entity_tag, matches

FOLDER = Path(__file__).resolve().parent.parent / "static"
FOREVER = "public, max-age=31536000, immutable"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True)
class StaticFile:
    """One file: its type, the start of its SHA-256, and its bytes by content encoding."""

    media_type: str
    digest: str
    bodies: Mapping[str, bytes]


class StaticFiles:
    """All files of a folder by their path below it, `/` between the parts; hidden ones are left out."""

    def __init__(self, folder: Path = FOLDER) -> None:
        paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
        self.files = {path.relative_to(folder).as_posix(): _load(path) for path in paths}

    def url(self, name: str) -> str:
        """The address of a file, changing with its content; raises KeyError on an unknown name."""
        return f"/static/{name}?v={self.files[name].digest}"

    def answer(self, request: Request) -> Response:
        """Serve a file; only the address with the right digest may be kept for ever."""
        file = self.files.get(request.path_params["name"])
        if file is None:
            raise HTTPException(404)
        current = request.query_params.get("v") == file.digest
        tag = entity_tag(file.digest)
        headers = {
            "ETag": tag,
            "Cache-Control": FOREVER if current else "no-cache",
            "Vary": "Accept-Encoding",
        }
        if matches(request.headers.get("if-none-match"), tag):
            return Response(status_code=304, headers=headers)
        encoding = choose_encoding(request.headers.get("accept-encoding", ""), file.bodies)
        if encoding != "identity":
            headers["Content-Encoding"] = encoding
        return Response(file.bodies[encoding], headers=headers, media_type=file.media_type)

    @property
    def routes(self) -> list[BaseRoute]:
        """The route that serves the folder."""
        return [Route("/static/{name:path}", self.answer, name="static")]


@cache
def load_static_files() -> StaticFiles:
    """The project's own static files, read once in a process."""
    return StaticFiles()


def _load(path: Path) -> StaticFile:
    content = path.read_bytes()
    media_type = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    bodies = {"identity": content}
    for encoding in ("br", "gzip"):
        smaller = compress(content, encoding, best=True)
        if len(smaller) < len(content):
            bodies[encoding] = smaller
    return StaticFile(media_type, hashlib.sha256(content).hexdigest()[:12], bodies)
