"""Server processes killed around a commit: nothing half-written, nothing lost that was written, work goes on."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlmodel import col, select

from complaints.cases.tables import CaseEvent, CaseFile, Intake
from complaints.messages.tables import Outbox
from tests.browser.demonstration import Demonstration
from tests.browser.running import Running
from tests.child_processes import wait_until
from tests.journeys.callers import Caller, DeskCaller, NoAnswer, desk
from tests.journeys.people import PHONE_TYPED

pytestmark = pytest.mark.kill

TOWN = "marica"
TOLD = "O motorista não parou no ponto."
ANSWER = {
    "resposta": "Falamos com o operador.",
    "providencia": "O operador foi avisado.",
    "desfecho": "operator_warned",
}


@pytest.mark.parametrize("point", ["before-commit", "after-commit"])
def test_death_around_the_commit_of_a_complaint_and_of_its_answer(
    demonstration: Demonstration, tmp_path: Path, point: str
) -> None:
    written = point == "after-commit"
    with Running(demonstration) as product:
        product.serve()
        rider = Caller(product.address)
        form = {**rider.begin(TOWN), "relato": TOLD, "telefone": PHONE_TYPED}
        die_during(product, tmp_path, point, lambda: rider.file(TOWN, form))
        assert kept_of_form(product, form) == (["filed"] if written else None)
        receipt = rider.file(TOWN, form)
        assert kept_of_form(product, form) == ["filed"]
        assert TOLD in rider.follow(TOWN, receipt).text()
        with desk(product.address, *demonstration.log_in(TOWN, "triager")) as triager:
            assert triager.act(receipt.protocol, "triagem", {}) == 303
            fields = {**triager.form(receipt.protocol, "responder"), **ANSWER}
            die_during(product, tmp_path, point, lambda: triager.send(receipt.protocol, "responder", fields))
            told = ["filed", "triage_started", "answered"]
            assert kept_of_form(product, form) == (told if written else told[:2])
            assert send_again(triager, receipt.protocol, fields) == (409 if written else 303)
        assert kept_of_form(product, form) == told
        assert ANSWER["resposta"] in rider.follow(TOWN, receipt).text()
        done = demonstration.run("case", "verify", TOWN)
        assert done.returncode == 0, done.stdout


def die_during(product: Running, folder: Path, point: str, act: Callable[[], object]) -> None:
    """Serve with a stop point, kill everything when `act` has reached it, and serve again as before."""
    reached = folder / f"reached-{len(list(folder.glob('reached-*')))}"
    product.kill()
    product.serve(SELO_PAUSE=f"{point}:{reached}")
    client = threading.Thread(target=_expect_no_answer, args=(act,))
    client.start()
    wait_until(reached.exists)
    product.kill()
    client.join()
    product.serve()


def send_again(triager: DeskCaller, protocol: str, fields: dict[str, str]) -> int:
    """The browser's "send again" after no answer came."""
    return triager.send(protocol, "responder", fields)


def kept_of_form(product: Running, form: dict[str, str]) -> list[str] | None:
    """The events of the case that a form made, held against its messages; None without a case."""
    with product.database.read() as session:
        intake = session.exec(select(Intake).where(Intake.key == f"web:{form['envio']}")).one_or_none()
        if intake is None:
            return None
        case = session.exec(select(CaseFile).where(col(CaseFile.id) == intake.case_id)).one()
        events = session.exec(
            select(CaseEvent.kind).where(CaseEvent.case_id == case.id).order_by(col(CaseEvent.seq))
        ).all()
        messages = session.exec(select(Outbox.purpose).where(Outbox.case_id == case.id)).all()
    assert case.event_count == len(events)
    assert sorted(messages) == sorted(
        {"filed": "receipt"}.get(kind, kind) for kind in events if kind != "triage_started"
    )
    return list(events)


def _expect_no_answer(act: Callable[[], object]) -> None:
    with pytest.raises(NoAnswer):
        act()
