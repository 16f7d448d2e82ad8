"""Where bytes too big for the database live: an interface, and a folder that implements it."""

import os
import re
import secrets
from pathlib import Path
from typing import Protocol

_KEY = re.compile(r"[a-z0-9][a-z0-9/_-]*\Z")


class MissingObject(Exception):
    """No stored object has this key."""


class Storage(Protocol):
    """Keys are lower-case paths of letters, digits, `-`, `_`, `/`; values are bytes, never changed."""

    def put(self, key: str, content: bytes) -> None:
        """Store whole or not at all."""

    def get(self, key: str) -> bytes:
        """The bytes; raises MissingObject."""

    def delete(self, key: str) -> None:
        """Forget the object; no error when it is already gone."""


class FolderStorage:
    """Storage in one folder of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, key: str, content: bytes) -> None:
        """Write a temporary file, flush it to the disk, then rename: nobody sees half an object."""
        path = self._path(key)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            with temporary.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def get(self, key: str) -> bytes:
        """The bytes; raises MissingObject."""
        try:
            return self._path(key).read_bytes()
        except FileNotFoundError:
            raise MissingObject(key) from None

    def delete(self, key: str) -> None:
        """Forget the object; no error when it is already gone."""
        self._path(key).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        if not _KEY.match(key):
            raise ValueError(f"not a storage key: {key!r}")
        return self.folder / key
