"""What a request handler, a worker task or a command needs, opened once for a process."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from complaints.law.rulebook import add_rulebook_folder
from complaints.sealing import Keyring
from complaints.storage import FolderStorage, Storage
from web.db import Database
from web.settings import BadSettings, Settings

RULEBOOKS = "rulebooks"
"""The folder inside the data folder that holds the laws of towns added here."""

STORED = "evidence"
"""The folder inside the data folder that holds what is too big for the database."""


@dataclass(frozen=True)
class Services:
    """The open services; `clock` gives the present instant, aware, in UTC."""

    settings: Settings
    database: Database
    keyring: Keyring
    storage: Storage
    clock: Callable[[], datetime]

    def close(self) -> None:
        """Close the database connections."""
        self.database.dispose()


def open_services(settings: Settings) -> Services:
    """Open everything; connects to nothing yet. Raises BadSettings when the data folder cannot be used."""
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise BadSettings([f"SELO_DATA_DIR: {problem.strerror} ({problem.filename})"]) from None
    if not os.access(settings.data_dir, os.W_OK | os.X_OK):
        raise BadSettings([f"SELO_DATA_DIR: no permission to write in {settings.data_dir}"])
    add_rulebook_folder(settings.data_dir / RULEBOOKS)
    return Services(
        settings=settings,
        database=Database(settings.database_url),
        keyring=Keyring(settings.data_keys, settings.secret_key),
        storage=FolderStorage(settings.data_dir / STORED),
        clock=_now,
    )


def _now() -> datetime:
    return datetime.now(UTC)
