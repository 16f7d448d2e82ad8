"""`selo backup` and `selo restore` as a person uses them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.any_rows import ROWS, dump, fill
from web.backup import list_tables
from web.cli import main
from web.db import Database

KEYS = {"SELO_SECRET_KEY": "s" * 32, "SELO_DATA_KEYS": "A" * 43 + "="}


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The settings of a deployment with rows in every table."""
    monkeypatch.chdir(tmp_path)
    environ = deployment(tmp_path, "source")
    assert run(environ, "db", "upgrade").exit_code == 0
    database = database_of(tmp_path, "source")
    fill(database)
    database.dispose()
    return environ


def deployment(folder: Path, name: str) -> dict[str, str]:
    return {**KEYS, "SELO_DEMO": "0", "SELO_DATA_DIR": str(folder / name)}


def database_of(folder: Path, name: str) -> Database:
    return Database(f"sqlite:///{folder / name}/selo.db")


def run(environ: dict[str, str], *arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env=environ)


def test_what_was_backed_up_is_restored_elsewhere(source: dict[str, str], tmp_path: Path) -> None:
    rows = ROWS * len(list_tables())
    made = run(source, "backup", "a.selo", "--json")
    assert (made.exit_code, made.stderr) == (0, "")
    assert json.loads(made.stdout)["rows"] == rows
    checked = run(source, "restore", "a.selo", "--check")
    assert checked.stdout.startswith(f"a.selo holds {rows} rows and 0 files of 20")
    restored = run(deployment(tmp_path, "target"), "restore", "a.selo")
    assert (restored.exit_code, restored.stderr) == (0, "")
    assert restored.stdout.startswith(f"Restored {rows} rows and 0 files of 20")
    one, other = database_of(tmp_path, "source"), database_of(tmp_path, "target")
    assert dump(one) == dump(other)
    one.dispose()
    other.dispose()


def test_what_cannot_be_restored_is_one_line_and_writes_nothing(source: dict[str, str], tmp_path: Path) -> None:
    run(source, "backup", "a.selo")
    whole = Path("a.selo").read_bytes()
    Path("cut.selo").write_bytes(whole[:-1])
    Path("other.zip").write_bytes(b"PK\x03\x04")
    target = deployment(tmp_path, "target")
    strange = {**target, "SELO_DATA_KEYS": "B" * 42 + "A="}
    refused = [
        (target, "cut.selo", "cut.selo cannot be restored: it is damaged or cut short"),
        (target, "other.zip", "other.zip cannot be restored: it is not a backup of Selo"),
        (
            strange,
            "a.selo",
            "a.selo cannot be restored: it is damaged, or none of the SELO_DATA_KEYS opens it",
        ),
        (source, "a.selo", "nothing was restored: the database already has rows in "),
    ]
    for environ, name, words in refused:
        result = run(environ, "restore", name)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"selo: {words}")
        assert result.stderr.count("\n") == 1
    assert list((tmp_path / "target").iterdir()) == [], "not even a database was made"


def test_an_existing_file_or_a_missing_folder_is_one_line(source: dict[str, str]) -> None:
    Path("a.selo").write_text("older")
    taken = run(source, "backup", "a.selo")
    assert (taken.exit_code, taken.stderr) == (2, "selo: a.selo already exists; choose another name\n")
    assert Path("a.selo").read_text() == "older"
    nowhere = run(source, "backup", "absent/a.selo")
    words = "selo: cannot write absent/a.selo: No such file or directory\n"
    assert (nowhere.exit_code, nowhere.stderr) == (2, words)
