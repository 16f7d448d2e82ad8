"""`selo db`: the schema, brought up to date and compared with the tables that the code declares."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from web.cli import BadInput, current_settings
from web.db import Database
from web.migrations import list_differences, migrate, write_revision
from web.services import open_services
from web.settings import sqlite_url


@click.group()
def db() -> None:
    """Create, upgrade and check the database."""


@db.command()
def upgrade() -> None:
    """Bring the database to the newest revision; harmless when it is there."""
    services = open_services(current_settings())
    try:
        migrate(services.database)
    finally:
        services.close()
    click.echo("The database is up to date.")


@db.command()
def check() -> None:
    """Say whether the revisions lead to the tables that the code declares; needs no settings."""
    with _fresh_database() as database:
        differences = list_differences(database)
    if differences:
        raise BadInput("a revision is missing for: " + "; ".join(differences))
    click.echo("The revisions and the tables agree.")


@db.command()
@click.argument("message")
def revision(message: str) -> None:
    """Write the next revision, from the revisions there are to the tables that the code declares."""
    with _fresh_database() as database:
        click.echo(write_revision(database, message))


@contextmanager
def _fresh_database() -> Iterator[Database]:
    """A migrated SQLite database that is thrown away."""
    with TemporaryDirectory() as folder:
        database = Database(sqlite_url(Path(folder) / "selo.db"))
        try:
            migrate(database)
            yield database
        finally:
            database.dispose()
