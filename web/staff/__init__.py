"""Pages for the authority's people, all below /equipe/; each module lists its own routes."""

from starlette.routing import BaseRoute

routes: list[BaseRoute] = []
