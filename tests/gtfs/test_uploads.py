"""Files on their way to a version, on both databases."""

from datetime import datetime, timedelta

import pytest

from gtfs.clerk_tables import DROPPED, FAILED, PROPOSED, READY, REFUSED, WAITING, WORKING, FeedUpload
from gtfs.uploads import (
    KEPT_OPEN,
    LEASE,
    MOST_ATTEMPTS,
    Ending,
    NewUpload,
    NotProposed,
    TooManyUploads,
    UnknownUpload,
    add_upload,
    decide_proposal,
    finish_upload,
    get_upload,
    is_any_waiting,
    list_uploads,
    note_step,
    propose_upload,
    take_upload,
)
from gtfs.versions import UnknownAuthority
from tests.gtfs.conftest import Town
from web.db import Database

Key = tuple[int, object]


def send(database: Database, town: Town, now: datetime, content: bytes = b"zip") -> int:
    with database.write() as session:
        return add_upload(session, NewUpload(town.id, "feed", "a.zip", content, "Ana"), now).number


def take(database: Database, now: datetime) -> FeedUpload | None:
    with database.write() as session:
        taken = take_upload(session, now)
        if taken is not None:
            session.expunge(taken)
        return taken


def state(database: Database, town: Town, number: int = 1) -> str:
    with database.read() as session:
        return get_upload(session, town.id, number).state


def end(database: Database, upload: FeedUpload | None, ending: Ending, now: datetime) -> None:
    assert upload is not None
    with database.write() as session:
        finish_upload(session, (upload.authority_id, upload.id), ending, now)


def test_uploads_are_numbered_and_taken_in_the_order_they_came(
    database: Database, town: Town, now: datetime
) -> None:
    assert [send(database, town, now + timedelta(seconds=count)) for count in range(2)] == [1, 2]
    later = now + timedelta(minutes=1)
    taken = [take(database, later), take(database, later)]
    assert [upload.number for upload in taken if upload] == [1, 2]
    assert take(database, later) is None


def test_an_upload_in_hand_is_nobody_elses_until_its_lease_ends(
    database: Database, town: Town, now: datetime
) -> None:
    send(database, town, now)
    assert take(database, now)
    with database.read() as session:
        assert not is_any_waiting(session, now + LEASE - timedelta(seconds=1))
        assert is_any_waiting(session, now + LEASE)
    again = take(database, now + LEASE)
    assert again
    assert (again.number, again.attempts, again.content) == (1, 2, b"zip")


def test_a_step_makes_the_lease_longer(database: Database, town: Town, now: datetime) -> None:
    send(database, town, now)
    upload = take(database, now)
    assert upload
    with database.write() as session:
        note_step(session, (upload.authority_id, upload.id), "guardando", now + LEASE / 2)
    assert take(database, now + LEASE) is None
    with database.read() as session:
        assert get_upload(session, town.id, 1).step == "guardando"


def test_what_kills_its_worker_every_time_is_given_up(database: Database, town: Town, now: datetime) -> None:
    send(database, town, now)
    for attempt in range(MOST_ATTEMPTS):
        assert take(database, now + attempt * LEASE)
    assert take(database, now + MOST_ATTEMPTS * LEASE) is None
    assert state(database, town) == FAILED


@pytest.mark.parametrize("how", [READY, REFUSED, FAILED])
def test_an_ended_upload_lets_go_of_the_file_and_stays_as_it_ended(
    database: Database, town: Town, now: datetime, how: str
) -> None:
    send(database, town, now)
    upload = take(database, now)
    end(database, upload, Ending(how, "{}"), now)
    end(database, upload, Ending("other", None), now)
    with database.read() as session:
        kept = get_upload(session, town.id, 1)
        assert (kept.state, kept.content, kept.report, kept.finished_at) == (how, None, "{}", now)
    assert take(database, now + LEASE) is None


@pytest.mark.parametrize(("accept", "next_state"), [(True, WAITING), (False, DROPPED)])
def test_a_proposal_waits_for_the_clerk(
    database: Database, town: Town, now: datetime, accept: bool, next_state: str
) -> None:
    with database.write() as session:
        add_upload(session, NewUpload(town.id, "file", "stops.txt", b"zip", "Ana"), now)
    upload = take(database, now)
    assert upload
    with database.write() as session:
        propose_upload(session, (upload.authority_id, upload.id), "{}", now)
    assert state(database, town) == PROPOSED
    assert take(database, now + LEASE) is None
    with database.write() as session:
        decided = decide_proposal(session, town.id, 1, accept, now)
        assert (decided.state, decided.content) == (next_state, b"zip" if accept else None)
    with database.write() as session, pytest.raises(NotProposed):
        decide_proposal(session, town.id, 1, True, now)


def test_an_accepted_proposal_becomes_a_feed_like_any_other(database: Database, town: Town, now: datetime) -> None:
    with database.write() as session:
        add_upload(session, NewUpload(town.id, "file", "stops.txt", b"zip", "Ana"), now)
    upload = take(database, now)
    assert upload
    with database.write() as session:
        propose_upload(session, (upload.authority_id, upload.id), "{}", now)
        decide_proposal(session, town.id, 1, True, now)
    again = take(database, now)
    assert again
    assert (again.purpose, again.attempts, again.state) == ("feed", 1, WORKING)


def test_too_many_waiting_are_refused_and_nothing_is_kept(database: Database, town: Town, now: datetime) -> None:
    for _ in range(KEPT_OPEN):
        send(database, town, now)
    with pytest.raises(TooManyUploads):
        send(database, town, now)
    with database.read() as session:
        assert len(list_uploads(session, town.id, [WAITING], limit=100)) == KEPT_OPEN


def test_what_does_not_exist_is_said(database: Database, town: Town, now: datetime) -> None:
    with database.read() as session, pytest.raises(UnknownUpload):
        get_upload(session, town.id, 1)
    with database.write() as session, pytest.raises(UnknownAuthority):
        add_upload(session, NewUpload(99, "feed", "a.zip", b"", "Ana"), now)
