"""`selo sms`: a conversation from a pipe, and decisions about messages."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from sqlmodel import select

from complaints.authorities.adding import add_authority
from complaints.authorities.tables import Authority
from complaints.authorities.town_file import list_demo_towns
from complaints.cases.tables import CaseFile
from complaints.messages.outbox import enqueue
from complaints.messages.tables import Outbox
from complaints.sealing import Keyring
from tests.child_processes import ROOT, selo
from web.db import Database
from web.migrations import migrate
from web.settings import sqlite_url

SECRET, DATA_KEY = "x" * 32, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
PHONE = "+5521900000777"


class Deployment:
    """A production deployment with five towns, and its command line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = Database(sqlite_url(folder / "selo.db"))
        self.keyring = Keyring((bytes(32),), SECRET.encode())
        migrate(self.database)
        with self.database.write() as session:
            for town in list_demo_towns():
                add_authority(session, town, datetime.now(UTC))

    def run(self, *arguments: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
        environ = {
            "SELO_DATA_DIR": str(self.folder),
            "SELO_SECRET_KEY": SECRET,
            "SELO_DATA_KEYS": DATA_KEY,
            "SELO_PUBLIC_URL": "https://transporte.example",
            "PYTHONPATH": str(ROOT),
        }
        return subprocess.run(
            [sys.executable, *selo("sms", *arguments)],
            env=environ, cwd=self.folder, input=typed, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def rows(self) -> list[Outbox]:
        with self.database.read() as session:
            return list(session.exec(select(Outbox)))

    def write(self, state: str) -> Outbox:
        with self.database.write() as session:
            enqueue(
                session, self.keyring, authority_id=1, case_id=None, channel="sms", purpose="answered",
                dedupe_key=str(uuid4()), recipient=PHONE, text="segredo", now=datetime.now(UTC),
            )  # fmt: skip
            row = session.exec(select(Outbox)).one()
            row.state, row.error = state, "21610: the person stopped us at the gateway"
            return row


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    """Five towns on SQLite."""
    made = Deployment(tmp_path)
    yield made
    made.database.dispose()


def test_a_piped_conversation_files_a_case_and_prints_the_answers_line_by_line(deployment: Deployment) -> None:
    done = deployment.run(
        "chat", "marica", "--from", PHONE, typed="oi\na van passou direto no ponto\ne ainda riu\r\nobrigado\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
    help_text, receipt, *silence = done.stdout.splitlines()
    assert help_text.startswith("EPT: Para reclamar")
    assert "https://transporte.example/marica/acompanhar" in receipt
    assert silence == ["(no answer)", "(no answer)"]
    with deployment.database.read() as session:
        case = session.exec(select(CaseFile)).one()
    assert f"{case.protocol[:4]} {case.protocol[4:8]} {case.protocol[8:]}" in receipt
    assert {row.state for row in deployment.rows()} == {"delivered"}, "nothing is left for a gateway to send"


def test_as_json_each_text_is_one_object(deployment: Deployment) -> None:
    done = deployment.run("chat", "marica", "--from", PHONE, "--json", typed="motorista grosso\nvlw")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["text"], first["understood_as"], len(first["replies"])) == ("motorista grosso", "complaint", 1)
    assert len(first["protocol"]) == 12
    assert (second["understood_as"], second["protocol"], second["replies"]) == ("thanks", None, [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chat", "atlantida", "--from", PHONE), "atlantida"),
        (("chat", "marica", "--from", "nobody"), "'nobody' is not a telephone number"),
        (("chat", "marica"), "--from"),
        (("list", "marica", "--state", "lost"), "'lost'"),
        (("decide", "marica", "xyz", "resend"), "'xyz' is not the id of a message"),
        (("decide", "marica", "0" * 32, "resend"), "marica has no message"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(deployment: Deployment, arguments: tuple[str, ...], said: str) -> None:
    done = deployment.run(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_messages_are_listed_without_their_texts(deployment: Deployment) -> None:
    row = deployment.write("parked")
    slug = deployment_slug(deployment)
    done = deployment.run("list", slug, "--json")
    (listed,) = json.loads(done.stdout)
    assert (listed["id"], listed["state"], listed["purpose"]) == (row.id.hex, "parked", "answered")
    assert "segredo" not in done.stdout
    assert PHONE not in done.stdout
    assert row.id.hex in deployment.run("list", slug, "--state", "parked").stdout
    assert deployment.run("list", slug, "--state", "unknown").stdout == ""


@pytest.mark.parametrize(("decision", "state"), [("resend", "pending"), ("sent", "sent"), ("drop", "failed")])
def test_people_decide_what_the_gateway_cannot(deployment: Deployment, decision: str, state: str) -> None:
    row = deployment.write("unknown")
    done = deployment.run("decide", deployment_slug(deployment), row.id.hex, decision)
    assert (done.returncode, done.stdout) == (0, f"Done: {decision}.\n")
    assert deployment.rows()[0].state == state


def test_what_is_on_its_way_cannot_be_decided(deployment: Deployment) -> None:
    row = deployment.write("sending")
    done = deployment.run("decide", deployment_slug(deployment), row.id.hex, "resend")
    assert done.returncode == 2
    assert "the message is sending" in done.stderr


def deployment_slug(deployment: Deployment) -> str:
    """The town that got number 1."""
    with deployment.database.read() as session:
        return session.exec(select(Authority.slug).where(Authority.id == 1)).one()
