"""What the town's law promises riders and asks of them, and what happens to a complaint."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.calendar import local_date
from complaints.authorities.choices import choice_on
from complaints.authorities.tables import Authority
from complaints.law.rulebook import get_rulebook
from complaints.law.terms import FEDERAL_LAW
from web.caching import MAX_AGE, cached
from web.rider.rule_links import find_shared_subject
from web.rider.town import get_town
from web.services import Services
from web.templating import render

TERM_RULE = "prazo-de-resposta"
"""The federal rule that goes when the authority has turned the federal clock off."""


def show_rights(request: Request) -> Response:
    """Rights, duties, refusals, what is shown in the vehicle, and what the authority owes a complaint."""
    town = get_town(request)
    services: Services = request.app.state.services
    today = local_date(town, services.clock())
    with services.database.read() as session:
        goal = choice_on(session, town.id, "setting", "clock.goal_days", today)
    return cached(request, repr((town, goal)), MAX_AGE, lambda: _page(request, town, goal))


def _page(request: Request, town: Authority, goal_days: int | None) -> Response:
    rulebook, federal = get_rulebook(town.law_id), get_rulebook(FEDERAL_LAW)
    clock_runs = town.clock_law_id == FEDERAL_LAW
    context = {
        "rulebook": rulebook,
        "federal": federal,
        "federal_rules": tuple(rule for rule in federal.complaint_rules if clock_runs or rule.key != TERM_RULE),
        "goal_days": None if clock_runs else goal_days,
        "refused": find_shared_subject(rulebook, rulebook.refusals),
    }
    return render(request, "law/rights.html", context)


routes: list[BaseRoute] = [Route("/{a:town}/direitos", show_rights, name="rights")]
