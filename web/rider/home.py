"""The first page of the deployment and the first page of each town."""

import re

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gtfs.alerts import list_active
from web.forms import FormErrors, query_text
from web.rider.town import get_town, list_towns
from web.services import Services
from web.templating import render


def show_home(request: Request) -> Response:
    """What Selo is, the towns, and a field for the code of a seal."""
    return render(request, "rider/home.html", {"towns": list_towns(request)})


def show_town(request: Request) -> Response:
    """The four things people come for, in one town, below the alerts that hold."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        alerts = list_active(session, town.id, services.clock())
    return render(request, "rider/town.html", {"alerts": alerts})


def find_seal(request: Request) -> Response:
    """Send the typed code of a seal to its page; blanks and dashes are forgiven there and here."""
    typed = query_text(request, "codigo", 40)
    code = re.sub(r"[^0-9A-Za-z]", "", typed).upper()
    if code:
        return RedirectResponse(f"/s/{code}", status_code=303)
    errors = FormErrors()
    errors.add("codigo", "Digite o código que está no selo")
    context = {"towns": list_towns(request), "errors": errors, "values": {"codigo": typed}}
    return render(request, "rider/home.html", context, status_code=422)


routes: list[BaseRoute] = [
    Route("/", show_home, name="home"),
    Route("/s", find_seal, name="find_seal"),
    Route("/S", find_seal, name="find_seal_in_capitals"),
    Route("/{a:town}/", show_town, name="town"),
]
