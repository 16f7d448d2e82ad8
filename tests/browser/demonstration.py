"""The demonstration as `selo demo` seeds it, made once for each kind of database and copied for each test."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.child_processes import ROOT, selo


@dataclass(frozen=True)
class Demonstration:
    """One seeded demonstration: its environment, and what `selo demo --json` printed."""

    folder: Path
    environ: Mapping[str, str]
    report: dict[str, Any]

    def seal(self, town: str, state: str) -> str:
        """A seal code of a town: `valid`, `expired` or `revoked`."""
        code: str = self._town(town)["seals"][state]
        return code

    def plate(self, town: str) -> str:
        """The plate of the vehicle with the valid seal."""
        plate: str = self._town(town)["plates"][0]
        return plate

    def sms_number(self, town: str) -> str:
        """The number that takes texts, E.164."""
        number: str = self._town(town)["sms_number"]
        return number

    def log_in(self, town: str, role: str) -> tuple[str, str]:
        """E-mail and password of an account."""
        found = next(item for item in self.report["log_ins"] if (item["town"], item["role"]) == (town, role))
        return found["email"], found["password"]

    def run(self, *arguments: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
        """Run `selo` on it to its end, whatever its exit code."""
        return subprocess.run(
            [sys.executable, *selo(*arguments)],
            cwd=self.folder,
            env=full_environ(self.environ),
            input=typed,
            capture_output=True,
            text=True,
            check=False,
        )

    def copy(self, folder: Path, database_url: str | None) -> "Demonstration":
        """The same demonstration in another folder; `database_url`: a copy of its PostgreSQL database."""
        shutil.copytree(self.folder, folder)
        environ = {**self.environ, "SELO_DATA_DIR": str(folder)}
        if database_url:
            environ["SELO_DATABASE_URL"] = database_url
        return Demonstration(folder, environ, self.report)

    def _town(self, slug: str) -> dict[str, Any]:
        found: dict[str, Any] = next(town for town in self.report["towns"] if town["slug"] == slug)
        return found


def full_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """An exact environment for a program of ours: nothing of the caller's but what finding programs needs."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), **environ}


def seed(folder: Path, database_url: str | None) -> Demonstration:
    """Run `selo demo` in a new folder; on PostgreSQL `database_url` names an empty database."""
    folder.mkdir()
    environ = {"SELO_DATA_DIR": str(folder)}
    if database_url:
        environ["SELO_DATABASE_URL"] = database_url
    demonstration = Demonstration(folder, environ, {})
    done = demonstration.run("demo", "--json")
    assert done.returncode == 0, done.stderr
    return Demonstration(folder, environ, json.loads(done.stdout))
