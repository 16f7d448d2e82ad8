"""Files the complaints of the demonstration and takes each as far as its steps say, through the same use cases."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlmodel import Session

from complaints.authorities.calendar import local_date
from complaints.authorities.tables import Authority
from complaints.cases.filing import Filing, file_case
from complaints.cases.handling import Act, answer, classify, load_for_change, start_triage
from complaints.cases.tables import CaseFile
from complaints.enforcement.inspection_checks import Order
from complaints.enforcement.inspections import order_inspection
from complaints.enforcement.powers import get_powers
from complaints.law.provisions import Subject
from complaints.law.rulebook import get_rulebook
from complaints.registry.vehicles import find_by_plate
from complaints.staff.accounts import get_account
from web.demo.town_seeding import Lines, read_demo_file
from web.services import Services


def seed_cases(services: Services, authority: Authority, lines: Lines, triager: str) -> None:
    """File the cases of a town that are not there yet. `triager`: the e-mail of the account that handles them."""
    now = services.clock()
    for place, row in enumerate(read_demo_file("cases.toml")["case"]):
        if row["town"] != authority.slug:
            continue
        filed_at = now - timedelta(days=row["days_ago"], hours=2)
        with services.database.write() as session:
            filing = _filing(session, authority, row, lines, f"demo:{place}")
            filed = file_case(session, services.keyring, filing, filed_at)
            if not filed.replay:
                staff_id = get_account(session, authority.id, triager).id
                _take_steps(session, services, authority, filed.case, row, staff_id, filed_at)


def _filing(session: Session, authority: Authority, row: dict[str, Any], lines: Lines, key: str) -> Filing:
    vehicle = find_by_plate(session, authority.id, row.get("plate", ""))
    line_id, line_name = lines.get(row.get("line", ""), (None, None))
    if vehicle and not line_id:
        line_id, line_name = vehicle.line_id, vehicle.line_name
    return Filing(
        authority_id=authority.id,
        channel="web",
        key=key,
        subjects=tuple(subject.key for subject in _subjects(authority, row)[:1]),
        text=row["text"],
        occurred=row.get("occurred", ""),
        place=row.get("place", ""),
        plate=row.get("plate", ""),
        line_id=line_id,
        line_name=line_name,
        name=row.get("name", ""),
        phone=row.get("phone", ""),
    )


def _subjects(authority: Authority, row: dict[str, Any]) -> list[Subject]:
    """The subjects of the town's law that fit the row: of its topic, or urgent."""
    return [
        subject
        for subject in get_rulebook(authority.law_id).subjects
        if (row.get("urgent") and subject.urgency == "drunk_driver") or subject.topic == row.get("topic")
    ]


def _take_steps(
    session: Session,
    services: Services,
    authority: Authority,
    case: CaseFile,
    row: dict[str, Any],
    staff_id: UUID,
    filed_at: datetime,
) -> None:
    for hours, step in enumerate(row["steps"], start=1):
        act = Act(services.keyring, authority, staff_id, filed_at + timedelta(hours=hours))
        current = load_for_change(session, authority.id, case.protocol)
        if step == "triage":
            start_triage(session, act, current)
        elif step == "classify":
            classify(session, act, current, tuple(subject.key for subject in _subjects(authority, row)[:1]))
        elif step == "inspect":
            due = local_date(authority, services.clock()) + timedelta(days=5)
            basis = get_powers(authority.law_id).bases[0].citation
            order = Order("Conferir bancos, cintos e o selo de vistoria.", basis, due)
            order_inspection(session, act, current, order)
        elif step == "answer":
            answer(session, act, current, text=row["answer"], measure=row["measure"], outcome="operator_warned")
