"""Where the message service calls: signatures, what is stored, what is answered."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from threading import Barrier, Thread
from urllib.parse import urlencode

import pytest
from sqlmodel import col, select
from starlette.testclient import TestClient

from complaints.authorities.tables import Authority
from complaints.cases.tables import CaseFile
from complaints.messages.inbox import open_inbound
from complaints.messages.outbox import enqueue
from complaints.messages.tables import GatewayEvent, InboundMessage, Outbox
from tests.fake_twilio import inbound_fields, sign
from web import messaging
from web.app import create_app
from web.services import Services

PUBLIC = "https://transporte.example"
MESSAGE, STATUS = "/webhooks/twilio/mensagem", "/webhooks/twilio/situacao"
OLD, NEW = "token being replaced", "token that replaces it"
PHONE, MARICA = "+5521999998888", "+5521900000001"
EMPTY = '<?xml version="1.0" encoding="UTF-8"?>\n<Response/>\n'
FORM = "application/x-www-form-urlencoded; charset=UTF-8"

Fields = Sequence[tuple[str, str]]


@pytest.fixture
def signed_services(services: Services, towns: dict[str, Authority]) -> Services:
    """A production server with two tokens, behind a proxy that hides its own address."""
    settings = replace(services.settings, public_url=PUBLIC, twilio_auth_tokens=(NEW, OLD))
    return replace(services, settings=settings)


@pytest.fixture
def gateway(signed_services: Services) -> Iterator[TestClient]:
    """The message service in front of the application, as seen from behind the proxy."""
    with TestClient(create_app(signed_services), base_url="http://10.0.0.5:8000") as client:
        yield client


def call(
    gateway: TestClient, path: str, fields: Fields, *, token: str = NEW, signed: str = "", algorithm: str = "sha1",
    **headers: str,
) -> tuple[int, str]:  # fmt: skip
    """Post a form signed for the public address; status and body of the answer."""
    signature = sign(signed or PUBLIC + path, fields, token, algorithm)
    answer = gateway.post(
        path,
        content=urlencode(fields),
        headers={"Content-Type": FORM, "X-Twilio-Signature": signature, **headers},
    )
    assert answer.headers["content-type"].startswith("text/xml")
    return answer.status_code, answer.text


def text(body: str = "a van passou direto", sid: str = "SM1", **more: str) -> list[tuple[str, str]]:
    return inbound_fields(sid, PHONE, MARICA, body, **more)


def count(services: Services) -> tuple[int, int, int]:
    """Texts, cases and answers there are."""
    with services.database.read() as session:
        return (
            len(session.exec(select(InboundMessage.id)).all()),
            len(session.exec(select(CaseFile.id)).all()),
            len(session.exec(select(Outbox.id)).all()),
        )


def test_a_signed_text_becomes_a_case_and_the_answer_is_empty(gateway: TestClient, services: Services) -> None:
    assert call(gateway, MESSAGE, text()) == (200, EMPTY)
    assert count(services) == (1, 1, 1), "the reply goes through the outbox"


def test_the_same_message_again_is_the_same_case_and_no_second_reply(
    gateway: TestClient, services: Services
) -> None:
    for _ in range(3):
        assert call(gateway, MESSAGE, text()) == (200, EMPTY)
    assert count(services) == (1, 1, 1)


def test_the_same_message_many_times_at_once_is_one_case_and_one_reply(
    gateway: TestClient, services: Services
) -> None:
    start = Barrier(8)
    statuses = []

    def retry() -> None:
        start.wait()
        statuses.append(call(gateway, MESSAGE, text())[0])

    threads = [Thread(target=retry) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 8
    assert count(services) == (1, 1, 1)


@pytest.mark.parametrize(
    "fields",
    [
        text(),
        list(reversed(text())),
        text("  blanks around, kept as they are  "),
        text("ação, coração & 50% + $ ' \" <b> €"),
        text("linha\nquebrada\te tabulada"),
        text("👏🏽 tudo bem"),
        text(""),
        [*text(), ("MediaUrl0", "https://a.example"), ("MediaUrl0", "https://b.example")],
        [*text(), ("Novo Campo", "que ninguém avisou"), ("Vazio", "")],
    ],
)
def test_every_pair_is_signed_whatever_it_holds(gateway: TestClient, fields: Fields) -> None:
    assert call(gateway, MESSAGE, fields)[0] == 200


@pytest.mark.parametrize(
    ("path", "signed"),
    [
        (MESSAGE, PUBLIC + MESSAGE),
        (MESSAGE, PUBLIC.replace("example", "example:443") + MESSAGE),
        (f"{MESSAGE}?a=%20b+c&d=%27", f"{PUBLIC}{MESSAGE}?a=%20b+c&d=%27"),
        (f"{MESSAGE}?cidade=Maric%C3%A1", f"{PUBLIC}{MESSAGE}?cidade=Maric%C3%A1"),
    ],
)
def test_the_public_address_is_what_counts_with_its_query_as_sent(
    gateway: TestClient, path: str, signed: str
) -> None:
    assert call(gateway, path, text(), signed=signed)[0] == 200


@pytest.mark.parametrize("token", [OLD, NEW])
def test_either_token_is_taken_while_one_replaces_the_other(gateway: TestClient, token: str) -> None:
    assert call(gateway, MESSAGE, text(), token=token)[0] == 200


@pytest.mark.parametrize(
    "signed",
    [
        f"http://transporte.example{MESSAGE}",
        f"http://10.0.0.5:8000{MESSAGE}",
        f"{PUBLIC}{MESSAGE}/",
        f"{PUBLIC}{MESSAGE}?x=1",
        f"{PUBLIC}{STATUS}",
        f"https://attacker.example{MESSAGE}",
    ],
)
def test_a_signature_for_another_address_is_refused(gateway: TestClient, services: Services, signed: str) -> None:
    assert call(gateway, MESSAGE, text(), signed=signed) == (403, EMPTY)
    assert count(services) == (0, 0, 0)


def test_an_address_in_the_headers_is_never_believed(gateway: TestClient, services: Services) -> None:
    headers = {"Host": "attacker.example", "X-Forwarded-Host": "attacker.example", "X-Forwarded-Proto": "https"}
    status, _ = call(gateway, MESSAGE, text(), signed=f"https://attacker.example{MESSAGE}", **headers)
    assert status == 403
    assert call(gateway, MESSAGE, text(), **headers)[0] == 200


@pytest.mark.parametrize("signature", [None, "", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "é", "a" * 10_000])
def test_no_signature_and_a_wrong_one_are_refused_alike(
    gateway: TestClient, services: Services, signature: str | None
) -> None:
    headers = {b"Content-Type": FORM.encode()}
    if signature is not None:
        headers[b"X-Twilio-Signature"] = signature.encode()
    for path in (MESSAGE, STATUS):
        answer = gateway.post(path, content=urlencode(text()), headers=headers)
        assert (answer.status_code, answer.text) == (403, EMPTY)
    assert count(services) == (0, 0, 0)


def test_one_changed_pair_is_refused(gateway: TestClient, services: Services) -> None:
    signature = sign(PUBLIC + MESSAGE, text("a"), NEW)
    answer = gateway.post(
        MESSAGE, content=urlencode(text("b")), headers={"Content-Type": FORM, "X-Twilio-Signature": signature}
    )
    assert answer.status_code == 403
    assert count(services) == (0, 0, 0)


def test_a_body_that_is_no_form_is_refused_and_nothing_falls_over(gateway: TestClient) -> None:
    for content in (b"\xff\xfe\x00", b'{"Body": "json"}', b"", b"&".join([b"a=b"] * 2000)):
        answer = gateway.post(MESSAGE, content=content, headers={"X-Twilio-Signature": "x"})
        assert answer.status_code in (400, 403)


def test_a_json_body_with_its_hash_in_the_address_cannot_pass_as_a_form(
    gateway: TestClient, services: Services
) -> None:
    path = f"{MESSAGE}?bodySHA256={'0' * 64}"
    signature = sign(PUBLIC + path, [], NEW)
    answer = gateway.post(
        path, content=urlencode(text()), headers={"Content-Type": FORM, "X-Twilio-Signature": signature}
    )
    assert answer.status_code == 403
    assert count(services) == (0, 0, 0)


def test_a_call_signed_by_shared_key_is_checked_by_its_own_algorithm(gateway: TestClient) -> None:
    settings = {"X-Twilio-Webhooks-Signature-Settings": "key=webhooks_sharedkey_1,algorithm=HMAC_SHA256"}
    assert call(gateway, MESSAGE, text(), algorithm="sha256", **settings)[0] == 200
    assert call(gateway, MESSAGE, text(), algorithm="sha1", **settings)[0] == 403
    assert call(gateway, MESSAGE, text(), algorithm="sha256")[0] == 403
    unknown = {"X-Twilio-Webhooks-Signature-Settings": "key=k,algorithm=HMAC_MD5"}
    assert call(gateway, MESSAGE, text(), **unknown)[0] == 403


def test_without_a_token_the_webhook_says_so_and_stores_nothing(
    services: Services, towns: dict[str, Authority]
) -> None:
    settings = replace(services.settings, public_url=PUBLIC)
    with TestClient(create_app(replace(services, settings=settings))) as gateway:
        for path in (MESSAGE, STATUS):
            assert call(gateway, path, text()) == (503, EMPTY)
    assert count(services) == (0, 0, 0)


def test_only_post_is_answered(gateway: TestClient) -> None:
    assert gateway.get(MESSAGE).status_code == 405


def test_the_text_is_stored_before_anything_else_and_answered_later_when_that_fails(
    gateway: TestClient, services: Services, signed_services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a defect")

    with monkeypatch.context() as patched:
        patched.setattr(messaging, "answer_inbound", fail)
        assert call(gateway, MESSAGE, text()) == (200, EMPTY)
        assert count(services) == (1, 0, 0)
        late = services.clock() + messaging.LEFT_BEHIND
        assert messaging.answer_left_behind(signed_services, late) == 1
        assert count(services) == (1, 0, 0), "still waiting"
    assert messaging.answer_left_behind(signed_services, services.clock()) == 0, (
        "not while its process may be at it"
    )
    assert messaging.answer_left_behind(signed_services, late) == 1
    assert count(services) == (1, 1, 1)
    assert messaging.answer_left_behind(signed_services, late) == 0


def test_a_text_that_can_never_be_answered_is_left_to_people_after_an_hour(
    gateway: TestClient, services: Services, signed_services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(messaging, "answer_inbound", fail)
    call(gateway, MESSAGE, text())
    messaging.answer_left_behind(signed_services, services.clock() + 2 * messaging.GIVEN_UP)
    with services.database.read() as session:
        row = session.exec(select(InboundMessage)).one()
        assert row.understood_as == "failed"
        assert open_inbound(services.keyring, row).body == "a van passou direto", "and nothing of it is lost"
    assert messaging.answer_left_behind(signed_services, services.clock() + 3 * messaging.GIVEN_UP) == 0


@pytest.fixture
def message(services: Services, towns: dict[str, Authority]) -> Outbox:
    """A message on its way."""
    with services.database.write() as session:
        enqueue(
            session, services.keyring, authority_id=towns["marica"].id or 0, case_id=None, channel="sms",
            purpose="receipt", dedupe_key="one", recipient=PHONE, text="text", now=services.clock(),
        )  # fmt: skip
    with services.database.write() as session:
        row = session.exec(select(Outbox)).one()
        row.state, row.gateway_id = "sent", "SMout1"
        session.add(row)
        return row


def status(name: str, sid: str = "SMout1", **more: str) -> list[tuple[str, str]]:
    return [("MessageSid", sid), ("MessageStatus", name), ("To", PHONE), *more.items()]


def states(services: Services) -> tuple[str, list[str]]:
    """The message's state, and the statuses kept, in order."""
    with services.database.read() as session:
        events = session.exec(select(GatewayEvent).order_by(col(GatewayEvent.id))).all()
        return session.exec(select(Outbox)).one().state, [event.status for event in events]


def test_callbacks_in_any_order_and_repeated_are_kept_once_and_end_delivered(
    gateway: TestClient, services: Services, message: Outbox
) -> None:
    path = f"{STATUS}?id={message.authority_id}-{message.id.hex}"
    for name in ("delivered", "sent", "delivered", "queued", "sent"):
        assert call(gateway, path, status(name)) == (200, EMPTY)
    assert states(services) == ("delivered", ["delivered", "sent", "queued"])


@pytest.mark.parametrize("query", ["", "?id=", "?id=abc", "?id=1-xyz", "?id=99-" + "0" * 32, "?id=1-" + "0" * 32])
def test_a_callback_that_names_no_message_of_ours_is_fine(
    gateway: TestClient, services: Services, message: Outbox, query: str
) -> None:
    assert call(gateway, STATUS + query, status("delivered", sid="SMstranger")) == (200, EMPTY)
    assert states(services) == ("sent", [])


def test_a_callback_without_our_id_is_found_by_the_gateways(
    gateway: TestClient, services: Services, message: Outbox
) -> None:
    assert call(gateway, STATUS, status("delivered"))[0] == 200
    assert states(services)[0] == "delivered"


def test_a_callback_for_another_message_of_the_gateway_does_not_move_ours(
    gateway: TestClient, services: Services, message: Outbox
) -> None:
    path = f"{STATUS}?id={message.authority_id}-{message.id.hex}"
    assert call(gateway, path, status("failed", sid="SMother", ErrorCode="30005"))[0] == 200
    assert states(services)[0] == "sent"


def test_a_callback_without_a_status_is_ignored(gateway: TestClient, services: Services, message: Outbox) -> None:
    assert call(gateway, STATUS, [("MessageSid", "SMout1")])[0] == 200
    assert states(services) == ("sent", [])


def test_a_failure_keeps_its_code(gateway: TestClient, services: Services, message: Outbox) -> None:
    path = f"{STATUS}?id={message.authority_id}-{message.id.hex}"
    call(gateway, path, status("undelivered", ErrorCode="30005"))
    with services.database.read() as session:
        row = session.exec(select(Outbox)).one()
        assert (row.state, row.error) == ("failed", "30005: unknown handset")


def test_nothing_of_the_text_or_the_phone_reaches_the_log(
    gateway: TestClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(messaging, "answer_inbound", fail)
    call(gateway, MESSAGE, text("segredo da pessoa"))
    call(gateway, MESSAGE, text("segredo da pessoa"), token="wrong")
    logged = json.dumps([record.getMessage() for record in caplog.records])
    assert "segredo" not in logged
    assert PHONE[1:] not in logged
