"""The town that an address starts with."""

import re
import unicodedata

from sqlmodel import select
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request

from complaints.authorities.tables import Authority
from web.services import Services

RESERVED = ("api", "equipe", "metricas", "S", "s", "saude", "static", "webhooks")
"""First parts of addresses that no town can have as its slug."""
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_SLUG = 60


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
    """Return the authority of a slug, or None; what cannot be a slug never reaches the database."""
    if len(slug) > MAX_SLUG or not SLUG.fullmatch(slug):
        return None
    services: Services = request.app.state.services
    with services.database.read() as session:
        town = session.exec(select(Authority).where(Authority.slug == slug)).one_or_none()
    if town is not None:
        request.state.authority = town
    return town


def list_towns(request: Request) -> tuple[Authority, ...]:
    """Every authority served here, by name without regard to accents."""
    services: Services = request.app.state.services
    with services.database.read() as session:
        towns = session.exec(select(Authority)).all()
    return tuple(sorted(towns, key=lambda town: fold(town.town)))


def fold(text: str) -> str:
    """Lower case without accents, for sorting and comparing; databases sort accents wrongly."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))
