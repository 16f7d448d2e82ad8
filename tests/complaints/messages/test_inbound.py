"""Conversations by text, on both databases: what is filed, what is answered, and when nothing is."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from uuid import UUID, uuid4

import pytest
from sqlmodel import col, select

from complaints.authorities.tables import Authority
from complaints.cases.filing import Filing, file_case
from complaints.cases.follow import case_key
from complaints.cases.handling import Act, answer, archive
from complaints.cases.history import list_events
from complaints.cases.tables import CaseFile
from complaints.messages.gsm7 import count_segments
from complaints.messages.inbound import answer_inbound
from complaints.messages.inbox import store_pairs
from complaints.messages.outbox import open_message
from complaints.messages.tables import InboundMessage, Outbox
from complaints.messages.wording import finish_text
from complaints.registry.seals import issue_seal, revoke_seal
from complaints.registry.tables import Seal
from complaints.registry.vehicles import register_vehicle
from tests.conftest import StandingClock
from tests.fake_twilio import inbound_fields
from web.services import Services

PHONE = "+5521999998888"
MARICA, MARECHAL = "+5521900000001", "+5527900000002"
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


@dataclass
class Phone:
    """A telephone that texts an authority and reads what comes back."""

    services: Services
    clock: StandingClock
    number: str = PHONE
    to: str = MARICA
    read: set[object] = field(default_factory=set)

    def text(self, body: str, after: timedelta = HOUR, **fields: str) -> list[str]:
        """Text after a while; the new answers, as they go out."""
        self.clock.advance(after)
        sid = fields.pop("sid", f"SM{uuid4().hex}")
        pairs = inbound_fields(sid, self.number, self.to, body, **fields)
        with self.services.database.write() as session:
            row_id = store_pairs(session, self.services.keyring, pairs, self.clock())
        with self.services.database.write() as session:
            answer_inbound(session, self.services.keyring, row_id, self.clock())
        return self.answers()

    def answers(self) -> list[str]:
        """Answers not read yet."""
        with self.services.database.read() as session:
            rows = session.exec(select(Outbox).order_by(col(Outbox.id))).all()
        new = []
        for row in rows:
            message = open_message(self.services.keyring, row)
            if row.id not in self.read and message.recipient == self.number:
                self.read.add(row.id)
                assert message.sender == self.to, "answers come from the number that was texted"
                new.append(finish_text(row.channel, message.text, "https://t.example"))
                assert row.channel != "sms" or count_segments(new[-1]) <= 2
        return new

    def cases(self) -> list[CaseFile]:
        """All cases there are, in order."""
        with self.services.database.read() as session:
            return list(session.exec(select(CaseFile).order_by(col(CaseFile.id))))

    def words(self) -> list[str]:
        """What each text was understood as, in order."""
        with self.services.database.read() as session:
            rows = session.exec(select(InboundMessage).order_by(col(InboundMessage.received_at)))
            return [row.understood_as for row in rows]

    def texts_of(self, case: CaseFile) -> list[object]:
        """What the rider said in a case, in order."""
        with self.services.database.read() as session:
            events = list_events(session, case.authority_id, case.id)
        return [event.content["text"] for event in events if event.content and event.actor == "rider"]


@pytest.fixture
def phone(services: Services, towns: dict[str, Authority], clock: StandingClock) -> Phone:
    """A telephone that texts Maricá."""
    return Phone(services, clock)


@pytest.fixture
def new_phone(services: Services, towns: dict[str, Authority], clock: StandingClock) -> Callable[..., Phone]:
    """Another telephone."""
    return lambda number, to=MARICA: Phone(services, clock, number, to)


@pytest.fixture
def seal(services: Services, towns: dict[str, Authority], clock: StandingClock) -> Seal:
    """A valid seal on a van of Maricá."""
    with services.database.write() as session:
        van = register_vehicle(
            session, towns["marica"].id, "LZZ-1023", kind="van", service="complementary", colour="branca",
            line_id="e01", line_name="E01 Centro x Itaipuaçu",
        )  # fmt: skip
        return issue_seal(session, van, date(2027, 3, 1), None, clock())


def case_of(phone: Phone) -> CaseFile:
    (case,) = phone.cases()
    return case


def test_seal_and_text_in_one_message_become_a_case_and_the_reply_has_the_protocol(
    phone: Phone, seal: Seal, services: Services
) -> None:
    (reply,) = phone.text(f"{seal.code.lower()} motorista no zap dirigindo, linha 12")
    case = case_of(phone)
    assert (case.channel, case.kind, case.status) == ("sms", "complaint", "received")
    assert (case.seal_id, case.vehicle_id) == (seal.id, seal.vehicle_id)
    assert (case.line_name, case.confidentiality) == ("12", "named")
    assert phone.texts_of(case) == [f"{seal.code.lower()} motorista no zap dirigindo, linha 12"]
    protocol = f"{case.protocol[:4]} {case.protocol[4:8]} {case.protocol[8:]}"
    assert f"Protocolo {protocol}" in reply
    assert case_key(services.keyring, case) in reply
    assert "Lei federal 13.460/2017" in reply
    assert phone.words() == ["complaint"]


def test_the_same_message_again_is_the_same_case_and_gets_no_second_reply(phone: Phone) -> None:
    assert len(phone.text("a van passou direto", sid="SM1")) == 1
    assert phone.text("a van passou direto", sid="SM1") == []
    assert len(phone.cases()) == 1


def test_a_text_without_seal_is_a_case_too(phone: Phone) -> None:
    phone.text("esperei 50 min e qdo veio passou direto")
    assert case_of(phone).vehicle_id is None


def test_a_near_miss_is_kept_as_typed_and_said_to_staff(phone: Phone) -> None:
    (reply,) = phone.text("selo 7K2 M9P XQW sem ar")
    case = case_of(phone)
    assert case.seal_typed == "7K2 M9P XQW"
    assert "seal_malformed" in case.findings
    assert "Protocolo" in reply


def test_the_seal_decides_whose_case_it_is_whatever_number_was_texted(
    new_phone: Callable[..., Phone], seal: Seal, towns: dict[str, Authority]
) -> None:
    phone = new_phone(PHONE, to=MARECHAL)
    (reply,) = phone.text(f"{seal.code} sem cinto")
    assert case_of(phone).authority_id == towns["marica"].id
    assert reply.startswith("EPT: ")
    assert phone.text("e o pneu careca", after=30 * SECOND) == []
    assert len(phone.cases()) == 1


def test_a_number_nobody_has_is_stored_and_not_answered(new_phone: Callable[..., Phone]) -> None:
    phone = new_phone(PHONE, to="+5511900000000")
    assert phone.text("a van passou direto") == []
    assert (phone.cases(), phone.words()) == ([], ["no_authority"])


@pytest.mark.parametrize("number", ["27182", "271828", "CLARO", ""])
def test_short_codes_and_named_senders_are_stored_and_never_answered(
    new_phone: Callable[..., Phone], number: str
) -> None:
    phone = new_phone(number)
    assert phone.text("Sua recarga de R$ 20 foi feita com sucesso") == []
    assert (phone.cases(), phone.words()) == ([], ["machine"])


def test_a_text_in_pieces_is_one_case_with_one_protocol(phone: Phone) -> None:
    assert len(phone.text("a van passou direto no ponto da upa e o mot")) == 1
    assert phone.text("orista ainda riu da minha cara", after=40 * SECOND) == []
    assert phone.text("foi hj as 7", after=80 * SECOND) == []
    assert phone.texts_of(case_of(phone)) == [
        "a van passou direto no ponto da upa e o mot",
        "orista ainda riu da minha cara",
        "foi hj as 7",
    ]
    assert phone.words() == ["complaint", "continued", "continued"]


def test_thanks_between_the_pieces_do_not_tear_them_apart(phone: Phone) -> None:
    phone.text("a van passou direto no ponto")
    phone.text("ok", after=20 * SECOND)
    assert phone.text("era a branca da linha 12", after=30 * SECOND) == []
    assert len(phone.cases()) == 1


def test_a_text_much_later_is_another_case(phone: Phone) -> None:
    phone.text("a van passou direto no ponto")
    assert len(phone.text("hoje a van veio lotada demais", after=2 * MINUTE)) == 1
    assert len(phone.cases()) == 2


def test_another_person_is_another_case(phone: Phone, new_phone: Callable[..., Phone]) -> None:
    phone.text("a van passou direto no ponto")
    new_phone("+5521988887777").text("a van passou direto no ponto", after=SECOND)
    assert len(phone.cases()) == 2


def test_the_same_words_again_are_not_a_second_case(phone: Phone) -> None:
    phone.text("A van passou direto no ponto!")
    (reminder,) = phone.text("a van passou direto no ponto", after=20 * MINUTE)
    case = case_of(phone)
    assert case.protocol[:4] in reminder
    assert "registrada" in reminder
    assert len(phone.texts_of(case)) == 1


def test_a_seal_alone_is_answered_and_waits_for_what_happened(phone: Phone, seal: Seal) -> None:
    (state,) = phone.text(f"selo {seal.code}")
    assert "valido até 01/03/2027" in state
    assert "LZZ1A23, van branca" in state
    assert phone.cases() == []
    (receipt,) = phone.text("o motorista nao deu troco", after=23 * HOUR)
    assert "Protocolo" in receipt
    assert case_of(phone).seal_id == seal.id


def test_a_seal_waits_no_longer_than_a_day_and_only_for_one_case(phone: Phone, seal: Seal) -> None:
    phone.text(seal.code)
    phone.text("o motorista nao deu troco", after=25 * HOUR)
    assert phone.cases()[-1].seal_id is None
    phone.text(seal.code, after=48 * HOUR)
    phone.text("outro dia sem troco", after=HOUR)
    phone.text("hoje a van nao veio", after=HOUR)
    assert [case.seal_id for case in phone.cases()] == [None, seal.id, None]


def test_a_seal_that_waits_can_be_cancelled(phone: Phone, seal: Seal) -> None:
    phone.text(seal.code)
    (reply,) = phone.text("cancelar", after=MINUTE)
    assert "nada foi registrado" in reply
    phone.text("o motorista nao deu troco", after=MINUTE)
    assert case_of(phone).seal_id is None


def test_a_seal_sent_after_the_complaint_goes_into_its_case(phone: Phone, seal: Seal) -> None:
    phone.text("o motorista nao deu troco")
    assert phone.text(seal.code, after=10 * MINUTE) == []
    assert phone.texts_of(case_of(phone)) == ["o motorista nao deu troco", seal.code]


@pytest.mark.parametrize(
    ("state", "said"), [("expired", "VENCIDO, valia até 01/03/2027"), ("revoked", "CANCELADO")]
)
def test_an_expired_or_revoked_seal_is_said_to_be_so(
    phone: Phone, seal: Seal, services: Services, clock: StandingClock, state: str, said: str
) -> None:
    if state == "revoked":
        with services.database.write() as session:
            revoke_seal(session, session.get_one(Seal, (seal.authority_id, seal.id)), "batida", clock())
    else:
        clock.advance(timedelta(days=120))
    (reply,) = phone.text(seal.code)
    assert said in reply


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("7K2M9PXQV", "O selo 7K2 M9P XQV nao está no nosso cadastro".replace("á", "a")),
        ("7K2M9PXQW", "nao confere"),
        ("placa LZZ-1023", "LZZ1A23, van branca. Selo: valido"),
        ("placa ABC-1234", "Essa placa nao esta no nosso cadastro"),
    ],
)
def test_what_is_known_of_a_seal_or_plate_is_answered(phone: Phone, seal: Seal, body: str, said: str) -> None:
    (reply,) = phone.text(body)
    assert said in reply
    assert phone.words() == ["vehicle"]


def test_a_greeting_gets_one_kind_help_and_then_silence_for_an_hour(phone: Phone) -> None:
    (reply,) = phone.text("oi")
    assert "escreva o que aconteceu" in reply
    for body in ("bom dia", "kkkk", "lotada", ""):
        assert phone.text(body, after=MINUTE) == []
    assert len(phone.text("alo", after=HOUR)) == 1
    assert len(phone.text("ajuda", after=MINUTE)) == 1, "who asks for help gets it"


def test_somebody_who_greets_after_complaining_is_reminded_of_the_case(phone: Phone) -> None:
    phone.text("a van passou direto no ponto")
    (reply,) = phone.text("oi, alguém aí?", after=5 * MINUTE)
    assert case_of(phone).protocol[-4:] in reply
    assert "Recebida" in reply


def test_thanks_are_not_answered(phone: Phone) -> None:
    assert phone.text("obrigada 🙏") == []
    assert phone.words() == ["thanks"]


@pytest.mark.parametrize(("body", "address"), [("linha 5", "/marica/linhas"), ("tarifa", "/marica/tarifas")])
def test_a_bare_question_is_answered_at_once_and_is_no_case(phone: Phone, body: str, address: str) -> None:
    (reply,) = phone.text(body)
    assert f"https://t.example{address}" in reply
    assert phone.cases() == []


def test_a_town_without_lines_sends_no_one_to_pages_it_does_not_have(new_phone: Callable[..., Phone]) -> None:
    (reply,) = new_phone(PHONE, to="+5522900000004").text("tarifa")
    assert "/tarifas" not in reply


def test_the_phone_that_filed_follows_by_protocol_alone_and_gets_the_answer(
    phone: Phone, services: Services, towns: dict[str, Authority], clock: StandingClock
) -> None:
    phone.text("a van passou direto no ponto")
    protocol = case_of(phone).protocol
    (reply,) = phone.text(protocol)
    assert "Recebida" in reply
    act = Act(services.keyring, towns["marica"], UUID(int=1), clock())
    with services.database.write() as session:
        case = session.get_one(CaseFile, (case_of(phone).authority_id, case_of(phone).id))
        answer(session, act, case, text="O veículo foi vistoriado.", measure="Vistoria.", outcome="inspected")
    (notice,) = phone.answers()
    assert "RESPONDIDA" in notice
    (reply,) = phone.text(f"protocolo {protocol}")
    assert "Respondida." in reply
    assert "Resposta: O veiculo foi vistoriado." in reply


def test_the_phone_is_known_without_its_ninth_digit_too(phone: Phone, new_phone: Callable[..., Phone]) -> None:
    phone.text("a van passou direto no ponto")
    (reply,) = new_phone("+552199998888").text(case_of(phone).protocol)
    assert "Recebida" in reply


def test_another_phone_needs_the_key_and_is_told_nothing_without_it(
    phone: Phone, new_phone: Callable[..., Phone], services: Services
) -> None:
    phone.text("a van passou direto no ponto")
    protocol, key = case_of(phone).protocol, case_key(services.keyring, case_of(phone))
    other = new_phone("+5521988887777")
    (refused,) = other.text(protocol)
    (unknown,) = other.text("123456789018")
    assert refused == unknown, "whether a case exists is not told"
    assert "Recebida" not in refused
    assert other.text(f"{protocol} 22222222") == [refused]
    (opened,) = other.text(f"{protocol} {key[:4]}-{key[4:].lower()}")
    assert "Recebida" in opened


def test_a_key_cannot_be_guessed_by_texting(
    phone: Phone, new_phone: Callable[..., Phone], services: Services
) -> None:
    phone.text("a van passou direto no ponto")
    protocol, key = case_of(phone).protocol, case_key(services.keyring, case_of(phone))
    for number in range(11):
        new_phone(f"+55219888877{number:02d}").text(f"{protocol} 2222222{number % 8 + 2}", after=SECOND)
    (reply,) = new_phone("+5521988886666").text(f"{protocol} {key}", after=SECOND)
    assert "Recebida" not in reply, "not even with the right key, until an hour has passed"
    (reply,) = new_phone("+5521988886666").text(f"{protocol} {key}", after=2 * HOUR)[-1:]
    assert "Recebida" in reply


def test_words_beside_the_protocol_are_added_to_the_case(phone: Phone) -> None:
    phone.text("a van passou direto no ponto")
    case = case_of(phone)
    (reply,) = phone.text(f"{case.protocol} era a van branca das 7h")
    assert "Juntamos a sua mensagem" in reply
    assert phone.texts_of(case)[-1] == "era a van branca das 7h"


def test_words_for_somebody_elses_case_become_a_case_of_their_own(
    phone: Phone, new_phone: Callable[..., Phone]
) -> None:
    phone.text("a van passou direto no ponto")
    (reply,) = new_phone("+5521988887777").text(f"{case_of(phone).protocol} comigo tambem passou direto")
    assert len(phone.cases()) == 2
    assert phone.cases()[1].protocol[-4:] in reply


def test_a_closed_case_takes_words_as_long_as_its_table_says(
    phone: Phone, services: Services, towns: dict[str, Authority], clock: StandingClock
) -> None:
    phone.text("a van passou direto no ponto")
    act = Act(services.keyring, towns["marica"], UUID(int=1), clock())
    with services.database.write() as session:
        case = session.get_one(CaseFile, (case_of(phone).authority_id, case_of(phone).id))
        archive(session, act, case, "Faltou dizer qual era a van.")
    phone.answers()
    (reply,) = phone.text(case_of(phone).protocol)
    assert "Arquivada" in reply
    assert "Motivo: Faltou dizer qual era a van." in reply


def test_an_unreadable_protocol_is_said_to_be_so(phone: Phone) -> None:
    (reply,) = phone.text("1234 5678 9012")
    assert "nao confere" in reply
    assert phone.cases() == []


def test_who_stops_gets_no_notices_but_still_a_receipt_and_may_start_again(
    phone: Phone, services: Services, towns: dict[str, Authority], clock: StandingClock
) -> None:
    phone.text("a van passou direto no ponto")
    (stopped,) = phone.text("PARAR")
    assert "VOLTAR" in stopped
    assert len(phone.text("hoje a van veio lotada demais")) == 1, "the proof of receipt is owed"
    act = Act(services.keyring, towns["marica"], UUID(int=1), clock())
    for case in phone.cases():
        with services.database.write() as session:
            row = session.get_one(CaseFile, (case.authority_id, case.id))
            answer(session, act, row, text="Vistoriado.", measure="Vistoria.", outcome="inspected")
    with services.database.read() as session:
        notices = session.exec(select(Outbox).where(Outbox.purpose == "answered")).all()
    assert {(notice.state, notice.error) for notice in notices} == {("parked", "asked for no more messages")}
    phone.answers()
    (started,) = phone.text("voltar")
    assert "volta a receber" in started
    phone.text("mais uma vez lotada")
    with services.database.write() as session:
        case = phone.cases()[-1]
        answer(
            session,
            act,
            session.get_one(CaseFile, (case.authority_id, case.id)),
            text="Ok.",
            measure="Nada.",
            outcome="informed",
        )
    assert any("RESPONDIDA" in text for text in phone.answers())


@pytest.mark.parametrize(("kind", "word"), [("STOP", "stopped"), ("START", "started"), ("HELP", "help")])
def test_what_the_gateway_answered_itself_is_only_kept(phone: Phone, kind: str, word: str) -> None:
    assert phone.text("PARAR", OptOutType=kind) == []
    assert phone.words() == [word]


def test_danger_comes_first_in_the_reply_and_to_the_top_of_the_queue(phone: Phone) -> None:
    (reply,) = phone.text("ajuda o motorista tá bêbado")
    assert reply.startswith("EPT: Se ha perigo agora, ligue 190")
    case = case_of(phone)
    assert (case.urgent, case.queue_rank) == (True, 0)
    assert case.protocol[-4:] in reply


def test_danger_that_is_news_is_a_case_of_its_own_even_in_the_same_breath(phone: Phone) -> None:
    phone.text("a van passou direto no ponto")
    assert len(phone.text("agora tem um cara armado aqui", after=20 * SECOND)) == 1
    assert [case.urgent for case in phone.cases()] == [False, True]


def test_harassment_and_who_asks_for_it_are_confidential(phone: Phone) -> None:
    phone.text("um homem passou a mão em mim na van")
    phone.text("motorista grosso, peço sigilo")
    assert [case.confidentiality for case in phone.cases()] == ["confidential", "confidential"]


def test_a_wish_to_die_is_answered_humanely_first_and_the_protocol_comes_later(
    phone: Phone, services: Services, clock: StandingClock
) -> None:
    first, _ = phone.text("cansei de tudo, quero morrer")
    assert "188" in first
    assert "Protocolo" not in first
    assert case_of(phone).confidentiality == "confidential"
    with services.database.read() as session:
        due = {row.purpose: row.due_at - clock() for row in session.exec(select(Outbox))}
    assert due == {"reply_life": timedelta(0), "receipt": timedelta(minutes=10)}


def test_machines_that_answer_answers_are_met_with_silence(phone: Phone) -> None:
    replies = [reply for number in range(30) for reply in phone.text(f"ajuda{'!' * number}", after=MINUTE)]
    assert len(replies) == 10
    assert len(phone.text("ajuda", after=HOUR)) == 1


def test_a_flood_of_texts_is_kept_whole_in_the_last_case(phone: Phone) -> None:
    bodies = [f"a van da linha {number} nao veio hoje" for number in range(14)]
    replies = [reply for body in bodies for reply in phone.text(body, after=2 * MINUTE)]
    cases = phone.cases()
    assert len(replies) == len(cases) == 10
    assert [text for case in cases for text in phone.texts_of(case)] == bodies


def test_whatsapp_without_a_number_is_answered_where_it_came_from(new_phone: Callable[..., Phone]) -> None:
    phone = new_phone("whatsapp:BR.15021234567", to=f"whatsapp:{MARICA}")
    (reply,) = phone.text("a van não parou no ponto", ExternalUserId="BR.15021234567")
    case = case_of(phone)
    assert case.channel == "whatsapp"
    assert "Recebemos. Protocolo" in reply
    (status,) = phone.text(case.protocol, ExternalUserId="BR.15021234567")
    assert "Recebida" in status


def test_a_picture_without_words_gets_the_help(phone: Phone) -> None:
    (reply,) = phone.text(
        "", NumMedia="1", MediaUrl0="https://api.twilio.example/m", MediaContentType0="image/jpeg"
    )
    assert "escreva o que aconteceu" in reply


def test_texts_left_unanswered_are_answered_in_order_with_the_next_one(
    phone: Phone, services: Services, clock: StandingClock
) -> None:
    for number, body in enumerate(("a van passou direto no po", "nto da upa")):
        pairs = inbound_fields(f"SMleft{number}", PHONE, MARICA, body)
        with services.database.write() as session:
            store_pairs(session, services.keyring, pairs, clock.advance(10 * SECOND))
    assert len(phone.text("hoje cedo mesmo", after=10 * SECOND)) == 1
    assert phone.texts_of(case_of(phone)) == ["a van passou direto no po", "nto da upa", "hoje cedo mesmo"]


def test_a_web_case_with_this_phone_is_followed_by_text(
    phone: Phone, services: Services, towns: dict[str, Authority], clock: StandingClock
) -> None:
    marica = towns["marica"].id or 0
    filing = Filing(marica, "web", "web:1", text="Passou direto.", phone="(21) 99999-8888")
    with services.database.write() as session:
        case = file_case(session, services.keyring, filing, clock()).case
    with services.database.read() as session:
        (row,) = session.exec(select(Outbox)).all()
    assert (row.channel, row.purpose) == ("sms", "receipt")
    phone.read.add(row.id)
    (reply,) = phone.text(case.protocol)
    assert "Recebida" in reply


def test_the_text_itself_is_sealed(phone: Phone, services: Services) -> None:
    phone.text("meu nome é João da Silva e a van não veio")
    with services.database.read() as session:
        (row,) = session.exec(select(InboundMessage)).all()
    assert b"Silva" not in row.sealed
    assert PHONE[3:].encode() not in row.sealed
