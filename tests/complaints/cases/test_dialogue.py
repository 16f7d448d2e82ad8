"""What passes between desk and rider: complements and their term, forwarding, the operator, and after the end."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from complaints.authorities.choices import add_choice
from complaints.authorities.tables import Authority
from complaints.cases import dialogue
from complaints.cases.filing import add_text
from complaints.cases.handling import (
    Act,
    IncompleteAct,
    answer,
    archive,
    classify,
    extend_term,
    load_for_change,
    start_triage,
)
from complaints.cases.history import Event, list_events
from complaints.cases.kept_terms import current_term
from complaints.cases.pausing import pauses_of
from complaints.cases.reading import QueueFilter, list_queue, rider_view
from complaints.cases.tables import CaseFile
from complaints.cases.verification import verify_authority
from complaints.cases.workflow import ForbiddenMove
from complaints.ids import new_id
from complaints.law.calendars import Calendar
from complaints.law.counting import Pause
from complaints.law.terms import response_term
from complaints.messages.tables import Outbox
from tests.complaints.cases.conftest import FileCase
from web.services import Services

PHONE = "+5521999990000"


class Desk:
    """Staff of Maricá on a case; each act in a transaction of its own, a number of days after it was filed."""

    def __init__(self, services: Services, town: Authority, case: CaseFile, filed_at: datetime) -> None:
        self.services, self.town, self.protocol, self.filed_at = services, town, case.protocol, filed_at
        self.staff = new_id()

    def act(self, days: float) -> Act:
        """This person, that many days after the filing."""
        return Act(self.services.keyring, self.town, self.staff, self.filed_at + timedelta(days=days))

    def do(self, days: float, what: object, *words: object, **more: object) -> CaseFile:
        """Do an act of staff; returns the case after it."""
        with self.services.database.write() as session:
            case = load_for_change(session, self.town.id, self.protocol)
            what(session, self.act(days), case, *words, **more)  # type: ignore[operator]
            return case

    def say(self, days: float, what: object, *words: object) -> CaseFile:
        """Do something as the rider."""
        with self.services.database.write() as session:
            case = load_for_change(session, self.town.id, self.protocol)
            what(session, case, *words, self.act(days).now)  # type: ignore[operator]
            return case

    def send(self, days: float, text: str = "Foi no ponto da praça.") -> CaseFile:
        """Write to the case as the rider."""
        with self.services.database.write() as session:
            case = load_for_change(session, self.town.id, self.protocol)
            add_text(session, case, text, "web", "rider", self.act(days).now)
            return case

    def archive_silent(self, days: float) -> int:
        """Let the worker look."""
        with self.services.database.write() as session:
            return dialogue.archive_unanswered(session, self.services.keyring, self.act(days).now)

    def events(self) -> tuple[Event, ...]:
        """The history."""
        with self.services.database.read() as session:
            case = session.exec(select(CaseFile).where(CaseFile.protocol == self.protocol)).one()
            return list_events(session, self.town.id, case.id)

    def notices(self) -> list[str]:
        """What was written to the rider."""
        with self.services.database.read() as session:
            return sorted(session.exec(select(Outbox.purpose)).all())

    def verify(self) -> None:
        """The case is what its history says."""
        with self.services.database.read() as session:
            assert verify_authority(session, self.town.id).faults == ()


@pytest.fixture
def desk(services: Services, file: FileCase, marica: Authority, now: datetime) -> Desk:
    """A case filed on 30 November 2026 by somebody with a phone."""
    return Desk(services, marica, file(phone=PHONE, name="Bia").case, now)


def test_a_complement_stops_the_term_and_its_arrival_starts_it_again(desk: Desk) -> None:
    case = desk.do(4, dialogue.ask_complement, "Que linha era?")
    assert (case.status, case.due_on, case.complement_due_on) == ("complement_requested", None, date(2026, 12, 24))
    assert desk.notices() == ["complement_requested", "receipt"]
    desk.verify()
    case = desk.send(14)
    assert (case.status, case.complement_due_on) == ("in_triage", None)
    term = current_term(desk.events())
    assert term is not None
    assert case.due_on == term.due == date(2027, 1, 11)
    assert sum(reason == "à espera de complemento" for _, _, reason in term.days) == 10
    desk.verify()


def test_a_complement_is_asked_for_once_and_in_words(desk: Desk) -> None:
    with pytest.raises(IncompleteAct):
        desk.do(1, dialogue.ask_complement, "  ")
    desk.do(1, dialogue.ask_complement, "Que linha era?")
    desk.send(2)
    with pytest.raises(IncompleteAct) as refused:
        desk.do(3, dialogue.ask_complement, "E a cor?")
    assert "uma vez" in refused.value.problems["pergunta"]


@pytest.mark.parametrize("days", [5, 20])
def test_the_authority_chooses_how_long_a_complement_may_take(desk: Desk, services: Services, days: int) -> None:
    if days != 20:
        with services.database.write() as session:
            today = desk.filed_at.date()
            add_choice(
                session, desk.town.id, "setting", "clock.complement_days", days,
                instrument="Portaria 1", effective_from=today, today=today, now=desk.filed_at,
            )  # fmt: skip
    assert desk.do(1, dialogue.ask_complement, "Quando?").complement_due_on == date(2026, 12, 1) + timedelta(days)


def test_what_does_not_come_archives_the_case_with_notice_and_words_bring_it_back(desk: Desk) -> None:
    desk.do(1, dialogue.ask_complement, "Que linha era?")
    assert desk.archive_silent(21) == 0, "its last day, on the clocks of Maricá"
    assert desk.archive_silent(22) == 1
    assert desk.archive_silent(23) == 0
    assert desk.notices() == ["archived", "complement_requested", "receipt"]
    last = desk.events()[-1]
    assert last.content is not None
    assert (last.kind, last.actor) == ("archived", "system")
    assert "21/12/2026" in str(last.content["text"])
    desk.verify()
    assert desk.send(30).review_requested
    desk.verify()


def test_a_complement_that_came_in_time_is_never_archived(desk: Desk) -> None:
    desk.do(1, dialogue.ask_complement, "Que linha era?")
    desk.send(2)
    assert desk.archive_silent(60) == 0


def test_reclassifying_and_extending_keep_the_pause(desk: Desk) -> None:
    desk.do(4, dialogue.ask_complement, "Que linha era?")
    desk.do(5, classify, ("inf-excesso-de-lotacao",))
    assert desk.do(6, extend_term, "Feriados").due_on is None
    case = desk.send(14)
    assert case.due_on == date(2027, 2, 8), "60 days, and 10 waited"
    desk.verify()


@pytest.mark.parametrize("end", ["answer", "archive", "withdraw"])
def test_a_case_that_ends_while_it_waits_is_whole(desk: Desk, end: str) -> None:
    desk.do(4, dialogue.ask_complement, "Que linha era?")
    if end == "answer":
        case = desk.do(6, answer, text="Feito.", measure="Nada.", outcome="informed")
    elif end == "archive":
        case = desk.do(6, archive, "Repetido.")
    else:
        case = desk.say(6, dialogue.withdraw, "")
    assert (case.complement_due_on, case.due_on) == (None, date(2027, 1, 4))
    desk.verify()
    assert desk.archive_silent(60) == 0


def test_forwarding_says_where_and_why_and_marks_the_service(desk: Desk) -> None:
    with pytest.raises(IncompleteAct) as refused:
        desk.do(1, dialogue.forward, to=" ", text="")
    assert set(refused.value.problems) == {"orgao", "explicacao"}
    case = desk.do(1, dialogue.forward, to="Detro-RJ", text="É linha intermunicipal.")
    assert (case.status, case.service, case.queue_rank) == ("forwarded", "outside", None)
    assert desk.notices() == ["forwarded", "receipt"]
    desk.verify()


def test_the_operator_gets_a_summary_and_the_rider_reads_neither_it_nor_the_reply(
    desk: Desk, services: Services
) -> None:
    desk.do(1, start_triage)
    case = desk.do(2, dialogue.send_to_operator, "Manhã de 30/11, linha 12.")
    assert case.status == "with_operator"
    sent = desk.events()[-1].content
    assert sent is not None
    assert sent["due_on"] == "2026-12-22"
    desk.do(3, dialogue.record_operator_answer, "A van estava na oficina.")
    with services.database.read() as session:
        case = session.exec(select(CaseFile).where(CaseFile.protocol == desk.protocol)).one()
        told = " ".join(" ".join(entry.content.values()) for entry in rider_view(session, case).timeline)
    assert "Manhã" not in told
    assert "oficina" not in told


def test_a_rating_counts_once_and_only_at_the_end(desk: Desk) -> None:
    with pytest.raises(ForbiddenMove):
        desk.say(1, dialogue.rate, "yes", "")
    desk.do(2, answer, text="Feito.", measure="Nada.", outcome="informed")
    with pytest.raises(KeyError):
        desk.say(3, dialogue.rate, "maybe", "")
    assert desk.say(3, dialogue.rate, "no", "A van passou direto de novo.").rating == "no"
    with pytest.raises(dialogue.AlreadySaid):
        desk.say(4, dialogue.rate, "yes", "")
    desk.verify()


def test_a_review_goes_to_a_person_who_keeps_the_answer_with_reasons(desk: Desk, services: Services) -> None:
    desk.do(2, answer, text="Feito.", measure="Nada.", outcome="informed")
    with pytest.raises(IncompleteAct):
        desk.do(3, dialogue.settle_review, "Não há novidade.")
    with pytest.raises(IncompleteAct):
        desk.say(3, dialogue.ask_review, " ")
    assert desk.say(3, dialogue.ask_review, "Não resolveu.").review_requested
    with pytest.raises(dialogue.AlreadySaid):
        desk.say(4, dialogue.ask_review, "Não resolveu!")
    with services.database.read() as session:
        assert [row.review_requested for row in list_queue(session, desk.town.id, QueueFilter())] == [True]
    case = desk.do(5, dialogue.settle_review, "Não há novidade.")
    assert (case.status, case.review_requested, case.queue_rank) == ("answered", False, None)
    assert desk.notices() == ["answered", "receipt", "review_settled"]
    desk.verify()


def test_a_case_taken_back_is_closed_and_says_so(desk: Desk) -> None:
    case = desk.say(1, dialogue.withdraw, "Resolvi com o motorista.")
    assert (case.status, case.queue_rank) == ("withdrawn", None)
    with pytest.raises(ForbiddenMove):
        desk.send(2)
    desk.verify()


@settings(suppress_health_check=[HealthCheck.differing_executors], deadline=None)
@given(
    received=st.dates(date(2024, 1, 1), date(2030, 1, 1)),
    gaps=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 25)), max_size=3),
)
def test_the_days_of_a_term_sum_up_whatever_the_waits(received: date, gaps: list[tuple[int, int]]) -> None:
    pauses, day = [], received
    for before, length in gaps:
        asked = day + timedelta(days=before)
        day = asked + timedelta(days=length)
        pauses.append(Pause(asked, day))
    term = response_term(received, Calendar(), pauses=tuple(pauses))
    assert term.due is not None
    idle = [row for row in term.derivation[1:] if not row.counted]
    assert len(idle) + 30 == (term.due - received).days
    assert all(row.day.weekday() > 4 or "espera" in row.reason or "depois do fim" in row.reason for row in idle)


def test_pauses_are_read_from_the_history_by_local_days(marica: Authority) -> None:
    midnight = datetime.fromisoformat("2026-12-02T02:30:00+00:00")  # still the first of December in Maricá
    events = [
        Event(1, "filed", midnight, "rider", {}, b""),
        Event(2, "complement_requested", midnight, "system", {}, b""),
        Event(3, "classified", midnight, "system", {}, b""),
        Event(4, "complement_received", midnight + timedelta(days=2), "rider", {}, b""),
        Event(5, "complement_requested", midnight + timedelta(days=3), "system", {}, b""),
    ]
    assert pauses_of(marica, events) == (Pause(date(2026, 12, 1), date(2026, 12, 3)), Pause(date(2026, 12, 4)))
