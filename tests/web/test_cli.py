"""The command line: quick, lazily loaded, and one line for every error."""

import base64
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from tests.child_processes import ROOT
from web.cli import VERBS, BadInput, main

DEMO = {"SELO_DEMO": "1"}


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings of the person who runs the tests, and a folder of its own to work in."""
    for name in list(os.environ):
        if name.startswith(("SELO_", "TWILIO_")) or name in ("HOST", "PORT"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, **environ: str) -> Result:
    return CliRunner().invoke(main, arguments, env=environ)


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_is_there_and_has_help(name: str) -> None:
    module, _, attribute = VERBS[name][0].partition(":")
    command = getattr(import_module(module), attribute)
    assert isinstance(command, click.Command)
    assert command.name == name
    result = run(name, "--help")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"Usage: main {name}")


def test_help_lists_every_verb_with_its_words() -> None:
    shown = run("--help").stdout
    for name, (_, words) in VERBS.items():
        assert f"{name}" in shown
        assert words in shown


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["nonsense"]])
def test_what_needs_no_verb_loads_no_library(arguments: list[str]) -> None:
    script = (
        "import sys\n"
        "from web.cli import main\n"
        "try:\n    main(sys.argv[1:], prog_name='selo')\n"
        "except SystemExit:\n    pass\n"
        "slow = {'sqlalchemy', 'sqlmodel', 'starlette', 'alembic', 'pydantic', 'pandas', 'uvicorn'}\n"
        "loaded = slow & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", script, *arguments], cwd=ROOT, check=True, capture_output=True)


BAD = [
    (["nonsense"], "No such command 'nonsense'."),
    (["db", "nonsense"], "No such command 'nonsense'."),
    (["serve", "--port", "70000"], "Invalid value for '--port': 70000 is not in the range 0<=x<=65535."),
    (["serve", "--workers", "0"], "Invalid value for '--workers': 0 is not in the range 1<=x<=64."),
    (["backup"], "Missing argument 'FILE'."),
    (
        ["feed", "publish", "marica", "9" * 30],
        f"Invalid value for 'VERSION': {'9' * 30} is not in the range 1<=x<=2147483647.",
    ),
    (["restore", "absent"], "Invalid value for 'FILE': 'absent': No such file or directory"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_bad_input_is_one_clear_line_and_exit_code_2(arguments: list[str], words: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"selo: {words}\n")


def test_a_group_without_its_verb_shows_its_help_and_exit_code_2() -> None:
    result = run("db")
    assert result.exit_code == 2
    assert "upgrade" in result.stderr


def test_wrong_settings_are_all_named_one_on_each_line() -> None:
    result = run("db", "upgrade", PORT="x", SELO_DATABASE_URL="x", SELO_SECRET_KEY="x")
    assert result.exit_code == 2
    said = result.stderr.splitlines()
    names = ["PORT", "SELO_DATABASE_URL", "SELO_SECRET_KEY", "SELO_DATA_KEYS"]
    assert [line.removeprefix("selo: wrong setting: ").partition(":")[0] for line in said] == names


@pytest.mark.parametrize("verb", [["serve"], ["worker"], ["backup", "file"]])
def test_a_database_that_is_not_upgraded_is_named_so(verb: list[str]) -> None:
    result = run(*verb, **DEMO)
    assert result.exit_code == 2
    assert result.stderr == "selo: the database is not up to date: run `selo db upgrade` first\n"


def test_a_database_that_does_not_answer_is_one_line() -> None:
    result = run("db", "upgrade", SELO_DATABASE_URL="postgresql://u:hush@127.0.0.1:1/d", **DEMO)
    assert result.exit_code == 2
    assert result.stderr.startswith("selo: the database cannot be used: connection failed")
    assert result.stderr.count("\n") == 1
    assert "hush" not in result.stderr


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "selo.db").write_text("not a database")
    result = run("case", "list", "marica", SELO_DATA_DIR=str(tmp_path), **DEMO)
    assert result.exit_code == 2
    assert result.stderr == "selo: the database cannot be used: file is not a database (SELO_DATABASE_URL)\n"


def test_an_output_that_takes_nothing_is_one_line() -> None:
    command = [sys.executable, "-m", "web.cli", "law", "list"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "selo: No space left on device\n")


def test_a_real_server_never_gets_the_people_of_the_demonstration(tmp_path: Path) -> None:
    real = {
        "SELO_SECRET_KEY": "a secret of at least 32 characters",
        "SELO_DATA_KEYS": base64.b64encode(bytes(32)).decode(),
        "SELO_DATA_DIR": str(tmp_path / "real"),
    }
    for said in ({"SELO_DEMO": "0"}, {"SELO_DEMO": "no"}, {}):
        result = run("demo", **real, **said)
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert "SELO_DEMO=1" in result.stderr
    assert not (tmp_path / "real").exists()


def test_a_folder_without_permission_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("db", "upgrade", SELO_DATA_DIR=str(tmp_path / "file" / "data"), **DEMO)
    assert result.exit_code == 2
    assert result.stderr == f"selo: wrong setting: SELO_DATA_DIR: Not a directory ({tmp_path}/file/data)\n"


def test_upgrading_twice_is_harmless_and_the_demonstration_is_found_again(tmp_path: Path) -> None:
    first, second = run("db", "upgrade", **DEMO), run("db", "upgrade")
    assert (first.exit_code, first.stderr) == (0, "")
    assert (second.exit_code, second.stdout) == (0, "The database is up to date.\n")
    assert {path.name for path in (tmp_path / "data").iterdir()} >= {"selo.db", "secrets.json"}
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0, "nobody else looks into the data folder"


TYPED = "maria" + "@example.com"


def fail() -> None:
    raise LookupError(TYPED)


def test_a_defect_is_one_line_with_a_reference_and_details_in_the_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.setattr("web.cli.db.current_settings", fail)
    result = run("db", "upgrade")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    line = json.loads((tmp_path / "data" / "errors.log").read_text())
    assert f"reference {line['reference']}; details in data/errors.log" in result.stderr
    assert "in fail" in line["failure"]
    assert TYPED not in result.stderr + json.dumps(line)


def test_a_defect_without_a_data_folder_says_how_to_see_more(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("web.cli.db.current_settings", fail)
    result = run("db", "upgrade")
    assert "SELO_DEBUG=1 shows the details" in result.stderr
    assert list(tmp_path.iterdir()) == []
    assert isinstance(run("db", "upgrade", SELO_DEBUG="1").exception, LookupError)


def test_a_line_for_people_never_breaks() -> None:
    @click.command()
    def command() -> None:
        raise BadInput("first\nsecond\t third")

    from web.cli.failures import report

    runner = CliRunner()
    with runner.isolation() as (_out, err, _both):
        with pytest.raises(BadInput) as caught:
            command.main([], standalone_mode=False)
        assert report(caught.value) == 2
        assert err.getvalue().decode() == "selo: first second third\n"
