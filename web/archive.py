"""What is inside a backup: a manifest, then the rows of every table, then the stored files.

A gzipped tar stream: `manifest.json`, `tables/NAME/NUMBER.jsonl` with some of its rows, `files/KEY`.
"""

import io
import json
import re
import tarfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import BinaryIO, cast

from complaints.sealing import Keyring
from web.sealed_stream import BadBackup, OpeningReader, SealingWriter

_TABLE_PART = re.compile(r"tables/([a-z0-9_]+)/\d+\.jsonl\Z")
_STORED_FILE = re.compile(r"files/([a-z0-9][a-z0-9/_-]*)\Z")


@dataclass(frozen=True)
class Manifest:
    """What the backup holds: `made_at` in ISO 8601, UTC; `revision` of the schema; `secret_mark` tells one
    SELO_SECRET_KEY from another; `tables`: columns and number of rows of each table, in order of dependency."""

    made_at: str
    revision: str
    secret_mark: str
    tables: dict[str, tuple[list[str], int]]

    @property
    def rows(self) -> int:
        """Number of rows of all tables together."""
        return sum(rows for _, rows in self.tables.values())


@dataclass(frozen=True)
class TablePart:
    """Some rows of one table, as JSON lines."""

    table: str
    lines: bytes


@dataclass(frozen=True)
class StoredFile:
    """One object of the storage."""

    key: str
    content: bytes


class ArchiveWriter:
    """Writes the parts in the order in which they must be read: manifest, tables, files."""

    def __init__(self, file: BinaryIO, keyring: Keyring, manifest: Manifest) -> None:
        self._sealing = SealingWriter(file, keyring)
        pipe = cast(BinaryIO, self._sealing)  # a tar stream calls write() and nothing else
        self._tar = tarfile.open(fileobj=pipe, mode="w|gz", format=tarfile.PAX_FORMAT)  # noqa: SIM115 - see finish()
        self._parts = 0
        self._add("manifest.json", json.dumps(asdict(manifest)).encode())

    def add_rows(self, table: str, lines: bytes) -> None:
        """Add some rows of a table."""
        self._parts += 1
        self._add(f"tables/{table}/{self._parts:08}.jsonl", lines)

    def add_file(self, stored: StoredFile) -> None:
        """Add one stored object."""
        self._add(f"files/{stored.key}", stored.content)

    def finish(self) -> None:
        """Make the archive whole."""
        self._tar.close()
        self._sealing.finish()

    def _add(self, name: str, content: bytes) -> None:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        self._tar.addfile(entry, io.BytesIO(content))


def read_archive(file: BinaryIO, keyring: Keyring) -> Iterator[Manifest | TablePart | StoredFile]:
    """The parts in the order in which they were written, to the proved end of the file. Raises BadBackup."""
    file.seek(0)
    reader = OpeningReader(file, keyring)
    try:
        with tarfile.open(fileobj=cast(BinaryIO, reader), mode="r|gz") as tar:
            for entry in tar:
                opened = tar.extractfile(entry)
                yield _read_part(entry.name, opened.read() if opened else b"")
    except (tarfile.TarError, EOFError, ValueError, TypeError) as problem:
        raise BadBackup(f"its contents cannot be read ({type(problem).__name__})") from None
    while reader.read(1 << 20):
        pass  # the end of the archive lies before the end of the file: prove that too


def _read_part(name: str, content: bytes) -> Manifest | TablePart | StoredFile:
    if name == "manifest.json":
        return Manifest(**json.loads(content))
    if match := _TABLE_PART.match(name):
        return TablePart(match[1], content)
    if match := _STORED_FILE.match(name):
        return StoredFile(match[1], content)
    raise BadBackup(f"it holds an unknown part, {name!r}")
