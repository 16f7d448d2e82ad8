"""Pages for riders; each module lists its own routes, in the order they are tried."""

from starlette.routing import BaseRoute

from web.rider import (
    alerts,
    complain,
    fare_check,
    fares,
    feed_zip,
    follow,
    home,
    lines,
    proof,
    rights,
    seal,
    stops,
    vehicles,
)

routes: list[BaseRoute] = [
    *home.routes,
    *seal.routes,
    *vehicles.routes,
    *lines.routes,
    *stops.routes,
    *feed_zip.routes,
    *alerts.routes,
    *fares.routes,
    *fare_check.routes,
    *rights.routes,
    *complain.routes,
    *follow.routes,
    *proof.routes,
]
