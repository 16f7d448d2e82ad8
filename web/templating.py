"""Pages from templates: one strict environment, what every template can call, and parts of pages for htmx."""

import hashlib
from collections.abc import Mapping
from functools import partial
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
from web.static_files import StaticFiles

FOLDER = Path(__file__).resolve().parent / "templates"


def make_environment(static: StaticFiles, settings: Settings) -> Environment:
    """Build the environment; its globals work inside blocks too, where imports of a template do not reach."""
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
        static_url=static.url,
        town_url=town_url,
        nav_links=nav_links,
        absolute_url=partial(absolute_url, settings.public_url),
        csrf_field=csrf_field,
        demo=settings.demo,
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


def fingerprint(static: StaticFiles) -> str:
    """A short name of what this build would render: version, templates and static files."""
    digest = hashlib.sha256(version("selo").encode())
    for path in sorted(FOLDER.rglob("*.html")):
        digest.update(path.read_bytes())
    for name, file in static.files.items():
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

    Templates always have `request`, `authority` (None outside a town), `errors` (FormErrors) and `values`
    (a mapping); `context` overrides them. A missing name raises jinja2.UndefinedError.
    """
    environment: Environment = request.app.state.templates
    full: dict[str, Any] = {
        "request": request,
        "authority": getattr(request.state, "authority", None),
        "errors": FormErrors(),
        "values": {},
        **(context or {}),
    }
    if block_name and is_fragment_request(request):
        html = render_block(environment, name, block_name, full)
    else:
        html = environment.get_template(name).render(full)
    response = HTMLResponse(html, status_code=status_code, headers=headers)
    if block_name:
        response.headers.add_vary_header(VARY)
    return response
