"""What `make run` starts: the demonstration seeded once, served with its worker, and provable to the last byte."""

import json
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from sqlmodel import col, select

from complaints.authorities.tables import Authority
from complaints.cases.tables import CaseEvent, CaseFile, EventContent
from complaints.messages.tables import Outbox
from tests.browser.demonstration import Demonstration
from tests.browser.running import Running
from tests.child_processes import ROOT, wait_until
from tests.journeys.callers import Caller, desk
from tests.journeys.people import PHONE_TYPED

pytestmark = pytest.mark.kill

TOWNS = ("marica", "marechal-floriano", "conceicao-de-macabu", "rio-das-ostras", "canaa-dos-carajas")
MARICA = ("linhas", "veiculos", "tarifas", "direitos", "reclamar", "acompanhar")


def test_make_run_seeds_and_serves_with_the_worker() -> None:
    recipe = (ROOT / "Makefile").read_text().partition("\nrun:")[2].partition("\n\n")[0]
    assert "selo db upgrade; selo demo; exec selo serve --with-worker" in recipe


def test_seeding_again_changes_nothing(new_demonstration: Callable[[str], Demonstration]) -> None:
    demonstration = new_demonstration("sqlite")
    before = dump(demonstration)
    again = demonstration.run("demo", "--json")
    assert json.loads(again.stdout) == demonstration.report
    assert dump(demonstration) == before


def test_every_address_of_a_running_demonstration_answers(
    new_demonstration: Callable[[str], Demonstration],
) -> None:
    demonstration = new_demonstration("sqlite")
    with Running(demonstration) as product:
        product.serve("--with-worker")
        rider = Caller(product.address)
        pages = ["/", "/equipe/entrar", *(f"/{town}/" for town in TOWNS), *(f"/marica/{part}" for part in MARICA)]
        for path in pages:
            rider.get(path)
        line = first(rider, "/marica/linhas")
        rider.get(first(rider, line, "/marica/paradas/"))
        for town in TOWNS:
            for state in ("valid", "expired", "revoked"):
                page = rider.get(f"/s/{demonstration.seal(town, state)}")
                assert page.data("situacao-do-selo") == state
            with desk(product.address, *demonstration.log_in(town, "triager")) as triager:
                assert triager.client.get("/equipe/casos").status_code == 200
        mistyped = demonstration.seal("marica", "valid")[:-1] + "0"
        assert "engano" in rider.get(f"/s/{mistyped}", 404).text()
        receipt = rider.file("marica", {**rider.begin("marica"), "relato": "Atrasou.", "telefone": PHONE_TYPED})
        wait_until(lambda: message_states(product, receipt.protocol) == ["delivered"])
        wait_until(lambda: '"trabalhador_parado":false' in rider.get("/saude").html)
        assert product.children[0].stop(signal.SIGTERM) == 0


def test_verifying_names_the_case_of_which_one_byte_was_changed_by_hand(demonstration: Demonstration) -> None:
    assert demonstration.run("case", "verify", "marica").returncode == 0
    with Running(demonstration) as product, product.database.write() as session:
        event = session.exec(select(CaseEvent).where(CaseEvent.kind == "filed").limit(1)).one()
        kept = session.get_one(EventContent, (event.authority_id, event.id))
        protocol = session.get_one(CaseFile, (event.authority_id, event.case_id)).protocol
        town = session.get_one(Authority, event.authority_id).slug
        kept.content = (kept.content or "").replace("a", "b", 1)
    done = demonstration.run("case", "verify", town, "--json")
    assert done.returncode == 1
    assert [fault["case"] for fault in json.loads(done.stdout)["faults"]] == [protocol]


def first(rider: Caller, path: str, below: str = "") -> str:
    """The first link of a page to something below an address, by default below itself."""
    start = below or f"{path}/"
    return next(link for link in rider.get(path).links() if link.startswith(start))


def message_states(product: Running, protocol: str) -> list[str]:
    """The states of the messages of a case."""
    with product.database.read() as session:
        case = session.exec(select(CaseFile).where(CaseFile.protocol == protocol)).one()
        return list(session.exec(select(Outbox.state).where(col(Outbox.case_id) == case.id)).all())


def dump(demonstration: Demonstration) -> list[str]:
    """Everything in the database, as SQL."""
    with closing(sqlite3.connect(demonstration.folder / "selo.db")) as connection:
        return list(connection.iterdump())
