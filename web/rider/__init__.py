"""Pages for riders; each module lists its own routes, in the order they are tried."""

from starlette.routing import BaseRoute

from web.rider import complain, fares, follow, home, proof, rights, seal, vehicles

routes: list[BaseRoute] = [
    *home.routes,
    *seal.routes,
    *vehicles.routes,
    *fares.routes,
    *rights.routes,
    *complain.routes,
    *follow.routes,
    *proof.routes,
]
