"""Logs as JSON lines on standard error: time, level, event and its fields; never what a person typed."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO

_ORDINARY = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}
_OURS = "selo"
_ENCODER = json.JSONEncoder(ensure_ascii=False, default=str)


class JsonLines(logging.Formatter):
    """One record as one line; what was given as `extra` becomes fields.

    Of an exception only its type and where it happened are told, because its message may quote a person.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            "from": record.name,
        }
        line |= {name: value for name, value in vars(record).items() if name not in _ORDINARY}
        if record.exc_info and record.exc_info[1] is not None:
            from web.errors import describe_failure

            line["failure"] = describe_failure(record.exc_info[1], with_message=False)
        return _ENCODER.encode(line)


def configure_logs(stream: TextIO | None = None) -> None:
    """Send everything to one place: our events from INFO on, those of libraries from WARNING on."""
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # the documented way to leave out the calling line
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(_OURS).setLevel(logging.INFO)
    logging.captureWarnings(True)
