"""`selo backup` and `selo restore`: everything in one encrypted file, and back."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from web.cli import BadInput, current_settings, opened_services

if TYPE_CHECKING:
    from web.backup import BackupReport


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def backup(file: Path, as_json: bool) -> None:
    """Write all rows and stored files to FILE, encrypted with the newest data key.

    Keep SELO_DATA_KEYS and SELO_SECRET_KEY somewhere else: without both of them FILE cannot be restored.
    """
    from web.backup import make_backup

    with opened_services() as services, _progress("Backing up") as progress:
        try:
            report = make_backup(services, file, progress)
        except FileExistsError:
            raise BadInput(f"{file} already exists; choose another name") from None
        except OSError as problem:
            raise BadInput(f"cannot write {file}: {problem.strerror}") from None
    _report(f"{file} holds", report, as_json)


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--check", is_flag=True, help="Only read FILE from end to end; write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def restore(file: BinaryIO, check: bool, as_json: bool) -> None:
    """Fill an empty database and an empty data folder from FILE."""
    from web.backup import check_backup
    from web.restore import NotEmpty, restore_backup
    from web.sealed_stream import BadBackup
    from web.services import open_services

    services = open_services(current_settings())
    try:
        if check:
            report = check_backup(services.keyring, file)
        else:
            with _progress("Restoring") as progress:
                report = restore_backup(services, file, progress)
    except BadBackup as problem:
        raise BadInput(f"{file.name} cannot be restored: {problem}") from None
    except NotEmpty as problem:
        raise BadInput(f"nothing was restored: {problem}") from None
    finally:
        services.close()
    _report(f"{file.name} holds" if check else "Restored", report, as_json)


def _report(words: str, report: "BackupReport", as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(asdict(report)))
    else:
        click.echo(f"{words} {report.rows} rows and {report.files} files of {report.made_at}.")


@contextmanager
def _progress(words: str) -> Iterator[Callable[[int], None]]:
    """Counts on the terminal, if somebody is looking at one."""
    done, shown = 0, time.monotonic()

    def show(more: int) -> None:
        nonlocal done, shown
        done += more
        if sys.stderr.isatty() and time.monotonic() - shown > 0.1:
            shown = time.monotonic()
            click.echo(f"\r{words}: {done} rows and files", err=True, nl=False)

    yield show
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", err=True, nl=False)
