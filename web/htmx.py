"""What htmx says in a request, whether it wants a part of the page, and what it is told when it cannot have it."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

VARY = "HX-Request, HX-Request-Type"


def is_fragment_request(request: Request) -> bool:
    """Tell whether htmx asked for a part; history restores and whole-body swaps get the whole page."""
    headers = request.headers
    return headers.get("hx-request") == "true" and headers.get("hx-request-type", "partial") != "full"


def go_to(request: Request, address: str) -> Response:
    """Another page instead of the one asked for. A redirect would land inside the part that htmx replaces, so
    htmx is told to leave the page."""
    if is_fragment_request(request):
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, status_code=303)
