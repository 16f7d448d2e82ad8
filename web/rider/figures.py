"""`/{a}/dados`: what is open to everybody, the figures of the cases as a page and as CSV."""

import csv
from collections.abc import Iterator
from datetime import date
from functools import partial
from io import StringIO

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.calendar import local_date
from complaints.authorities.tables import Authority
from complaints.cases.figures import SMALL, Figures, Row, count_cases
from gtfs.checks.report_csv import guard
from gtfs.published import find_published
from web.caching import cached
from web.rider.town import get_town
from web.services import Services
from web.templating import render

MAX_AGE = 3600
"""Seconds: the figures change once a day."""

COLUMNS = ("tabela", "grupo", "recebidas", "respondidas", "no_prazo", "mediana_dias", "retido")


def show_figures(request: Request) -> Response:
    """The figures and the addresses of all open data."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        today = local_date(town, services.clock())
        feed = find_published(session, town.id)
        build = partial(_page, request, session, town, today, has_feed=feed is not None)
        return cached(request, repr((town, today, feed is not None)), MAX_AGE, build)


def figures_as_csv(request: Request) -> Response:
    """The same for programs: one row a group, comma between, UTF-8; withheld numbers are blank and marked."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        today = local_date(town, services.clock())
        return cached(request, repr((town, today)), MAX_AGE, partial(_csv, session, town, today))


def _page(request: Request, session: Session, town: Authority, today: date, *, has_feed: bool) -> Response:
    context = {"figures": count_cases(session, town, today), "small": SMALL, "has_feed": has_feed}
    return render(request, "complaints/figures.html", context)


def _csv(session: Session, town: Authority, today: date) -> Response:
    target = StringIO()
    writer = csv.writer(target)
    writer.writerow(COLUMNS)
    writer.writerows(_lines(count_cases(session, town, today)))
    headers = {"Content-Disposition": f'attachment; filename="manifestacoes-{town.slug}.csv"'}
    return Response(target.getvalue().encode("utf-8-sig"), media_type="text/csv; charset=utf-8", headers=headers)


def _lines(figures: Figures) -> Iterator[list[str]]:
    yield _cells("todas", figures.total)
    for table in figures.tables:
        for row in table.rows:
            yield _cells(table.key, row)


def _cells(key: str, row: Row) -> list[str]:
    numbers = (row.received, row.answered, row.on_time, row.median_days)
    return [key, guard(row.name), *("" if number is None else f"{number:g}" for number in numbers), _mark(row)]


def _mark(row: Row) -> str:
    return "sim" if row.received is None else ""


routes: list[BaseRoute] = [
    Route("/{a:town}/dados", show_figures, name="open_data"),
    Route("/{a:town}/dados/manifestacoes.csv", figures_as_csv),
]
