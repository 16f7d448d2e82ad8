"""Everything killed at random moments while riders file and staff answer: no case lost, no message sent twice."""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

import pytest
from sqlmodel import col, select

from complaints.cases.tables import CaseFile, Intake
from complaints.messages.tables import Outbox
from tests.browser.demonstration import Demonstration
from tests.browser.running import Running
from tests.child_processes import wait_until
from tests.fake_twilio import FakeTwilio
from tests.journeys.callers import Caller, DeskCaller, NoAnswer, desk
from tests.journeys.people import Receipt

pytestmark = pytest.mark.kill

TOWN = "marica"
DEATHS = 3
RIDERS = 4
SEED = 20261130
LONG_AGO = timedelta(minutes=10)
ANSWER = {"resposta": "Falamos com o operador.", "providencia": "Foi avisado.", "desfecho": "operator_warned"}


@dataclass
class Known:
    """What the people outside know: forms sent, receipts seen, answers confirmed."""

    forms: dict[str, dict[str, str]] = field(default_factory=dict)
    receipts: dict[str, Receipt] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def write_form(self, rider: Caller) -> dict[str, str]:
        """A new form, with a telephone that nobody else has."""
        hidden = rider.begin(TOWN)
        with self.lock:
            number = len(self.forms)
            text = f"A van número {number} não parou."
            form = {**hidden, "relato": text, "telefone": f"(21) 97{number:03d}-1234"}
            self.forms[form["envio"]] = form
        return form

    def note(self, key: str, receipt: Receipt) -> None:
        """A rider has seen the receipt of a form."""
        with self.lock:
            self.receipts[key] = receipt

    def next_to_answer(self) -> Receipt | None:
        """A case that has a receipt and no answer yet."""
        with self.lock:
            waiting = (key for key in self.receipts if self.receipts[key].protocol not in self.answered)
            key = next(waiting, None)
        return self.receipts[key] if key else None


def test_death_at_random_moments_loses_no_case_and_sends_nothing_twice(
    demonstration: Demonstration, twilio: FakeTwilio
) -> None:
    random, known = Random(SEED), Known()
    with Running(demonstration, twilio) as product:
        for _ in range(DEATHS):
            product.serve("--with-worker")
            live_until_death(product, known, random)
            let_leases_end(product)
        product.serve("--with-worker")
        send_what_got_no_answer(Caller(product.address), known)
        every_receipt_holds(product, known)
        wait_until(lambda: not unsettled(product), 60)
        assert most_repeated(twilio) == 1, twilio.taken
        assert Counter(states(product)) == Counter(sent=len(twilio.taken))
        assert demonstration.run("case", "verify", TOWN).returncode == 0


def live_until_death(product: Running, known: Known, random: Random) -> None:
    """Riders file and a triager answers, each in a thread, until everything is killed among them."""
    enough = len(known.receipts) + random.randint(6, 12)
    with desk(product.address, *product.demonstration.log_in(TOWN, "triager")) as triager:
        rider = Caller(product.address)
        threads = [threading.Thread(target=until_death, args=(file_one, rider, known)) for _ in range(RIDERS)]
        threads.append(threading.Thread(target=until_death, args=(answer_one, triager, known)))
        for thread in threads:
            thread.start()
        wait_until(lambda: len(known.receipts) >= enough, 60)
        threading.Event().wait(random.uniform(0, 0.1))
        product.kill()
        for thread in threads:
            thread.join()


def until_death(act: Callable[..., None], person: Caller | DeskCaller, known: Known) -> None:
    """Do it again and again until no answer comes."""
    while True:
        try:
            act(person, known)
        except NoAnswer:
            return


def file_one(rider: Caller, known: Known) -> None:
    """File a complaint and note the receipt."""
    form = known.write_form(rider)
    known.note(form["envio"], rider.file(TOWN, form))


def answer_one(triager: DeskCaller, known: Known) -> None:
    """Answer a case; one that was answered before the death counts when the desk says so (409)."""
    receipt = known.next_to_answer()
    if receipt is None:
        return
    status = triager.act(receipt.protocol, "triagem", {})
    assert status in (303, 409)
    assert triager.act(receipt.protocol, "responder", ANSWER) in (303, 409)
    known.answered.add(receipt.protocol)


def let_leases_end(product: Running) -> None:
    """Let ten minutes pass for the messages that the dead worker had in hand."""
    with product.database.write() as session:
        for row in session.exec(select(Outbox).where(col(Outbox.lease_until).is_not(None))).all():
            row.lease_until = row.lease_until - LONG_AGO if row.lease_until else None


def send_what_got_no_answer(rider: Caller, known: Known) -> None:
    """The riders whose browser showed no receipt press "Enviar" again."""
    for key, form in known.forms.items():
        if key not in known.receipts:
            known.note(key, rider.file(TOWN, form))


def every_receipt_holds(product: Running, known: Known) -> None:
    """One case for each form, which its receipt opens, with its words and its answer."""
    with product.database.read() as session:
        keys = {f"web:{key}" for key in known.forms}
        intakes = session.exec(select(Intake).where(col(Intake.key).in_(keys))).all()
        protocols = dict(session.exec(select(CaseFile.id, CaseFile.protocol)).all())
    assert len(intakes) == len(known.forms)
    rider = Caller(product.address)
    for intake in intakes:
        form = known.forms[intake.key.removeprefix("web:")]
        receipt = known.receipts[form["envio"]]
        assert protocols[intake.case_id] == receipt.protocol
        page = rider.follow(TOWN, receipt)
        assert form["relato"] in page.text()
        if receipt.protocol in known.answered:
            assert page.data("situacao") == "answered"
            assert ANSWER["resposta"] in page.text()


def states(product: Running) -> list[str]:
    """The states of all messages."""
    with product.database.read() as session:
        return list(session.exec(select(Outbox.state)).all())


def unsettled(product: Running) -> bool:
    """Whether a message still waits, is on its way or has an unknown fate."""
    return bool({"pending", "sending", "unknown"} & set(states(product)))


def most_repeated(twilio: FakeTwilio) -> int:
    """How often the gateway was given the message that it was given most often."""
    return max(Counter((message.to, message.body) for message in twilio.taken).values())
