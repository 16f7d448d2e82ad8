"""`/{a}/dados/selagem`: the checkpoints anybody can recompute, as a page and as JSON."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from complaints.cases.chain import instant
from complaints.cases.checkpoints import PublicCheckpoint, list_checkpoints
from web.rider.town import get_town
from web.services import Services
from web.templating import render

SHOWN = 100


def show_proof(request: Request) -> Response:
    """The newest checkpoints, and how to check a receipt against them."""
    return render(request, "complaints/proof.html", {"checkpoints": _checkpoints(request), "instant": instant})


def proof_as_json(request: Request) -> Response:
    """The same for programs: hashes in hexadecimal, instants in UTC."""
    rows = [
        {
            "number": row.number,
            "at": instant(row.at),
            "previous": row.previous.hex(),
            "case_heads": [head.hex() for head in row.case_heads],
            "head": row.head.hex(),
        }
        for row in _checkpoints(request)
    ]
    return JSONResponse({"authority_id": request.state.authority.id, "checkpoints": rows})


def _checkpoints(request: Request) -> tuple[PublicCheckpoint, ...]:
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        return list_checkpoints(session, town.id, SHOWN)


routes: list[BaseRoute] = [
    Route("/{a:town}/dados/selagem", show_proof, name="proof"),
    Route("/{a:town}/dados/selagem.json", proof_as_json),
]
