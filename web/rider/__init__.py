"""Pages for riders; each module lists its own routes, in the order they are tried."""

from starlette.routing import BaseRoute

from web.rider import (
    alerts,
    changes,
    complain,
    fare_check,
    fares,
    feed_zip,
    figures,
    follow,
    home,
    line_map,
    line_vehicles,
    lines,
    my_data,
    proof,
    rights,
    seal,
    stop_poster,
    stop_search,
    stops,
    vehicles,
)

routes: list[BaseRoute] = [
    *home.routes,
    *seal.routes,
    *vehicles.routes,
    *lines.routes,
    *line_map.routes,
    *line_vehicles.routes,
    *stop_search.routes,
    *stops.routes,
    *stop_poster.routes,
    *changes.routes,
    *feed_zip.routes,
    *alerts.routes,
    *fares.routes,
    *fare_check.routes,
    *rights.routes,
    *complain.routes,
    *follow.routes,
    *my_data.routes,
    *figures.routes,
    *proof.routes,
]
