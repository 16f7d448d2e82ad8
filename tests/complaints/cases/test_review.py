"""Words written after the end bring a case back to the desk, and reopening it settles the request."""

from datetime import datetime, timedelta

import pytest

from complaints.authorities.tables import Authority
from complaints.cases.filing import add_text
from complaints.cases.handling import Act, IncompleteAct, answer, archive, load_for_change, reopen
from complaints.cases.reading import QueueFilter, list_queue, rider_view
from complaints.cases.verification import verify_authority
from complaints.ids import new_id
from tests.complaints.cases.conftest import FileCase
from web.services import Services


@pytest.fixture
def act(services: Services, marica: Authority, now: datetime) -> Act:
    """A member of staff at work a day later."""
    return Act(services.keyring, marica, new_id(), now + timedelta(days=1))


def queue(services: Services, town: Authority) -> list[str]:
    """The protocols at the desk."""
    with services.database.read() as session:
        return [row.protocol for row in list_queue(session, town.id, QueueFilter())]


@pytest.mark.parametrize("end", ["answered", "archived"])
def test_words_after_the_end_ask_for_a_review(
    services: Services, file: FileCase, marica: Authority, act: Act, end: str
) -> None:
    protocol = file().case.protocol
    with services.database.write() as session:
        case = load_for_change(session, marica.id, protocol)
        if end == "answered":
            answer(session, act, case, text="Feito.", measure="Nada a fazer.", outcome="no_action")
        else:
            archive(session, act, case, "Sem dados.")
    assert queue(services, marica) == []
    with services.database.write() as session:
        case = load_for_change(session, marica.id, protocol)
        add_text(session, case, "Não resolveu.", "web", "rider", act.now)
        assert (case.status, case.review_requested) == (end, True)
    assert queue(services, marica) == [protocol]
    with services.database.write() as session:
        case = load_for_change(session, marica.id, protocol)
        with pytest.raises(IncompleteAct):
            reopen(session, act, case, " ")
        reopen(session, act, case, "Vamos olhar de novo.")
        assert (case.status, case.review_requested, case.queue_rank) == ("in_triage", False, 1)
    with services.database.read() as session:
        assert rider_view(session, case).timeline[-1].content == {"text": "Vamos olhar de novo."}
        assert verify_authority(session, marica.id).faults == ()


def test_words_before_the_end_ask_for_nothing(
    services: Services, file: FileCase, marica: Authority, now: datetime
) -> None:
    protocol = file().case.protocol
    with services.database.write() as session:
        case = load_for_change(session, marica.id, protocol)
        add_text(session, case, "Mais uma coisa.", "web", "rider", now)
        assert not case.review_requested
