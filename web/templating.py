"""Pages from templates: one strict environment, what every template can call, and parts of pages for htmx."""

import hashlib
from collections.abc import Mapping
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2_fragments import render_block
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from web import formats
from web.addresses import absolute_url, nav_links, town_url
from web.csrf import csrf_field
from web.forms import FormErrors
from web.htmx import VARY, is_fragment_request
from web.settings import Settings
from web.static_files import load_static_files

FOLDER = Path(__file__).resolve().parent / "templates"


@cache
def load_environment() -> Environment:
    """The environment, built once; its globals work inside blocks, where imports of a template do not."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    environment.globals.update(
        static_url=load_static_files().url,
        town_url=town_url,
        nav_links=nav_links,
        csrf_field=csrf_field,
        moment=formats.moment_in_words,
        local_day=formats.local_day_in_words,
        day=formats.day_in_words,
        weekday=formats.weekday_in_words,
        clock=formats.clock_in_words,
        money=formats.money,
        phone=formats.phone_in_words,
        phone_link=formats.phone_link,
    )
    environment.globals["ui"] = environment.get_template("components.html").module
    return environment


@cache
def fingerprint() -> str:
    """A short name of what this build would render: version, templates and static files."""
    digest = hashlib.sha256(version("selo").encode())
    for path in sorted(FOLDER.rglob("*.html")):
        digest.update(path.read_bytes())
    for name, file in load_static_files().files.items():
        digest.update(f"{name}{file.digest}".encode())
    return digest.hexdigest()[:12]


def render(
    request: Request,
    name: str,
    context: Mapping[str, Any] | None = None,
    status_code: int = 200,
    headers: Mapping[str, str] | None = None,
    *,
    block_name: str | None = None,
) -> Response:
    """Answer with a template, or with its block `block_name` alone when htmx asked for a part.

    `context` comes over what `standard_context` gives. A missing name raises jinja2.UndefinedError.
    """
    environment = load_environment()
    full = {**standard_context(request), **(context or {})}
    if block_name and is_fragment_request(request):
        html = render_block(environment, name, block_name, full)
    else:
        html = environment.get_template(name).render(full)
    response = HTMLResponse(html, status_code=status_code, headers=headers)
    if block_name:
        response.headers.add_vary_header(VARY)
    return response


def standard_context(request: Request) -> dict[str, Any]:
    """What every template has: `request`, `authority` (None outside a town), `demo`, and empty form state."""
    settings: Settings = request.app.state.services.settings
    preview = getattr(request.state, "preview", None)
    return {
        **({} if preview is None else {"town_url": preview.town_url}),
        "previewed": preview,
        "request": request,
        "authority": getattr(request.state, "authority", None),
        "demo": settings.demo,
        "absolute_url": partial(absolute_url, settings.public_url),
        "errors": FormErrors(),
        "values": {},
    }
