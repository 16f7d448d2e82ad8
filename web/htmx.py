"""What htmx says in a request: whether it wants a part of the page."""

from starlette.requests import Request

VARY = "HX-Request, HX-Request-Type"


def is_fragment_request(request: Request) -> bool:
    """Tell whether htmx asked for a part; history restores and whole-body swaps get the whole page."""
    headers = request.headers
    return headers.get("hx-request") == "true" and headers.get("hx-request-type", "partial") != "full"
