"""What stands between a request and a page of the desk: a live session, a permission, and a form that is ours."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from complaints.authorities.calendar import local_date
from complaints.authorities.tables import Authority
from complaints.cases.handling import Act
from complaints.staff.accounts import StaffMember
from complaints.staff.permissions import permissions
from complaints.staff.sessions import SignedIn, find_session, touch_session
from web.caching import no_store
from web.csrf import FIELD, SAFE_METHODS, require_csrf, session_secret
from web.errors import Refused
from web.forms import Form, read_form
from web.htmx import go_to
from web.services import Services
from web.staff.words import TEMPLATE_WORDS
from web.templating import render

PREFIX = "/equipe"
COOKIE = "selo_equipe"
SIGN_IN = f"{PREFIX}/entrar"


@dataclass(frozen=True)
class Desk:
    """Who is at work, for which authority, when; `form` is what was posted, already proven to be ours."""

    member: StaffMember
    authority: Authority
    services: Services
    now: datetime
    form: Form

    @property
    def authority_id(self) -> int:
        """The authority whose rows this person may see, and no other's."""
        return self.member.authority_id

    @property
    def today(self) -> date:
        """The authority's date."""
        return local_date(self.authority, self.now)

    @property
    def act(self) -> Act:
        """This person acting now, for complaints.cases.handling."""
        return Act(self.services.keyring, self.authority, self.member.id, self.now)

    def may(self, permission: str) -> bool:
        """Whether this person may do it."""
        return self.member.may(permission)


DeskPage = Callable[[Request, Desk], Response]


@dataclass(frozen=True)
class StaffRoute:
    """One address of the desk below /equipe: what answers it, and the permission it demands of everybody.

    `max_body_size` in bytes and `max_files` are for forms with files; None and 0 mean the usual limits.
    """

    path: str
    page: DeskPage
    permission: str
    methods: tuple[str, ...] = ("GET",)
    max_files: int = 0
    max_body_size: int | None = None

    def __post_init__(self) -> None:
        """Refuse a permission that does not exist when the program starts, not when somebody knocks."""
        if self.permission not in permissions():
            raise ValueError(f"{self.path} demands the unknown permission {self.permission!r}")

    def build(self) -> Route:
        """The route for the application, guarded."""
        extra: dict[str, Any] = {} if self.max_body_size is None else {"max_body_size": self.max_body_size}
        return Route(PREFIX + self.path, partial(_guarded, self), methods=list(self.methods), **extra)


def render_desk(
    request: Request,
    desk: Desk,
    name: str,
    context: dict[str, Any] | None = None,
    status_code: int = 200,
    *,
    block_name: str | None = None,
) -> Response:
    """Answer with a template of the desk; it always has `desk` and the words of web.staff.words."""
    full = {**TEMPLATE_WORDS, "desk": desk, **(context or {})}
    return render(request, name, full, status_code, block_name=block_name)


def cookie_token(request: Request) -> str:
    """The token of the session cookie; empty without one."""
    return request.cookies.get(COOKIE, "")


def find_signed_in(request: Request) -> tuple[SignedIn, Authority] | None:
    """The live session of a request with its authority, noting that it is in use."""
    token = cookie_token(request)
    if not token:
        return None
    services: Services = request.app.state.services
    now = services.clock()
    with services.database.read() as session:
        found = find_session(session, token, now)
        authority = session.get(Authority, found.member.authority_id) if found else None
    if found is None or authority is None:
        return None
    if found.stale:
        with services.database.write() as session:
            touch_session(session, token, now)
    return found, authority


def _guarded(route: StaffRoute, request: Request) -> Response:
    signed_in = find_signed_in(request)
    if signed_in is None:
        return no_store(go_to(request, _sign_in_address(request)))
    found, authority = signed_in
    services: Services = request.app.state.services
    request.state.authority = authority
    request.state.csrf_secret = session_secret(services.settings.secret_key, found.session_name)
    if not found.member.may(route.permission):
        raise _refuse(route.permission)
    form = Form({}, {})
    if request.method not in SAFE_METHODS:
        form = read_form(request, max_files=route.max_files)
        require_csrf(request, form.text(FIELD))
    desk = Desk(found.member, authority, services, services.clock(), form)
    return no_store(route.page(request, desk))


def _sign_in_address(request: Request) -> str:
    """Where to sign in; only the address of a page, never of a form, is come back to."""
    if request.method not in SAFE_METHODS:
        return SIGN_IN
    here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return f"{SIGN_IN}?volta={quote(here, safe='/')}"


def _refuse(permission: str) -> Refused:
    return Refused(
        403,
        "Você não tem permissão para isto",
        f"Esta página é para quem pode {permissions()[permission]}.",
        "Se o seu trabalho precisa disso, peça a permissão a quem administra o sistema.",
    )
