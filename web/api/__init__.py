"""Addresses that machines read; each module lists its own routes."""

from starlette.routing import BaseRoute

from web.api import health, robots, twilio_webhook

routes: list[BaseRoute] = [
    *health.routes,
    *robots.routes,
    *twilio_webhook.routes,
]
