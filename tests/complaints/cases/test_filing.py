"""Filing a case, on both databases."""

import json
from datetime import date, datetime, timedelta

import pytest
from sqlmodel import select

from complaints.authorities.tables import Authority
from complaints.cases.filing import Filing, NothingSaid, add_text, file_case
from complaints.cases.follow import WrongKey, case_key, open_case
from complaints.cases.handling import load_for_change
from complaints.cases.history import list_events
from complaints.cases.identity import contact_of, is_reporter_phone
from complaints.cases.reading import rider_view
from complaints.cases.tables import CaseFile, CaseSubject, EventContent, Reporter
from complaints.law.rulebook import get_rulebook
from complaints.messages.tables import Outbox
from tests.complaints.cases.conftest import FileCase
from web.services import Services


def test_a_text_alone_is_a_case_with_protocol_key_and_federal_term(services: Services, file: FileCase) -> None:
    filed = file()
    case = filed.case
    assert (case.status, case.channel, case.kind, case.confidentiality) == (
        "received",
        "web",
        "complaint",
        "anonymous",
    )
    assert len(case.protocol) == 12
    assert len(filed.key) == 8
    assert case.clock_law_id == "br-13460-2017"
    assert case.due_on == date(2026, 12, 30)
    assert not filed.replay


def test_a_subject_alone_is_a_case(file: FileCase, marica: Authority) -> None:
    key = get_rulebook(marica.law_id).subjects[0].key
    assert file(text="", subjects=(key,)).case.protocol


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_nothing_said_is_nothing_filed(services: Services, file: FileCase, text: str) -> None:
    with pytest.raises(NothingSaid):
        file(text=text)
    with services.database.read() as session:
        assert session.exec(select(CaseFile)).all() == []


def test_the_same_key_is_one_case_and_one_message(services: Services, file: FileCase) -> None:
    first = file(phone="21 99999-1234")
    second = file(phone="21 99999-1234")
    assert second.case.protocol == first.case.protocol
    assert second.key == first.key
    assert (second.replay, second.differs) == (True, False)
    with services.database.read() as session:
        assert len(session.exec(select(CaseFile)).all()) == 1
        assert len(session.exec(select(Outbox)).all()) == 1


def test_the_same_key_with_other_words_makes_no_second_case_and_says_so(
    services: Services, file: FileCase
) -> None:
    first = file()
    second = file(text="Outra coisa.")
    assert (second.case.protocol, second.replay, second.differs) == (first.case.protocol, True, True)


def test_the_same_key_in_another_town_is_another_case(
    services: Services, file: FileCase, towns: dict[str, Authority], now: datetime
) -> None:
    first = file()
    filing = Filing(towns["canaa-dos-carajas"].id, "web", "web:one", text="Aqui também.")
    with services.database.write() as session:
        second = file_case(session, services.keyring, filing, now)
    assert second.case.protocol != first.case.protocol
    assert not second.replay


def test_unknown_subjects_are_left_out_and_known_ones_frozen(
    services: Services, file: FileCase, marica: Authority
) -> None:
    subject = get_rulebook(marica.law_id).subjects[0]
    case = file(subjects=("no-such-subject", subject.key, subject.key)).case
    with services.database.read() as session:
        (row,) = session.exec(select(CaseSubject).where(CaseSubject.case_id == case.id)).all()
    assert (row.key, row.label, row.law_id, row.chosen_by) == (subject.key, subject.label, marica.law_id, "rider")


def test_an_urgent_subject_goes_to_the_top(file: FileCase, marica: Authority) -> None:
    urgent = next(subject for subject in get_rulebook(marica.law_id).subjects if subject.urgent)
    assert file(subjects=(urgent.key,)).case.queue_rank == 0
    assert file(key="web:two").case.queue_rank == 1


def test_identity_is_sealed_apart_and_found_by_phone(services: Services, file: FileCase) -> None:
    case = file(name="Maria Planted", phone="(21) 9999-1234", email="Maria@Exemplo.invalid").case
    with services.database.read() as session:
        (row,) = session.exec(select(Reporter)).all()
        assert b"Planted" not in row.sealed
        assert contact_of(session, services.keyring, case).phone == "+5521999991234"
        assert is_reporter_phone(session, services.keyring, case, "021 99999-1234")
        assert not is_reporter_phone(session, services.keyring, case, "21 98888-1234")
        everything = " ".join(row.content or "" for row in session.exec(select(EventContent)).all())
    assert "Planted" not in everything
    assert "99991234" not in everything


def test_anonymous_keeps_nothing_even_when_typed(services: Services, file: FileCase) -> None:
    case = file(name="Maria Planted", phone="21 99999-1234", confidentiality="anonymous").case
    assert case.confidentiality == "anonymous"
    with services.database.read() as session:
        assert session.exec(select(Reporter)).all() == []
        assert session.exec(select(Outbox)).all() == []


def test_a_confidential_subject_is_confidential_unless_the_rider_says_otherwise(
    file: FileCase, marica: Authority
) -> None:
    subject = next(s for s in get_rulebook(marica.law_id).subjects if s.confidential)
    given = {"subjects": (subject.key,), "phone": "21 99999-1234"}
    assert file(**given).case.confidentiality == "confidential"
    assert file(key="web:two", **given, confidentiality="named").case.confidentiality == "named"
    assert file(key="web:three", phone="21 99999-1234").case.confidentiality == "named"


def test_a_wrong_seal_is_a_finding_and_never_a_refusal(file: FileCase) -> None:
    case = file(seal="K7M29PXQZ", plate="ABC-0000").case
    assert json.loads(case.findings)["findings"] == ["seal_malformed", "plate_unknown"]
    assert (case.seal_typed, case.plate_typed) == ("K7M29PXQZ", "ABC-0000")


def test_key_opens_the_case_in_any_spelling_and_only_in_its_town(
    services: Services, file: FileCase, marica: Authority, towns: dict[str, Authority]
) -> None:
    filed = file()
    spelled = f" {filed.key[:4].lower()}-{filed.key[4:]} "
    with services.database.read() as session:
        assert open_case(session, services.keyring, marica.id, filed.case.protocol, spelled).id == filed.case.id
        for town, protocol, key in (
            (marica, filed.case.protocol, "22222222"),
            (marica, filed.case.protocol, "É"),
            (marica, "000000000000", filed.key),
            (towns["rio-das-ostras"], filed.case.protocol, filed.key),
        ):
            with pytest.raises(WrongKey):
                open_case(session, services.keyring, town.id, protocol, key)


def test_a_new_key_generation_is_a_new_key(services: Services, file: FileCase) -> None:
    filed = file()
    filed.case.key_generation += 1
    assert case_key(services.keyring, filed.case) != filed.key


def test_added_words_stand_in_the_history_and_on_the_page(
    services: Services, file: FileCase, marica: Authority, now: datetime
) -> None:
    protocol = file().case.protocol
    with services.database.write() as session:
        case = load_for_change(session, marica.id, protocol)
        add_text(session, case, "Era a placa LMX.", "web", "rider", now + timedelta(hours=1))
    with services.database.read() as session:
        events = list_events(session, marica.id, case.id)
        assert [event.kind for event in events] == ["filed", "text_added"]
        assert events[1].content == {"channel": "web", "text": "Era a placa LMX."}
        assert rider_view(session, case).timeline[-1].content == {"text": "Era a placa LMX."}
