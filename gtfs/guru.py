"""A second opinion on a feed by gtfs-guru, in a limited process beside, while we read and check it ourselves.

It needs gigabytes for a hostile zip and is ended by a signal where it gets none, so it never runs in this process,
and only after our own limits on the zip were kept.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gtfs import guru_child

WALL_SECONDS = 40.0
"""How long it may take in all; more than its processor time, since it starts beside other work."""

COUNTRY = "BR"
"""Whose telephone numbers it knows."""

_CHILD = str(Path(guru_child.__file__))
_ENVIRONMENT = {"RAYON_NUM_THREADS": "2", "MALLOC_ARENA_MAX": "2"}
"""Many threads would spend the address space on their own stacks and arenas."""


class TooBig(Exception):
    """The feed was too big: the process was ended by its limits."""


class Failed(Exception):
    """The process ended for another reason and told nothing."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """Notices of one code about one field of one file; `samples` are the first: row and what it says of each."""

    code: str
    file: str
    field: str
    total: int
    samples: tuple[tuple[int | None, Mapping[str, Any]], ...]


class Guru:
    """The process on one zip: `begin` it, go on with other work, `wait` for it. Tests give a `command`."""

    def __init__(
        self,
        raw: bytes,
        today: date,
        shown: int,
        command: tuple[str, ...] = (sys.executable, "-I", _CHILD),
        wall_seconds: float = WALL_SECONDS,
    ) -> None:
        self._raw, self._arguments = raw, (today.isoformat(), COUNTRY, str(shown))
        self._command, self._wall_seconds = command, wall_seconds
        self._folder: TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._deadline = 0.0
        self._broken = False

    def begin(self) -> None:
        """Start the process; where it cannot be started, `wait` says so."""
        try:
            self._start()
        except OSError:
            self._broken = True

    def _start(self) -> None:
        self._folder = TemporaryDirectory(prefix="selo-guru-")
        feed, answer = self._path("feed.zip"), self._path("answer.json")
        feed.write_bytes(self._raw)
        self._deadline = time.monotonic() + self._wall_seconds
        with answer.open("wb") as out:
            self._process = subprocess.Popen(
                [*self._command, str(feed), *self._arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_ENVIRONMENT},
            )

    def wait(self) -> tuple[Opinion, ...]:
        """What it says; nothing when it was never begun. Raises TooBig or Failed."""
        if self._broken:
            raise Failed
        if self._process is None:
            return ()
        try:
            code = self._process.wait(max(0.1, self._deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise TooBig from None
        if code < 0 or code == guru_child.TOO_BIG:
            raise TooBig
        if code:
            raise Failed
        try:
            return tuple(map(_read, json.loads(self._path("answer.json").read_bytes())))
        except (OSError, ValueError):
            raise Failed from None

    def close(self) -> None:
        """End the process if it still runs, and remove its files."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        if self._folder is not None:
            self._folder.cleanup()

    def _path(self, name: str) -> Path:
        if self._folder is None:
            raise ValueError("the process was not begun")
        return Path(self._folder.name) / name


@contextmanager
def asking_guru(raw: bytes, today: date, shown: int, wanted: bool = True) -> Iterator[Guru | None]:
    """A Guru to begin and wait for, ended with the block; None where no second opinion is `wanted`."""
    if not wanted:
        yield None
        return
    guru = Guru(raw, today, shown)
    try:
        yield guru
    finally:
        guru.close()


def _read(values: Mapping[str, Any]) -> Opinion:
    samples = tuple((sample["row"], sample["context"]) for sample in values["samples"])
    return Opinion(values["code"], values["file"], values["field"], values["total"], samples)
