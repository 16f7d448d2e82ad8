"""The town that an address starts with."""

import re
import time
from typing import Any

from sqlmodel import select
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request

from complaints.authorities.tables import Authority
from gtfs.folding import fold
from web.services import Services

RESERVED = ("api", "equipe", "metricas", "S", "s", "saude", "static", "webhooks")
"""First parts of addresses that no town can have as its slug."""
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_SLUG = 60
MEMORY_SECONDS = 5
"""How long a process may show a town as it was; reading it costs more than rendering a small page."""


class TownSlug(Convertor[str]):
    """The `town` of a route's `{a:town}`: not one of the first parts that mean something else."""

    regex = f"(?!(?:{'|'.join(RESERVED)})(?:/|$))[a-z0-9-]+"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("town", TownSlug())


def get_town(request: Request) -> Authority:
    """Return the authority of `/{a}/…` and set `request.state.authority`; raises HTTPException 404."""
    town = find_town(request, request.path_params["a"])
    if town is None:
        raise HTTPException(404)
    return town


def find_town(request: Request, slug: str) -> Authority | None:
    """Return the authority of a slug, or None; what cannot be a slug never reaches the database.

    Each request gets a row of its own, at most MEMORY_SECONDS old, that belongs to no session.
    """
    if len(slug) > MAX_SLUG or not SLUG.fullmatch(slug):
        return None
    memory: dict[str, tuple[float, dict[str, Any]]] = request.app.state.towns
    read_at, columns = memory.get(slug, (0.0, {}))
    if not columns or time.monotonic() - read_at > MEMORY_SECONDS:
        columns = _read_columns(request.app.state.services, slug)
        if not columns:
            return None
        memory[slug] = time.monotonic(), columns
    town = Authority(**columns)
    request.state.authority = town
    return town


def list_towns(request: Request) -> tuple[Authority, ...]:
    """Every authority served here, by name without regard to accents, which databases sort wrongly."""
    services: Services = request.app.state.services
    with services.database.read() as session:
        towns = session.exec(select(Authority)).all()
    return tuple(sorted(towns, key=lambda town: fold(town.town)))


def _read_columns(services: Services, slug: str) -> dict[str, Any]:
    with services.database.read() as session:
        town = session.exec(select(Authority).where(Authority.slug == slug)).one_or_none()
        return town.model_dump() if town else {}
