"""Pages for the authority's people, all below /equipe/: one table of addresses and the permissions they demand."""

from starlette.routing import BaseRoute

from web.staff import (
    alerts,
    case_acts,
    case_page,
    entry,
    fares,
    feed_files,
    feed_preview,
    feed_separation,
    feed_uploads,
    feed_versions,
    feeds,
    filing,
    home,
    inspections,
    messages,
    norm,
    norm_annex,
    norm_days,
    queue,
    sketch_agency,
    sketch_days,
    sketch_feed,
    sketch_lines,
    sketch_paste,
    sketch_preview,
    sketch_stops,
    vehicles,
)
from web.staff.routing import StaffRoute

STAFF_ROUTES: tuple[StaffRoute, ...] = (
    *home.ROUTES,
    *entry.ROUTES,
    *queue.ROUTES,
    *filing.ROUTES,
    *case_page.ROUTES,
    *case_acts.ROUTES,
    *inspections.ROUTES,
    *vehicles.ROUTES,
    *messages.ROUTES,
    *feeds.ROUTES,
    *feed_uploads.ROUTES,
    *feed_separation.ROUTES,
    *feed_files.ROUTES,
    *feed_preview.ROUTES,
    *feed_versions.ROUTES,
    *fares.ROUTES,
    *alerts.ROUTES,
    *norm.ROUTES,
    *norm_annex.ROUTES,
    *norm_days.ROUTES,
    *sketch_lines.ROUTES,
    *sketch_stops.ROUTES,
    *sketch_days.ROUTES,
    *sketch_agency.ROUTES,
    *sketch_paste.ROUTES,
    *sketch_feed.ROUTES,
    *sketch_preview.ROUTES,
    *sketch_lines.LINE_ROUTES,
)
"""Every page of the desk but the log-in, in the order they are tried."""

routes: list[BaseRoute] = [*entry.OPEN_ROUTES, *(route.build() for route in STAFF_ROUTES)]
