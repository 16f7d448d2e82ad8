"""Every page of the desk demands a permission, and refuses whoever has not got it."""

from collections.abc import Iterable

import pytest
from starlette.routing import BaseRoute, Route

from complaints.enforcement.tables import Inspection
from complaints.staff.permissions import may, permissions, roles
from tests.desk_seeds import CANAA, add_member, add_town, file
from tests.web.staff.conftest import Browser, Town
from web.csrf import SAFE_METHODS
from web.staff import STAFF_ROUTES, routes
from web.staff.entry import OPEN_ROUTES
from web.staff.routing import PREFIX, StaffRoute

OPEN = {("/equipe/entrar", "GET"), ("/equipe/entrar", "POST"), ("/equipe/sair", "POST")}


def addresses_of(built: Iterable[BaseRoute]) -> set[tuple[str, str]]:
    plain = [route for route in built if isinstance(route, Route)]
    return {(route.path, method) for route in plain for method in (route.methods or set()) - {"HEAD"}}


CALLS = [(route, method) for route in STAFF_ROUTES for method in route.methods]


def address(route: StaffRoute, protocol: str = "000000000000", public_id: str = "22222222222A") -> str:
    filled = route.path.replace("{protocol}", protocol).replace("{public_id}", public_id)
    return PREFIX + filled.replace("{key}", "rounding").replace("{number:int}", "999")


def call(browser: Browser, method: str, at: str) -> int:
    answer = browser.get(at) if method == "GET" else browser.submit(at)
    return int(answer.status_code)


def test_every_address_below_equipe_is_in_the_table_or_is_the_log_in() -> None:
    built = {
        (route.path, method) for route in routes if isinstance(route, Route) for method in route.methods or ()
    }
    guarded = {(PREFIX + route.path, method) for route, method in CALLS}
    assert {item for item in built if item[1] != "HEAD"} == guarded | OPEN
    assert {
        (route.path, method) for route in OPEN_ROUTES for method in (route.methods or set()) - {"HEAD"}
    } == OPEN


def test_the_application_has_no_other_address_below_equipe(small_town: Town) -> None:
    served = {getattr(route, "path", "") for route in small_town.app.routes}
    known = {PREFIX + route.path for route in STAFF_ROUTES} | {path for path, _ in OPEN}
    assert {path for path in served if path.startswith("/equipe")} <= known


def test_each_route_demands_a_permission_that_somebody_has() -> None:
    for route in STAFF_ROUTES:
        assert route.permission in permissions(), route.path
        assert any(may([role], route.permission) for role in roles()), route.path


def test_a_route_cannot_demand_an_unknown_permission() -> None:
    with pytest.raises(ValueError, match="unknown permission"):
        StaffRoute("/x", lambda request, desk: None, "case.raed")  # type: ignore[arg-type, return-value]


def test_whoever_is_logged_out_is_sent_to_log_in(small_town: Town) -> None:
    browser = Browser(small_town.app)
    for route, method in CALLS:
        at = address(route, small_town.case.protocol)
        answer = browser.get(at) if method == "GET" else browser.submit(at)
        assert answer.status_code == 303, (method, at)
        assert answer.headers["location"].startswith("/equipe/entrar"), (method, at)
        assert answer.headers["cache-control"] == "no-store"
        assert small_town.case.protocol not in answer.text


@pytest.mark.parametrize("role", list(roles()))
def test_each_role_opens_exactly_the_pages_of_its_permissions(small_town: Town, role: str) -> None:
    browser = small_town.browser(role)
    for route, method in CALLS:
        status = call(browser, method, address(route, small_town.case.protocol))
        allowed = may([role], route.permission)
        assert (status == 403) is not allowed, (role, method, route.path, status)
        of_a_thing = {"{public_id}", "{number:int}", "{code}"} & set(route.path.split("/"))
        if method == "GET" and allowed and not of_a_thing:
            assert status in (200, 303), (role, route.path, status)


def test_a_refusal_says_what_is_missing_in_portuguese(small_town: Town) -> None:
    answer = small_town.browser("clerk").get("/equipe/casos")
    assert answer.status_code == 403
    assert "Você não tem permissão para isto" in answer.text
    assert "ver a fila e os casos" in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_cases_of_another_authority_do_not_exist_here(town: Town) -> None:
    other = add_town(town.services.database, "canaa", CANAA)
    theirs = file(town.services.database, town.services.keyring, other, town.services.clock()).case
    member = add_member(town.services.database, other, "triager")
    with town.services.database.write() as session:
        inspection = Inspection(
            authority_id=other.id,
            case_id=theirs.id,
            state="ordered",
            reason="x",
            legal_basis="art. 34, caput",
            ordered_by=member.id,
            ordered_at=town.services.clock(),
            due_on=town.services.clock().date(),
        )
        session.add(inspection)
    browser = town.browser("triager", "inspector", "auditor", "clerk")
    for route, method in CALLS:
        if (
            "{" not in route.path
            or "{key}" in route.path
            or "{code}" in route.path
            or (method == "GET" and route.path.endswith(("/resultado", "/cancelar")))
        ):
            continue
        at = address(route, theirs.protocol, inspection.public_id)
        assert call(browser, method, at) == 404, (method, at)
    assert theirs.protocol not in browser.see("/equipe/casos")
    assert inspection.public_id not in browser.see("/equipe/vistorias")
    assert browser.get(f"/equipe/casos?busca={theirs.protocol}").status_code == 200


def test_no_form_of_the_desk_is_taken_without_its_token(small_town: Town) -> None:
    browser = small_town.browser("triager", "inspector")
    for token in ("", "00" * 64, "x"):
        browser.token = token
        for route, method in CALLS:
            if method not in SAFE_METHODS:
                assert call(browser, method, address(route, small_town.case.protocol)) == 403, route.path
    assert small_town.reload().version == 1


def test_a_token_of_another_session_is_refused(town: Town) -> None:
    first, second = town.browser("triager"), town.browser("attendant")
    second.token = first.token
    answer = second.submit(f"{town.case_address}/triagem", versao="1")
    assert answer.status_code == 403
    assert town.reload().status == "received"


def test_pages_of_the_desk_are_stored_nowhere(small_town: Town) -> None:
    browser = small_town.browser("triager", "inspector", "administrator", "clerk")
    for route, method in CALLS:
        if method == "GET" and not {"{public_id}", "{number:int}", "{code}"} & set(route.path.split("/")):
            answer = browser.get(address(route, small_town.case.protocol))
            assert answer.headers["cache-control"] == "no-store", route.path
            assert answer.headers["referrer-policy"] == "no-referrer", route.path
            assert "etag" not in answer.headers, route.path
