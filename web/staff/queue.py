"""The queue: open cases, urgent first, then by term; filters work as a plain form and faster with htmx."""

from dataclasses import dataclass
from urllib.parse import urlencode

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response

from complaints.cases.follow import find_case
from complaints.cases.protocol import BadProtocol, check_protocol
from complaints.cases.reading import QueueFilter, QueueRow, list_queue
from complaints.cases.workflow import is_open
from complaints.law.rulebook import get_rulebook
from complaints.registry.plates import format_plate
from complaints.registry.vehicles import find_by_fleet_number, find_by_plate
from web.forms import page_number, query_text
from web.htmx import go_to
from web.staff.routing import Desk, StaffRoute, render_desk
from web.staff.words import STATUSES

PAGE_SIZE = 25


@dataclass(frozen=True)
class Wanted:
    """The filters as the address has them: `state` a status, `closed` for all closed ones, or empty."""

    state: str
    subject: str
    late: bool
    search: str
    page: int

    def address(self, page: int) -> str:
        """The address of another page of the same list."""
        given = {
            "situacao": self.state,
            "assunto": self.subject,
            "atrasados": "1" if self.late else "",
            "busca": self.search,
            "pagina": str(page) if page > 1 else "",
        }
        query = urlencode({name: value for name, value in given.items() if value})
        return f"/equipe/casos?{query}" if query else "/equipe/casos"


def show_queue(request: Request, desk: Desk) -> Response:
    """The list, or the case itself when a protocol was searched for."""
    wanted = read_wanted(request)
    with desk.services.database.read() as session:
        if protocol := _find_protocol(session, desk, wanted.search):
            return go_to(request, f"/equipe/casos/{protocol}")
        filters, note = _filters(session, desk, wanted)
        rows: tuple[QueueRow, ...] = ()
        if filters is not None:
            offset = (wanted.page - 1) * PAGE_SIZE
            rows = list_queue(session, desk.authority_id, filters, PAGE_SIZE + 1, offset)
    context = {
        "rows": rows[:PAGE_SIZE],
        "note": note,
        "wanted": wanted,
        "previous": wanted.address(wanted.page - 1) if wanted.page > 1 else None,
        "next": wanted.address(wanted.page + 1) if len(rows) > PAGE_SIZE else None,
        "values": {"situacao": wanted.state, "assunto": wanted.subject, "busca": wanted.search},
        "states": [*STATUSES.items(), ("closed", "Todos os encerrados")],
        "subjects": [(row.key, row.label) for row in get_rulebook(desk.authority.law_id).list_subjects()],
    }
    return render_desk(request, desk, "staff/queue.html", context, block_name="list")


def read_wanted(request: Request) -> Wanted:
    """The filters of an address; what is not known counts as not given."""
    state = query_text(request, "situacao", 24)
    return Wanted(
        state=state if state in STATUSES or state == "closed" else "",
        subject=query_text(request, "assunto", 120),
        late=query_text(request, "atrasados", 1) == "1",
        search=query_text(request, "busca", 40),
        page=page_number(request),
    )


def _find_protocol(session: Session, desk: Desk, search: str) -> str | None:
    try:
        case = find_case(session, desk.authority_id, check_protocol(search)) if search else None
    except BadProtocol:
        return None
    return case.protocol if case else None


def _filters(session: Session, desk: Desk, wanted: Wanted) -> tuple[QueueFilter | None, str]:
    """The filter for the database, None when nothing can match, and what to say of the search."""
    vehicle, note = None, ""
    if wanted.search:
        vehicle = find_by_plate(session, desk.authority_id, wanted.search) or find_by_fleet_number(
            session, desk.authority_id, wanted.search
        )
        if vehicle is None:
            return None, "Nenhum caso com este protocolo e nenhum veículo com esta placa ou este prefixo."
        note = f"Casos do veículo {format_plate(vehicle.plate)}"
    closed = wanted.state == "closed" or (wanted.state != "" and not is_open(wanted.state))
    filters = QueueFilter(
        statuses=(wanted.state,) if wanted.state in STATUSES else (),
        subject=wanted.subject,
        late_on=desk.today if wanted.late else None,
        vehicle_id=vehicle.id if vehicle else None,
        closed=closed,
    )
    return filters, note


ROUTES = (StaffRoute("/casos", show_queue, "case.read"),)
