"""Pages for riders; each module lists its own routes, in the order they are tried."""

from starlette.routing import BaseRoute

from web.rider import home, seal, vehicles

routes: list[BaseRoute] = [
    *home.routes,
    *seal.routes,
    *vehicles.routes,
]
