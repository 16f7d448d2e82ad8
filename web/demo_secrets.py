"""The secrets that a demonstration makes for itself and keeps in its data folder."""

import base64
import json
import os
import secrets
from pathlib import Path

FILE_NAME = "secrets.json"


class CannotKeepSecrets(Exception):
    """The data folder cannot be written, or its secrets file cannot be read."""


def read_or_make_secrets(data_dir: Path) -> dict[str, str]:
    """The settings SELO_SECRET_KEY and SELO_DATA_KEYS of this data folder, made on the first call.

    Processes that start together get the same ones. Raises CannotKeepSecrets.
    """
    path = data_dir / FILE_NAME
    try:
        if not path.exists():
            _make_secrets(path)
        found = dict(json.loads(path.read_text()))
    except OSError as problem:
        raise CannotKeepSecrets(f"{problem.strerror} ({problem.filename})") from None
    except (ValueError, TypeError):
        raise CannotKeepSecrets(f"{path} is damaged; restore it, or delete the demonstration") from None
    return {name: str(found[name]) for name in ("SELO_SECRET_KEY", "SELO_DATA_KEYS") if name in found}


def _make_secrets(path: Path) -> None:
    """Write a whole file aside, then link it in place: the first process wins, the others read it."""
    made = {
        "SELO_SECRET_KEY": secrets.token_urlsafe(48),
        "SELO_DATA_KEYS": base64.b64encode(secrets.token_bytes(32)).decode(),
    }
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(made, file)
        try:
            os.link(aside, path)
        except FileExistsError:
            return
    finally:
        aside.unlink(missing_ok=True)
