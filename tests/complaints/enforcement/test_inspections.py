"""Inspections as use cases: what they change, what they tell the case and the rider, what they refuse."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlmodel import col, select

from complaints.cases import handling
from complaints.cases.handling import IncompleteAct
from complaints.cases.history import list_events
from complaints.cases.tables import CaseFile
from complaints.cases.verification import verify_authority
from complaints.cases.workflow import ForbiddenMove
from complaints.enforcement import inspections
from complaints.enforcement.agenda import find_agenda_row, list_agenda, list_inspections
from complaints.enforcement.inspection_checks import Finding, Order
from complaints.enforcement.inspections import (
    InspectionClosed,
    StaleInspection,
    UnknownInspection,
    cancel_inspection,
    measures_of,
    order_inspection,
    record_result,
)
from complaints.enforcement.tables import Inspection
from complaints.messages.tables import Outbox
from complaints.registry.seals import newest_seals, seal_state
from complaints.registry.tables import Seal
from tests.complaints.enforcement.conftest import Scene
from tests.desk_seeds import add_town, file

ORDER = Order("Verificar a porta dianteira", "art. 27, § 1º", date(2026, 12, 10))


def order(scene: Scene, case: CaseFile | None = None, what: Order = ORDER) -> Inspection:
    with scene.database.write() as session:
        loaded = handling.load_for_change(session, scene.authority.id or 0, (case or scene.case).protocol)
        return order_inspection(session, scene.act(scene.triager), loaded, what)


def record(scene: Scene, inspection: Inspection, finding: Finding, version: int | None = 1) -> Seal | None:
    with scene.database.write() as session:
        loaded, case = inspections.load_for_change(session, scene.authority.id or 0, inspection.public_id, version)
        return record_result(session, scene.act(scene.inspector), loaded, case, finding)


def cancel(scene: Scene, inspection: Inspection, reason: str = "Veículo vendido") -> None:
    with scene.database.write() as session:
        loaded, case = inspections.load_for_change(session, scene.authority.id or 0, inspection.public_id, 1)
        cancel_inspection(session, scene.act(scene.triager), loaded, case, reason)


def kinds(scene: Scene, case: CaseFile | None = None) -> list[str]:
    case = case or scene.case
    with scene.database.read() as session:
        return [event.kind for event in list_events(session, case.authority_id, case.id)]


def last_content(scene: Scene) -> dict[str, object]:
    with scene.database.read() as session:
        return list_events(session, scene.case.authority_id, scene.case.id)[-1].content or {}


def status(scene: Scene) -> str:
    with scene.database.read() as session:
        return session.get_one(CaseFile, (scene.case.authority_id, scene.case.id)).status


def purposes(scene: Scene) -> list[str]:
    with scene.database.read() as session:
        return list(session.exec(select(Outbox.purpose).order_by(col(Outbox.id))).all())


def test_an_order_moves_the_case_to_verification_and_tells_the_rider(scene: Scene) -> None:
    inspection = order(scene)
    assert (inspection.state, inspection.vehicle_id, inspection.ordered_by) == (
        "ordered",
        scene.van.id,
        scene.triager.id,
    )
    assert status(scene) == "in_verification"
    assert kinds(scene) == ["filed", "inspection_ordered"]
    assert last_content(scene)["legal_basis"] == "art. 27, § 1º"
    assert last_content(scene)["due_on"] == "2026-12-10"
    assert purposes(scene) == ["receipt", "inspection_ordered"]


def test_an_incomplete_order_changes_nothing(scene: Scene) -> None:
    with pytest.raises(IncompleteAct) as refused:
        order(scene, what=Order("", "art. 42, I", None))
    assert set(refused.value.problems) == {"verificar", "prazo", "fundamento"}
    assert kinds(scene) == ["filed"]
    assert purposes(scene) == ["receipt"]


def test_a_closed_case_takes_no_order(scene: Scene) -> None:
    with scene.database.write() as session:
        case = handling.load_for_change(session, scene.authority.id or 0, scene.case.protocol)
        handling.archive(session, scene.act(scene.triager), case, "Engano de quem escreveu")
    with pytest.raises(ForbiddenMove):
        order(scene)
    with scene.database.read() as session:
        assert session.exec(select(Inspection)).all() == []


def test_a_result_is_kept_told_and_leaves_the_case_in_verification(scene: Scene) -> None:
    inspection = order(scene)
    record(scene, inspection, Finding("rejected", ("apprehension",), "Pneus lisos"))
    with scene.database.read() as session:
        row = find_agenda_row(session, scene.authority.id or 0, inspection.public_id)
        assert row is not None
        done = row.inspection
    assert (done.state, done.result, measures_of(done), done.notes, done.version) == (
        "done",
        "rejected",
        ("apprehension",),
        "Pneus lisos",
        2,
    )
    assert (done.done_by, done.done_at) == (scene.inspector.id, scene.now)
    assert status(scene) == "in_verification"
    assert kinds(scene)[-1] == "inspection_done"
    assert last_content(scene)["public_result"] == "O veículo foi vistoriado e reprovado. Veículo apreendido."
    assert purposes(scene)[-1] == "inspection_done"


def test_a_seal_that_failed_is_withdrawn_with_the_result(scene: Scene) -> None:
    record(scene, order(scene), Finding("rejected", notes="Freio", revoke_seal=True))
    with scene.database.read() as session:
        newest = newest_seals(session, scene.van.authority_id, [scene.van.id])[scene.van.id]
        assert seal_state(newest, scene.now.date()) == "revoked"


def test_an_approved_van_gets_a_new_seal_valid_as_the_law_says(scene: Scene) -> None:
    inspection = order(scene)
    seal = record(scene, inspection, Finding("approved", new_seal=True))
    assert seal is not None
    assert seal.valid_until == date(2027, 11, 30)
    assert seal.issued_by == scene.inspector.id
    with scene.database.read() as session:
        row = find_agenda_row(session, scene.authority.id or 0, inspection.public_id)
        assert row is not None
        assert row.inspection.seal_id == seal.id


def test_a_seal_that_cannot_be_issued_takes_the_whole_result_back(scene: Scene) -> None:
    inspection = order(scene)
    with pytest.raises(IncompleteAct) as refused:
        record(scene, inspection, Finding("approved", new_seal=True, seal_until=date(2026, 1, 1)))
    assert set(refused.value.problems) == {"validade"}
    assert kinds(scene)[-1] == "inspection_ordered"
    record(scene, inspection, Finding("approved"))


def test_a_stale_form_is_refused_and_a_second_result_too(scene: Scene) -> None:
    inspection = order(scene)
    record(scene, inspection, Finding("approved"))
    with pytest.raises(StaleInspection) as stale:
        record(scene, inspection, Finding("rejected", notes="x"), version=1)
    assert stale.value.version == 2
    with pytest.raises(InspectionClosed):
        record(scene, inspection, Finding("rejected", notes="x"), version=2)


def test_a_cancelled_order_brings_the_case_back_to_triage_with_its_reason(scene: Scene) -> None:
    inspection = order(scene)
    with pytest.raises(IncompleteAct):
        cancel(scene, inspection, " ")
    cancel(scene, inspection)
    assert status(scene) == "in_triage"
    assert last_content(scene)["reason"] == "Veículo vendido"
    with pytest.raises(InspectionClosed):
        record(scene, inspection, Finding("approved"), version=2)


def test_while_another_order_is_open_a_cancelled_one_leaves_the_case_in_verification(scene: Scene) -> None:
    first, second = order(scene), order(scene)
    cancel(scene, first)
    assert status(scene) == "in_verification"
    assert kinds(scene)[-1] == "note_added"
    cancel(scene, second)
    assert status(scene) == "in_triage"


def test_a_result_after_the_answer_is_still_kept(scene: Scene) -> None:
    inspection = order(scene)
    with scene.database.write() as session:
        case = handling.load_for_change(session, scene.authority.id or 0, scene.case.protocol)
        handling.answer(
            session, scene.act(scene.triager), case, text="Feito", measure="Vistoria", outcome="inspected"
        )
    record(scene, inspection, Finding("approved"))
    assert kinds(scene)[-1] == "inspection_done"
    assert status(scene) == "answered"


def test_an_inspection_of_another_authority_is_unknown(scene: Scene) -> None:
    inspection = order(scene)
    other = add_town(scene.database, "canaa", "canaa-dos-carajas-46-2003")
    with scene.database.write() as session, pytest.raises(UnknownInspection):
        inspections.load_for_change(session, other.id or 0, inspection.public_id)
    with scene.database.read() as session:
        assert find_agenda_row(session, other.id or 0, inspection.public_id) is None
        assert list_agenda(session, other.id or 0) == ()


def test_the_agenda_shows_what_is_open_urgent_first_then_by_day(scene: Scene) -> None:
    later = order(scene)
    urgent_case = file(
        scene.database, scene.keyring, scene.authority, scene.now, text="Motorista bêbado", plate="ABC1D23"
    ).case
    with scene.database.write() as session:
        loaded = handling.load_for_change(session, scene.authority.id or 0, urgent_case.protocol)
        loaded.urgent = True
        session.add(loaded)
    sooner = order(scene, what=replace(ORDER, due_on=date(2026, 12, 1)))
    urgent = order(scene, urgent_case, replace(ORDER, due_on=date(2026, 12, 20)))
    with scene.database.read() as session:
        rows = list_agenda(session, scene.authority.id or 0)
        assert [row.inspection.public_id for row in rows] == [
            urgent.public_id,
            sooner.public_id,
            later.public_id,
        ]
        assert rows[0].urgent
        assert rows[0].vehicle is not None
        assert [row.is_late(date(2026, 12, 1) + timedelta(days=1)) for row in rows] == [False, True, False]
        assert len(list_agenda(session, scene.authority.id or 0, limit=1, offset=1)) == 1
        found = list_inspections(session, scene.authority.id or 0, scene.case.id)
        assert [item.public_id for item in found] == [later.public_id, sooner.public_id]
    cancel(scene, sooner)
    with scene.database.read() as session:
        assert len(list_agenda(session, scene.authority.id or 0)) == 2


def test_what_inspections_write_keeps_the_history_verifiable(scene: Scene) -> None:
    record(scene, order(scene), Finding("approved", new_seal=True))
    cancel(scene, order(scene))
    with scene.database.read() as session:
        assert verify_authority(session, scene.authority.id or 0).faults == ()
