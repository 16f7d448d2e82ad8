"""One form sent forty times at once over two server processes is one case, one protocol, one message."""

import socket
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from sqlmodel import SQLModel, func, select

from complaints.cases.tables import CaseEvent, CaseFile, Intake, Reporter
from complaints.messages.tables import Outbox
from tests.browser.demonstration import Demonstration
from tests.browser.markup import Markup
from tests.browser.running import Running
from tests.child_processes import wait_until
from tests.journeys.callers import Caller, read_receipt
from tests.journeys.measured_serving import Block, count_begun, most_at_once, read_blocks
from tests.journeys.people import PHONE_TYPED

pytestmark = pytest.mark.kill

POSTS = 40
LEAST_AT_ONCE = 20
TOWN = "marica"
TEXTS = {"same text": ("A van passou direto.",), "two texts": ("A van passou direto.", "O ônibus atrasou.")}


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
def test_forty_posts_of_one_form_make_one_case(
    demonstration: Demonstration, tmp_path: Path, texts: tuple[str, ...]
) -> None:
    measures, gate = tmp_path / "measures", tmp_path / "gate"
    with Running(demonstration) as product:
        before = count_rows(product)
        callers = [Caller(f"http://127.0.0.1:{port}") for port in serve_twice(product, measures, gate)]
        fields = {**callers[0].begin(TOWN), "telefone": PHONE_TYPED}
        bodies = [{**fields, "relato": texts[number // 2 % len(texts)]} for number in range(POSTS)]
        pages = post_all(callers, bodies, measures, gate)
        made = count_rows(product) - before
        blocks = read_blocks(measures)
        assert most_at_once(blocks) >= LEAST_AT_ONCE
        assert set(Counter(block.pid for block in blocks).values()) == {POSTS // 2}
        assert made == Counter(CaseFile=1, Intake=1, CaseEvent=1, Reporter=1, Outbox=1)
        receipts = {read_receipt(page) for page in pages}
        assert len(receipts) == 1
        case = callers[1].follow(TOWN, receipts.pop())
        (told,) = (text for text in texts if text in case.text())
        for body, page in zip(bodies, pages, strict=True):
            assert ("O texto mudou" in page.text()) == (body["relato"] != told)


@pytest.mark.parametrize(
    ("spans", "most"),
    [([], 0), ([(0, 5), (5, 9)], 1), ([(0, 5), (4, 9), (8, 10)], 2), ([(0, 9), (1, 8), (2, 3)], 3)],
)
def test_blocks_overlap_only_while_both_are_under_way(spans: list[tuple[int, int]], most: int) -> None:
    assert most_at_once([Block(1, begin, end) for begin, end in spans]) == most


def serve_twice(product: Running, measures: Path, gate: Path) -> list[int]:
    """Start two measured server processes; returns their ports."""
    ports = [free_port(), free_port()]
    for port in ports:
        product.start("-m", "tests.journeys.measured_serving", str(port), str(measures), str(gate))
    for port in ports:
        wait_until(partial(is_listening, port), 60)
        product.wait_until_well(port)
    return ports


def post_all(callers: list[Caller], bodies: list[dict[str, str]], measures: Path, gate: Path) -> list[Markup]:
    """Send every body at once, half to each server, and let nothing commit before all of them have arrived."""
    together = threading.Barrier(len(bodies))

    def post(number: int) -> Markup:
        together.wait()
        return callers[number % 2].post(f"/{TOWN}/reclamar", bodies[number])

    gate.touch()
    with ThreadPoolExecutor(len(bodies)) as pool:
        posts = [pool.submit(post, number) for number in range(len(bodies))]
        try:
            wait_until(lambda: count_begun(measures) == len(bodies), 60)
        finally:
            gate.unlink()
        return [post.result() for post in posts]


def count_rows(product: Running) -> Counter[str]:
    """The rows of each table that filing writes to."""
    tables: tuple[type[SQLModel], ...] = (CaseFile, Intake, CaseEvent, Reporter, Outbox)
    with product.database.read() as session:
        return Counter(
            {table.__name__: session.exec(select(func.count()).select_from(table)).one() for table in tables}
        )


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def is_listening(port: int) -> bool:
    """Whether a connection is taken."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
