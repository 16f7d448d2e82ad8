"""The first page of the desk: straight to one's work, or to what one may do."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from complaints.staff.permissions import permissions, permissions_of, roles
from web.forms import query_text
from web.staff.routing import Desk, StaffRoute, render_desk

FIRST_PAGES = (
    (frozenset({"case.classify"}), "/equipe/casos"),
    (frozenset({"inspection.record"}), "/equipe/vistorias"),
    (frozenset({"case.read"}), "/equipe/casos"),
    (frozenset({"feed.publish"}), "/equipe/horarios"),
)
"""The first row whose permissions a person has is where their work is."""


def show_home(request: Request, desk: Desk) -> Response:
    """Send people with cases or inspections to them; tell the others what their role lets them do."""
    done = query_text(request, "feito", 20)
    held = permissions_of(desk.member.roles)
    if not done:
        for needed, address in FIRST_PAGES:
            if needed <= held:
                return RedirectResponse(address, status_code=303)
    context = {
        "done": "Senha trocada. As outras sessões foram encerradas." if done == "senha" else "",
        "roles": [roles()[name].label for name in desk.member.roles if name in roles()],
        "may": [words for name, words in permissions().items() if name in held and name != "desk.enter"],
    }
    return render_desk(request, desk, "staff/home.html", context)


ROUTES = (StaffRoute("/", show_home, "desk.enter"),)
