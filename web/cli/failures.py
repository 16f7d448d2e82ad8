"""What the command line says when something fails: one line for people, the details in a log."""

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import click

LOG_NAME = "errors.log"
BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130


def report(error: Exception) -> int:
    """Say what went wrong on standard error and return the exit code."""
    if isinstance(error, click.Abort):
        return INTERRUPTED
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return BAD_INPUT
    if _is_from("web.settings", "BadSettings", error):
        for problem in getattr(error, "problems", ()):
            _say(f"wrong setting: {problem}")
        return BAD_INPUT
    if isinstance(error, click.ClickException):
        _say(" ".join(error.format_message().split()))
        return error.exit_code
    if _is_from("complaints.law.rulebook", "BadRulebook", error):
        _say(f"a law in the data folder cannot be used: {error} (see `selo law check FILE`)")
        return BAD_INPUT
    if reason := _database_trouble(error):
        _say(f"the database cannot be used: {reason} (SELO_DATABASE_URL)")
        return BAD_INPUT
    if isinstance(error, OSError) and error.strerror:
        _say(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
        return BAD_INPUT
    _report_defect(error)
    return FAILED


def _say(line: str) -> None:
    click.echo(f"selo: {line}", err=True)


def _database_trouble(error: Exception) -> str | None:
    """The first line of what the driver says when the database fails it, or is a file that is none."""
    if not (_is_from("sqlalchemy.exc", "OperationalError", error) or _is_unreadable_database(error)):
        return None
    return str(getattr(error, "orig", error)).strip().splitlines()[0]


def _is_unreadable_database(error: Exception) -> bool:
    """SQLite's plain DatabaseError; its subclasses, but one, are mistakes of ours."""
    return _is_from("sqlalchemy.exc", "DatabaseError", error) and type(error).__name__ == "DatabaseError"


def _is_from(module: str, name: str, error: Exception) -> bool:
    """Whether the error is of that class; a module that nobody loaded raised nothing (loading it is slow)."""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(error, getattr(loaded, name))


def _report_defect(error: Exception) -> None:
    from web.errors import describe_failure
    from web.reference import new_reference

    reference = new_reference()
    line = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "level": "error",
        "event": "command failed",
        "reference": reference,
        "failure": describe_failure(error, with_message=False),
    }
    try:
        where = _write_log(json.dumps(line, ensure_ascii=False))
    except OSError:
        _say(f"unexpected {type(error).__name__}, reference {reference}; SELO_DEBUG=1 shows the details")
    else:
        _say(f"unexpected {type(error).__name__}, reference {reference}; details in {where}")


def _write_log(line: str) -> Path:
    path = Path(os.environ.get("SELO_DATA_DIR") or "data") / LOG_NAME
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w") as file:
        file.write(line + "\n")
    return path
