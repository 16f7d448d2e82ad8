"""What a trip costs today by the authority's act, and who travels free or at half fare by the town's law."""

from dataclasses import dataclass
from datetime import date

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.calendar import local_date
from complaints.authorities.choices import Choice, list_choices
from complaints.authorities.fares import FareAct, Fares, fares_on
from complaints.authorities.tables import Authority
from complaints.law.entitlements import FareRule
from complaints.law.rulebook import get_rulebook
from complaints.law.schema import Rulebook
from gtfs.published import LineEntry, find_published, list_lines
from web.caching import MAX_AGE, cached
from web.formats import money
from web.rider.rule_links import find_shared_subject
from web.rider.town import get_town
from web.services import Services
from web.templating import render


@dataclass(frozen=True)
class FareRow:
    """A fare rule as the page shows it: what the person pays, and where it surely holds when not everywhere."""

    rule: FareRule
    pays: str
    only_in: tuple[str, ...]


def show_fares(request: Request) -> Response:
    """The fare of today first, with its act; then what the law grants, each line with its article."""
    town = get_town(request)
    services: Services = request.app.state.services
    today = local_date(town, services.clock())
    with services.database.read() as session:
        acts = fares_on(session, town.id, today)
        lines = _name_lines(session, town, acts)
        decided = _find_decided(session, town, today)
    return cached(
        request, repr((town, acts, lines, decided)), MAX_AGE, lambda: _page(request, town, acts, lines, decided)
    )


def _name_lines(session: Session, town: Authority, acts: Fares) -> tuple[tuple[FareAct, LineEntry], ...]:
    """The lines with a fare of their own, as far as they are published."""
    own = {act.line: act for act in acts.of_lines()}
    feed = find_published(session, town.id) if own else None
    lines = list_lines(session, feed) if feed else ()
    return tuple((own[line.gtfs_id], line) for line in lines if line.gtfs_id in own)


def _find_decided(session: Session, town: Authority, today: date) -> dict[str, Choice]:
    """Find what the authority has decided of the readings its law leaves open, by the name of the setting."""
    rulebook = get_rulebook(town.law_id)
    ruled = (rule.disputes for rule in rulebook.fare_rules)
    excluded = (exclusion.disputes for exclusion in rulebook.fare_exclusions)
    open_readings = {dispute.setting for disputes in (*ruled, *excluded) for dispute in disputes}
    chosen = list_choices(session, town.id, "setting", today)
    return {name: chosen[name] for name in sorted(open_readings & chosen.keys())}


def _page(
    request: Request,
    town: Authority,
    acts: Fares,
    lines: tuple[tuple[FareAct, LineEntry], ...],
    decided: dict[str, Choice],
) -> Response:
    rulebook = get_rulebook(town.law_id)
    act = acts.general
    free = act is not None and act.free
    context = {
        "rulebook": rulebook,
        "act": act,
        "lines": lines,
        "decided": decided,
        "charged_while_free": next((row for row in rulebook.subjects if row.only_when_free), None)
        if free
        else None,
        "rows": tuple(_row(rulebook, rule, act) for rule in rulebook.fare_rules),
        "refused": find_shared_subject(rulebook, rulebook.fare_rules),
    }
    return render(request, "law/fares.html" if rulebook.has_fare else "law/no_fares.html", context)


def _row(rulebook: Rulebook, rule: FareRule, act: FareAct | None) -> FareRow:
    charging = {service.id for service in rulebook.services if service.has_fare}
    certain = rule.certain_services
    only_in = () if charging <= set(certain) else rulebook.service_labels(certain)
    return FareRow(rule, _pays(rule, act), only_in)


def _pays(rule: FareRule, act: FareAct | None) -> str:
    if rule.percent_off == 100:
        return "Não paga"
    # Half of an odd number of cents needs a rounding the law does not give.
    if act is None or act.cents == 0 or act.cents % 2:
        return "Paga metade"
    return f"Paga metade: {money(act.cents // 2)}"


routes: list[BaseRoute] = [Route("/{a:town}/tarifas", show_fares, name="fares")]
