"""Coming in and going out: the log-in form with its limits, log-out, and the person's own password."""

import re
from datetime import timedelta

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from complaints.staff.accounts import get_account, set_password
from complaints.staff.passwords import MIN_LENGTH, WeakPassword, hash_password, verify_password
from complaints.staff.sessions import LONGEST, close_session, open_session
from complaints.staff.signing_in import TooManyAttempts, begin_sign_in, finish_sign_in
from web.caching import no_store
from web.csrf import FIELD, require_csrf, session_secret
from web.forms import FormErrors, query_text, read_form
from web.security import address_block, client_address
from web.services import Services
from web.staff.routing import COOKIE, PREFIX, SIGN_IN, Desk, StaffRoute, cookie_token, find_signed_in, render_desk
from web.staff.words import duration
from web.templating import render

WRONG = "O e-mail ou a senha não confere. Confira os dois e tente de novo."
WEAK = {
    "short": f"Use pelo menos {MIN_LENGTH} caracteres. Uma frase curta é fácil de lembrar.",
    "long": "Use no máximo 200 caracteres.",
    "email": "A senha não pode ser o seu e-mail.",
    "repeated": "Use letras mais variadas.",
}
_RETURN = re.compile(r"/equipe/[A-Za-z0-9/_-]*(\?[A-Za-z0-9=&%_.+-]*)?\Z")


def show_sign_in(request: Request) -> Response:
    """The log-in form; whoever is in already goes to the desk."""
    if find_signed_in(request) is not None:
        return no_store(RedirectResponse(f"{PREFIX}/", status_code=303))
    return _sign_in_page(request, {"volta": safe_return(query_text(request, "volta", 400))}, FormErrors())


def sign_in(request: Request) -> Response:
    """Check e-mail and password; an unknown address answers as a wrong password does, and as slowly."""
    form = read_form(request)
    email, password = form.text("email", 200), form.text("senha", 1000)
    values = {"email": email, "volta": safe_return(form.text("volta", 400))}
    errors = FormErrors()
    if not email:
        errors.add("email", "Digite o seu e-mail")
    if not password:
        errors.add("senha", "Digite a sua senha")
    if errors:
        return _sign_in_page(request, values, errors, 422)
    try:
        token = _check(request, email, password)
    except TooManyAttempts as refused:
        return _too_many_page(request, values, refused.wait)
    if token is None:
        errors.add("senha", WRONG)
        return _sign_in_page(request, values, errors, 422)
    response = RedirectResponse(values["volta"] or f"{PREFIX}/", status_code=303)
    set_cookie(request, response, token)
    return no_store(response)


def sign_out(request: Request) -> Response:
    """End the session on the server and forget the cookie; without a session there is nothing to prove."""
    signed_in = find_signed_in(request)
    services: Services = request.app.state.services
    if signed_in is not None:
        request.state.csrf_secret = session_secret(services.settings.secret_key, signed_in[0].session_name)
        require_csrf(request, read_form(request).text(FIELD))
        with services.database.write() as session:
            close_session(session, cookie_token(request))
    response = RedirectResponse(SIGN_IN, status_code=303)
    response.delete_cookie(COOKIE, path=PREFIX)
    return no_store(response)


def change_password(request: Request, desk: Desk) -> Response:
    """Change one's own password; every other session of this person ends."""
    if request.method != "POST":
        return render_desk(request, desk, "staff/password.html", {"changed": False})
    services, errors = desk.services, FormErrors()
    current, new = desk.form.text("atual", 1000), desk.form.text("nova", 1000)
    with services.database.read() as session:
        stored = get_account(session, desk.authority_id, desk.member.email).password_hash
    if not verify_password(current, stored):
        errors.add("atual", "A senha atual não confere.")
    try:
        new_hash = hash_password(new, desk.member.email)
    except WeakPassword as weak:
        errors.add("nova", WEAK[weak.reason])
    if errors:
        return render_desk(request, desk, "staff/password.html", {"changed": False, "errors": errors}, 422)
    with services.database.write() as session:
        staff = get_account(session, desk.authority_id, desk.member.email)
        set_password(session, staff, new_hash)
        token = open_session(session, staff, desk.now)
    response = RedirectResponse(f"{PREFIX}/?feito=senha", status_code=303)
    set_cookie(request, response, token)
    return response


def set_cookie(request: Request, response: Response, token: str) -> None:
    """The session cookie: unreadable for scripts, sent only below /equipe, only over HTTPS where we have it."""
    services: Services = request.app.state.services
    response.set_cookie(
        COOKIE,
        token,
        max_age=int(LONGEST.total_seconds()),
        path=PREFIX,
        secure=services.settings.public_url.startswith("https:"),
        httponly=True,
        samesite="lax",
    )


def safe_return(address: str) -> str:
    """The address to come back to, if it is a page of the desk; otherwise nothing."""
    return address if _RETURN.match(address) and "//" not in address else ""


def _check(request: Request, email: str, password: str) -> str | None:
    """The token of a new session; None when the two do not fit. Raises TooManyAttempts."""
    services: Services = request.app.state.services
    now, block = services.clock(), address_block(client_address(request))
    with services.database.write() as session:
        challenge = begin_sign_in(session, services.keyring, email, block, now)
    if not verify_password(password, challenge.password_hash):
        return None
    with services.database.write() as session:
        close_session(session, cookie_token(request))
        return finish_sign_in(session, services.keyring, challenge, now)


def _sign_in_page(
    request: Request, values: dict[str, str], errors: FormErrors, status_code: int = 200, wait: str = ""
) -> Response:
    context = {"values": values, "errors": errors, "wait": wait}
    return no_store(render(request, "staff/sign_in.html", context, status_code))


def _too_many_page(request: Request, values: dict[str, str], wait: timedelta) -> Response:
    response = _sign_in_page(request, values, FormErrors(), 429, duration(wait.total_seconds()))
    response.headers["Retry-After"] = str(int(wait.total_seconds()) + 1)
    return response


OPEN_ROUTES = (
    Route(SIGN_IN, show_sign_in, methods=["GET"]),
    Route(SIGN_IN, sign_in, methods=["POST"]),
    Route(f"{PREFIX}/sair", sign_out, methods=["POST"]),
)
"""The only addresses below /equipe that demand no permission."""

ROUTES = (StaffRoute("/senha", change_password, "desk.enter", ("GET", "POST")),)
