"""Logs as JSON lines."""

import io
import json
import logging
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from web.logs import configure_logs


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Where the logs of this test go; the logging of the test run is put back afterwards."""
    root, ours = logging.getLogger(), logging.getLogger("selo")
    kept = root.handlers[:], root.level, ours.level
    stream = io.StringIO()
    configure_logs(stream)
    yield stream
    logging.captureWarnings(False)
    root.handlers[:], level, our_level = kept
    root.setLevel(level)
    ours.setLevel(our_level)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    """What was logged."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_event_is_one_line_with_its_fields(stream: io.StringIO) -> None:
    logging.getLogger("selo.access").info("request", extra={"route": "/{a}/linhas", "status": 200, "ms": 1.5})
    (line,) = lines(stream)
    time = line.pop("time")
    assert time.endswith("+00:00")
    assert line == {
        "level": "info",
        "event": "request",
        "from": "selo.access",
        "route": "/{a}/linhas",
        "status": 200,
        "ms": 1.5,
    }


def test_line_breaks_and_accents_stay_inside_one_line(stream: io.StringIO) -> None:
    logging.getLogger("selo").warning("a\nb %s", "ção")
    assert stream.getvalue().count("\n") == 1
    assert lines(stream)[0]["event"] == "a\nb ção"
    assert "ção" in stream.getvalue()


def test_an_exception_tells_where_but_not_what_a_person_typed(stream: io.StringIO) -> None:
    typed = "maria" + "@example.com"
    try:
        raise ValueError(typed)
    except ValueError:
        logging.getLogger("selo").exception("task failed")
    (line,) = lines(stream)
    assert "test_logs.py" in line["failure"]
    assert line["failure"].endswith("builtins.ValueError")
    assert typed not in stream.getvalue()


def test_libraries_are_only_heard_when_they_warn(stream: io.StringIO) -> None:
    logging.getLogger("sqlalchemy.engine").info("SELECT")
    logging.getLogger("uvicorn.error").info("Started server process")
    logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    assert [line["event"] for line in lines(stream)] == ["Invalid HTTP request received."]


def test_python_warnings_are_lines_too(stream: io.StringIO) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("deprecated", stacklevel=1)
    assert "deprecated" in lines(stream)[0]["event"]


def test_what_json_does_not_know_is_written_as_text(stream: io.StringIO) -> None:
    logging.getLogger("selo").warning("x", extra={"thing": {1}})
    assert lines(stream)[0]["thing"] == "{1}"
