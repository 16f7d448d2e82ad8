"""A complaint by SMS: one signed text with seal and words becomes a case, and one reply goes back."""

import re

import pytest
from sqlmodel import col, func, select

from complaints.cases.tables import CaseFile
from complaints.messages.tables import Outbox
from tests.browser.demonstration import Demonstration
from tests.browser.running import Running
from tests.child_processes import wait_until
from tests.fake_twilio import FakeTwilio, inbound_fields, post_signed
from tests.journeys.callers import Caller
from tests.journeys.people import Receipt

pytestmark = pytest.mark.kill

SENDER = "+5521988887777"
SID = "SM" + "a" * 32
WORDS = "o motorista fechou a porta na cara de uma senhora ontem as 7h"


def test_text_with_a_seal_is_answered_with_protocol_and_key_once(
    demonstration: Demonstration, twilio: FakeTwilio
) -> None:
    body = f"{demonstration.seal('marica', 'valid')} {WORDS}"
    fields = inbound_fields(SID, SENDER, demonstration.sms_number("marica"), body)
    with Running(demonstration, twilio) as product:
        product.serve("--workers", "2")
        product.work()
        webhook = f"{product.address}/webhooks/twilio/mensagem"
        assert post_signed(webhook, fields, "not the token") == 403
        assert count_cases(product) == 0
        for _ in range(3):
            assert post_signed(webhook, fields) == 200
        assert count_cases(product) == 1
        reply = wait_until(lambda: next((text for text in list(twilio.taken) if text.to == SENDER), None))
        said = re.search(r"Protocolo (\d{4}) (\d{4}) (\d{4}), chave ([2-9A-Z]{8})", reply.body)
        assert said, reply.body
        receipt = Receipt("".join(said.groups()[:3]), said[4], "")
        page = Caller(product.address).follow("marica", receipt)
        assert WORDS in page.text()
        assert post_signed(webhook, fields) == 200
        assert count_cases(product) == 1
        assert replies(product, receipt) == ["sent"]


def count_cases(product: Running) -> int:
    """How many cases came by SMS."""
    with product.database.read() as session:
        return session.exec(select(func.count()).select_from(CaseFile).where(CaseFile.channel == "sms")).one()


def replies(product: Running, receipt: Receipt) -> list[str]:
    """The states of the outbox rows of a case, once none waits to be sent."""

    def settled() -> list[str] | None:
        with product.database.read() as session:
            case = session.exec(select(CaseFile).where(CaseFile.protocol == receipt.protocol)).one()
            states = list(session.exec(select(Outbox.state).where(col(Outbox.case_id) == case.id)).all())
        return states if "pending" not in states and "sending" not in states else None

    return wait_until(settled)
