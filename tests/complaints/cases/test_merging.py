"""Cases about the same fact: found, joined without mixing what was said, and everybody told."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from sqlmodel import col, select

from complaints.authorities.tables import Authority
from complaints.cases import merging
from complaints.cases.dialogue import ask_complement
from complaints.cases.handling import Act, IncompleteAct, answer, extend_term, list_joined, load_for_change
from complaints.cases.reading import rider_view
from complaints.cases.tables import CaseFile
from complaints.cases.verification import verify_authority
from complaints.cases.workflow import ForbiddenMove
from complaints.ids import new_id
from complaints.messages.tables import Outbox
from tests.complaints.cases.conftest import FileCase
from web.services import Services

Join = Callable[[str, str], None]


@pytest.fixture
def act(services: Services, marica: Authority, now: datetime) -> Act:
    """A member of staff a day later."""
    return Act(services.keyring, marica, new_id(), now + timedelta(days=1))


@pytest.fixture
def cases(file: FileCase, now: datetime) -> list[str]:
    """Three cases of one line, an hour apart, each with a phone; the last is urgent."""
    return [
        file(
            key=f"web:{place}", at=now + timedelta(hours=place), line_id="12", line_name="12 Centro",
            text=f"Relato {place}", phone=f"+552199999000{place}",
            subjects=("inf-dirigir-sob-efeito",) if place == 2 else (),
        ).case.protocol
        for place in range(3)
    ]  # fmt: skip


@pytest.fixture
def join(services: Services, act: Act) -> Join:
    """Join the first case to the second in a transaction of its own."""

    def join(protocol: str, into: str) -> None:
        with services.database.write() as session:
            merging.lock_both(session, act.authority.id, protocol, into)
            case = load_for_change(session, act.authority.id, protocol)
            merging.merge(session, act, case, into)

    return join


def read(services: Services, protocol: str) -> CaseFile:
    with services.database.read() as session:
        return session.exec(select(CaseFile).where(CaseFile.protocol == protocol)).one()


def test_the_answer_of_one_is_the_answer_of_all_and_words_are_never_mixed(
    services: Services, act: Act, cases: list[str], join: Join
) -> None:
    first, second, third = cases
    join(third, second)
    join(second, first)
    with services.database.write() as session:
        case = load_for_change(session, act.authority.id, first)
        assert {row.protocol for row in list_joined(session, case)} == {second, third}
        answer(session, act, case, text="Vistoriamos a van.", measure="Multa", outcome="inspected")
    with services.database.read() as session:
        told = session.exec(select(Outbox.purpose).order_by(col(Outbox.purpose))).all()
        assert list(told) == ["answered"] * 3 + ["merged"] * 2 + ["receipt"] * 2 + ["receipt_urgent"]
        for protocol, own in ((second, "Relato 1"), (third, "Relato 2")):
            view = rider_view(session, session.exec(select(CaseFile).where(CaseFile.protocol == protocol)).one())
            words = " ".join(" ".join(entry.content.values()) for entry in view.timeline)
            assert own in words
            assert "Vistoriamos a van." in words
            assert words.count("Relato") == 1
        assert verify_authority(session, act.authority.id).faults == ()


def test_each_history_names_the_other_and_urgency_moves_on(
    services: Services, act: Act, cases: list[str], join: Join
) -> None:
    first, _, third = cases
    with services.database.write() as session:
        urgent = load_for_change(session, act.authority.id, third)
        extend_term(session, act, urgent, "Feriados")
    assert read(services, third).urgent
    join(third, f"{first[:4]} {first[4:8]} {first[8:]}")
    joined, survivor = read(services, third), read(services, first)
    assert (joined.status, joined.merged_into, joined.queue_rank) == ("merged", survivor.id, None)
    assert (survivor.urgent, survivor.queue_rank, survivor.version) == (True, 0, 2)
    with services.database.read() as session:
        assert verify_authority(session, act.authority.id).faults == ()


def test_a_case_that_waits_for_its_rider_can_be_joined(
    services: Services, act: Act, cases: list[str], join: Join
) -> None:
    with services.database.write() as session:
        ask_complement(session, act, load_for_change(session, act.authority.id, cases[1]), "Onde?")
    join(cases[1], cases[0])
    assert read(services, cases[1]).complement_due_on is None
    with services.database.read() as session:
        assert verify_authority(session, act.authority.id).faults == ()


@pytest.mark.parametrize(
    ("into", "told"),
    [("123", "12 números"), ("000000000000", "Não há caso"), ("itself", "próprio caso"), ("newer", "mais antigo")],
)
def test_what_cannot_take_a_case_in_is_told(cases: list[str], join: Join, into: str, told: str) -> None:
    with pytest.raises(IncompleteAct) as refused:
        join(cases[1], {"itself": cases[1], "newer": cases[2]}.get(into, into))
    assert told in refused.value.problems["principal"]


def test_a_joined_case_takes_no_other_and_is_joined_once(cases: list[str], join: Join) -> None:
    join(cases[1], cases[0])
    with pytest.raises(IncompleteAct):
        join(cases[2], cases[1])
    with pytest.raises(ForbiddenMove):
        join(cases[1], cases[0])


def test_opposite_merges_at_once_leave_one_survivor(
    services: Services, act: Act, file: FileCase, now: datetime, join: Join
) -> None:
    for round_ in range(5):
        pair = [file(key=f"web:{round_}-{place}", at=now, text="Igual").case.protocol for place in range(2)]
        start = Barrier(2)

        def both(protocol: str, into: str, start: Barrier = start) -> str:
            start.wait()
            try:
                join(protocol, into)
            except (IncompleteAct, ForbiddenMove) as refused:
                return type(refused).__name__
            return "joined"

        with ThreadPoolExecutor(2) as pool:
            ends = list(pool.map(both, pair, reversed(pair)))
        assert sorted(ends)[-1] == "joined", ends
        assert ends.count("joined") == 1
        assert sorted(read(services, protocol).status for protocol in pair) == ["merged", "received"]


def test_similar_cases_are_of_the_same_vehicle_or_line_and_week(
    services: Services, file: FileCase, cases: list[str], now: datetime
) -> None:
    file(key="web:far", at=now + timedelta(days=8), line_id="12", text="Depois")
    file(key="web:other", at=now, line_id="13", text="Outra linha")
    with services.database.read() as session:
        case = session.exec(select(CaseFile).where(CaseFile.protocol == cases[0])).one()
        assert [row.protocol for row in merging.list_similar(session, case)] == cases[1:]
        alone = file(key="web:alone", text="Sem nada").case
        assert merging.list_similar(session, alone) == ()


def test_others_are_told_of_only_from_three_on(
    services: Services, file: FileCase, marica: Authority, cases: list[str], now: datetime
) -> None:
    with services.database.read() as session:
        later = now + timedelta(days=1)
        assert merging.count_others(session, marica.id, None, "12", later) == 3
        assert merging.count_others(session, marica.id, None, "13", later) == 0
        assert merging.count_others(session, marica.id, None, None, later) == 0
        assert merging.count_others(session, marica.id, None, "12", now + timedelta(days=7, minutes=90)) == 0
