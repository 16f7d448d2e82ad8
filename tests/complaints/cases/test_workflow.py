"""The transition table, read whole."""

import pytest

from complaints.cases.reading import PUBLIC_CONTENT
from complaints.cases.workflow import ForbiddenMove, get_workflow, is_open, may_happen, status_after

STORED = {
    "received",
    "in_triage",
    "complement_requested",
    "in_verification",
    "with_operator",
    "forwarded",
    "answered",
    "archived",
    "withdrawn",
    "merged",
}
INTERNAL = {"note_added", "evidence_hidden", "evidence_shown", "merge_received"}
CLOSING = {"forwarded", "answered", "archived", "withdrawn", "merged"}


def test_statuses_are_the_stored_words_of_the_contract() -> None:
    assert set(get_workflow().statuses) == STORED


def test_every_event_names_known_statuses() -> None:
    for event in get_workflow().events.values():
        assert event.sources <= STORED, event.name
        assert event.target is None or event.target in STORED, event.name


def test_only_filing_opens_a_case() -> None:
    assert [event.name for event in get_workflow().events.values() if not event.sources] == ["filed"]


def test_every_event_has_words_for_the_rider_unless_it_is_internal() -> None:
    silent = {event.name for event in get_workflow().events.values() if event.rider is None}
    assert silent == INTERNAL


def test_every_status_has_words_and_every_open_one_can_be_left() -> None:
    for status in get_workflow().statuses.values():
        assert all((status.label, status.meaning, status.next)), status.name
        leaving = [
            event.name
            for event in get_workflow().events.values()
            if status.name in event.sources and event.target not in (None, status.name)
        ]
        assert leaving or not status.open, status.name


def test_every_status_is_reached_by_some_event() -> None:
    assert {event.target for event in get_workflow().events.values() if event.target} == STORED


def test_closed_statuses_are_the_ones_that_leave_the_queue() -> None:
    assert {name for name in STORED if not is_open(name)} == CLOSING


def test_shown_content_belongs_to_known_events_that_riders_see() -> None:
    assert set(PUBLIC_CONTENT) <= set(get_workflow().events) - INTERNAL


@pytest.mark.parametrize(
    ("event", "before", "after"),
    [
        ("filed", None, "received"),
        ("triage_started", "received", "in_triage"),
        ("classified", "in_verification", "in_verification"),
        ("inspection_ordered", "in_triage", "in_verification"),
        ("answered", "in_verification", "answered"),
        ("reopened", "answered", "in_triage"),
        ("text_added", "answered", "answered"),
    ],
)
def test_moves(event: str, before: str | None, after: str) -> None:
    assert status_after(event, before) == after


@pytest.mark.parametrize(
    ("event", "before"),
    [
        ("answered", "answered"),
        ("filed", "received"),
        ("triage_started", "merged"),
        ("withdrawn", "answered"),
        ("answered", None),
    ],
)
def test_forbidden_moves_name_event_and_status(event: str, before: str | None) -> None:
    with pytest.raises(ForbiddenMove) as caught:
        status_after(event, before)
    assert caught.value.event == event
    assert before is None or not may_happen(event, before)
