"""The schema's history, and the tables it must lead to.

Server processes ask only whether the schema is current, so Alembic is loaded by those who need it.
"""

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, MetaData, column, inspect, select, table
from sqlmodel import SQLModel

from web.db import Database

if TYPE_CHECKING:
    from alembic.config import Config

PACKAGES = ("gtfs", "complaints", "web")
FOLDER = Path(__file__).parent
REVISIONS = FOLDER / "versions"
_VERSION = table("alembic_version", column("version_num"))


def load_metadata() -> MetaData:
    """Import every module whose name ends in `tables` and return what they declare."""
    root = FOLDER.parent.parent
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*tables.py")):
            importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))
    return SQLModel.metadata


def migrate(database: Database) -> None:
    """Bring the schema to the newest revision, in one transaction; nothing to do is fine."""
    from alembic import command

    with database.migrating() as connection:
        command.upgrade(_config(connection), "head")


def is_current(database: Database) -> bool:
    """Whether the schema is at the newest revision that this code knows."""
    with database.read() as session:
        connection = session.connection()
        if not inspect(connection).has_table(_VERSION.name):
            return False
        return list(connection.scalars(select(_VERSION))) == [head_revision()]


def head_revision() -> str:
    """The newest revision that this code knows: its number, as in the file's name."""
    return max(path.name[:4] for path in REVISIONS.glob("[0-9]*.py"))


def list_differences(database: Database) -> list[str]:
    """What the migrated schema has more or less than the declared tables; empty when they agree."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    metadata = load_metadata()
    with database.read() as session:
        options = {"compare_server_default": True}
        context = MigrationContext.configure(session.connection(), opts=options)
        return [_describe(difference) for difference in compare_metadata(context, metadata)]


def write_revision(database: Database, message: str) -> Path:
    """Write the next revision, which leads from the migrated `database` to the declared tables."""
    from alembic import command

    number = f"{int(head_revision()) + 1:04}"
    with database.migrating() as connection:
        made = command.revision(_config(connection), message, autogenerate=True, rev_id=number)
    if made is None or isinstance(made, list):
        raise RuntimeError("one revision was expected")
    return Path(made.path)


def _describe(difference: Any) -> str:
    """What a revision would have to do: `add_table seal`, `modify_nullable seal.code`."""
    if isinstance(difference, list):
        return ", ".join(f"{change[0]} {change[2]}.{change[3]}" for change in difference)
    what, *things = difference
    return f"{what} {'.'.join(str(getattr(thing, 'name', thing)) for thing in things if thing is not None)}"


def _config(connection: Connection) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
