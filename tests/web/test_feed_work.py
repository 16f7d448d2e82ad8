"""Uploads made into versions: the work itself, the child process that does it, and its sudden death."""

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import Session, select

from complaints.authorities.adding import add_authority
from complaints.authorities.tables import Authority
from complaints.authorities.town_file import list_demo_towns
from gtfs.clerk_tables import PROPOSED, READY, REFUSED, WORKING, FeedUpload
from gtfs.importing import prepare_feed
from gtfs.tables import DRAFT, FeedVersion
from gtfs.uploads import NewUpload, add_upload, decide_proposal, take_upload
from tests.child_processes import Child, selo, wait_until
from tests.gtfs import small_feed as small
from tests.machine import DATABASES
from web import feed_work
from web.db import Database
from web.feed_child import FeedChild
from web.feed_work import work_uploads
from web.services import Services


def send(services: Services, town: Authority, content: bytes, purpose: str = "feed", **more: object) -> None:
    with services.database.write() as session:
        values = NewUpload(town.id, purpose, "rede.zip", content, "Ana", **more)  # type: ignore[arg-type]
        add_upload(session, values, services.clock())


def uploads(services: Services) -> list[FeedUpload]:
    with services.database.read() as session:
        return list(session.exec(select(FeedUpload).order_by(FeedUpload.number)))  # type: ignore[arg-type]


def versions(session: Session) -> list[FeedVersion]:
    return list(session.exec(select(FeedVersion)))


@pytest.fixture
def marica(towns: dict[str, Authority]) -> Authority:
    return towns["marica"]


def test_a_good_file_becomes_a_draft(services: Services, marica: Authority) -> None:
    send(services, marica, small.small_feed())
    assert work_uploads(services) == 1
    (upload,) = uploads(services)
    with services.database.read() as session:
        (version,) = versions(session)
    assert (upload.state, upload.version_id, upload.content) == (READY, version.id, None)
    assert (version.state, version.created_by) == (DRAFT, "Ana")
    assert json.loads(upload.report or "")["accepted"]


@pytest.mark.parametrize("content", [b"no zip", small.small_feed(stops_txt=None)], ids=["no zip", "no stops"])
def test_a_bad_file_is_refused_with_its_report_and_no_version(
    services: Services, marica: Authority, content: bytes
) -> None:
    send(services, marica, content)
    work_uploads(services)
    (upload,) = uploads(services)
    assert upload.state == REFUSED
    assert json.loads(upload.report or "")["errors"]
    with services.database.read() as session:
        assert versions(session) == []


def test_the_same_content_again_leads_to_the_version_it_already_is(services: Services, marica: Authority) -> None:
    for _ in range(2):
        send(services, marica, small.small_feed())
    assert work_uploads(services) == 2
    first, second = uploads(services)
    assert first.version_id == second.version_id is not None


def test_a_replaced_file_is_proposed_with_what_it_changes_then_made_a_version(
    services: Services, marica: Authority
) -> None:
    send(services, marica, small.small_feed())
    work_uploads(services)
    base = uploads(services)[0].version_id
    send(
        services, marica, small.small_feed(stops_txt=small.STOPS.replace("Mercado", "Feira")), "file", base_id=base
    )
    work_uploads(services)
    proposed = uploads(services)[1]
    assert proposed.state == PROPOSED
    assert json.loads(proposed.report or "")["difference"]["changed"] == 1
    with services.database.write() as session:
        decide_proposal(session, marica.id, 2, True, services.clock())
    work_uploads(services)
    with services.database.read() as session:
        assert len(versions(session)) == 2
    assert uploads(services)[1].state == READY


def test_a_feed_that_needs_too_much_memory_fails_and_the_next_one_is_worked_on(
    services: Services, marica: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = prepare_feed

    def prepare(raw: bytes, *args: object, **kwargs: object) -> object:
        if raw == b"monster":
            raise MemoryError
        return real(raw, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(feed_work, "prepare_feed", prepare)
    send(services, marica, b"monster")
    send(services, marica, small.small_feed())
    assert work_uploads(services) == 2
    assert [upload.state for upload in uploads(services)] == ["failed", READY]


def test_no_child_is_started_without_an_upload(services: Services, now: datetime) -> None:
    child = FeedChild(command=lambda: pytest.fail("started for nothing"))
    assert child.make_versions(services, now) == 0


def test_one_child_runs_at_a_time_and_one_that_hangs_is_killed(
    services: Services, marica: Authority, now: datetime
) -> None:
    started: list[datetime] = []

    def command() -> list[str]:
        started.append(now)
        return ["sleep", "600"]

    child = FeedChild(command)
    send(services, marica, b"zip")
    assert child.make_versions(services, now) == 1
    assert child.make_versions(services, now + timedelta(minutes=1)) == 0
    assert child.make_versions(services, now + timedelta(minutes=11)) == 1
    assert len(started) == 2
    assert child._process is not None
    child._process.kill()
    child._process.wait()


@pytest.mark.kill
@pytest.mark.parametrize("kind", DATABASES)
def test_a_child_killed_in_the_middle_loses_nothing(
    kind: str, new_url: Callable[[str], str], tmp_path: Path
) -> None:
    url = new_url(kind)
    database = Database(url)
    now = datetime.now(UTC)
    with database.write() as session:
        town = add_authority(session, next(row for row in list_demo_towns() if row.slug == "marica"), now)
        add_upload(session, NewUpload(town.id, "feed", "rede.zip", small.small_feed(), "Ana"), now)
    with database.write() as session:
        assert take_upload(session, now - timedelta(minutes=10))  # its worker died ten minutes ago
    environ = {
        "SELO_DATABASE_URL": url,
        "SELO_DATA_DIR": str(tmp_path / "data"),
        "SELO_SECRET_KEY": "x" * 32,
        "SELO_DATA_KEYS": base64.b64encode(bytes(32)).decode(),
    }

    def states() -> list[str]:
        with database.read() as session:
            return [row.state for row in session.exec(select(FeedUpload))]

    with Child(selo("feed", "work"), tmp_path, environ) as first:
        wait_until(lambda: _step(database) != "" or states() == [READY], 60)
        first.kill()
    assert states() in ([WORKING], [READY])
    _end_lease(database)
    with Child(selo("feed", "work"), tmp_path, environ):
        wait_until(lambda: states() == [READY], 60)
    with database.read() as session:
        assert len(versions(session)) == 1
    database.dispose()


def _step(database: Database) -> str:
    with database.read() as session:
        return session.exec(select(FeedUpload.step)).one()


def _end_lease(database: Database) -> None:
    with database.write() as session:
        upload = session.exec(select(FeedUpload)).one()
        if upload.state == WORKING:
            upload.lease_until = datetime.now(UTC) - timedelta(seconds=1)
