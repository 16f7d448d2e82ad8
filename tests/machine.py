"""What this machine has for the tests, and what happens where it lacks something.

A test that needs a program the machine lacks is skipped with the reason; programs named in SELO_TEST_REQUIRE
(comma between: chromium, postgresql) must be there, and their absence is a failure.
"""

import os
import shutil
from pathlib import Path

import pytest

DATABASES = ("sqlite", "postgresql")
"""Both kinds of database that the product runs on."""


def find_chromium() -> Path | None:
    """The system's Chromium; SELO_TEST_CHROMIUM names another one."""
    named = os.environ.get("SELO_TEST_CHROMIUM")
    found = named or shutil.which("chromium") or shutil.which("chromium-browser")
    return Path(found) if found else None


def find_postgresql() -> Path | None:
    """The folder with `initdb` and `postgres`: SELO_TEST_POSTGRESQL, else the newest of Debian's, else PATH."""
    named = os.environ.get("SELO_TEST_POSTGRESQL")
    if named:
        return Path(named)
    versions = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if versions:
        return max(versions, key=lambda folder: int(folder.parent.name))
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


def demand(program: str, found: Path | None) -> Path:
    """Return `found`; without it skip the test, or fail it when the program is required."""
    if found is not None:
        return found
    if program in os.environ.get("SELO_TEST_REQUIRE", "").split(","):
        pytest.fail(f"{program} is required here (SELO_TEST_REQUIRE) and not installed", pytrace=False)
    pytest.skip(f"{program} is not installed on this machine")
