"""The random passwords of a demonstration, kept in its data folder so that the log-ins can be shown again."""

import json
import os
import secrets
from pathlib import Path

from complaints.ids import ALPHABET

FILE_NAME = "demo-logins.json"


class DemoPasswords:
    """E-mail -> password, in a file that only its owner reads."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / FILE_NAME
        self._known: dict[str, str] = json.loads(self._path.read_text()) if self._path.exists() else {}

    def find(self, email: str) -> str:
        """The password, or empty when the account was not made by this demonstration."""
        return self._known.get(email, "")

    def make(self, emails: list[str]) -> dict[str, str]:
        """New passwords, written to the file before anybody uses them."""
        made = {email: new_password() for email in emails}
        self._known |= made
        aside = self._path.with_suffix(".new")
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(self._known, file, indent=2)
        aside.replace(self._path)
        return made


def new_password() -> str:
    """16 characters nobody mistakes for another (78 bits), in groups of four."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(4)) for _ in range(4))
