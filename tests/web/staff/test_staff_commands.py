"""The `selo staff` commands, on a real database."""

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from complaints.staff.accounts import get_account
from complaints.staff.passwords import verify_password
from tests.desk_seeds import add_town
from web.cli import main
from web.db import Database

Run = Callable[..., Result]
PASSWORD = "uma frase comprida"
ANA = "ana@marica.example"


@pytest.fixture
def database(new_url: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """Two towns, and the environment of a server on their database."""
    url = new_url("sqlite")
    database = Database(url)
    add_town(database)
    add_town(database, "canaa")
    for name, text in {
        "SELO_DATABASE_URL": url,
        "SELO_DATA_DIR": str(tmp_path / "state"),
        "SELO_SECRET_KEY": "a secret of at least 32 characters",
        "SELO_DATA_KEYS": base64.b64encode(bytes(32)).decode(),
    }.items():
        monkeypatch.setenv(name, text)
    yield database
    database.dispose()


@pytest.fixture
def run(database: Database) -> Run:
    """Runs `selo staff …`; `typed` is its standard input."""

    def run(*arguments: str, typed: str | bytes = "") -> Result:
        return CliRunner().invoke(main, ["staff", *arguments], input=typed)

    return run


def add(run: Run, *more: str, typed: str = PASSWORD + "\n", email: str = ANA) -> Result:
    return run("add", "marica", email, "--role", "triager", "--password-stdin", *more, typed=typed)


def test_a_person_is_added_with_the_password_of_standard_input(run: Run, database: Database) -> None:
    report = json.loads(add(run, "--role", "attendant", "--name", "Ana Souza", "--json").stdout)
    assert (report["email"], report["name"], report["active"]) == (ANA, "Ana Souza", True)
    assert report["roles"] == ["attendant", "triager"]
    with database.read() as session:
        assert verify_password(PASSWORD, get_account(session, 1, ANA).password_hash)
    assert json.loads(run("list", "marica", "--json").stdout) == [report]
    assert json.loads(run("list", "canaa", "--json").stdout) == []


def test_the_commands_speak_in_lines_and_never_say_the_password(run: Run) -> None:
    answer = add(run)
    assert answer.stdout == f"{ANA} may now log in (triager).\n"
    assert PASSWORD not in answer.output
    assert run("list", "marica").stdout == f"{ANA}  triager\n"
    assert run("deactivate", "marica", ANA).stdout == f"{ANA} may no longer log in.\n"
    assert run("list", "marica").stdout == f"{ANA}  triager  (inactive)\n"


@pytest.mark.parametrize(
    ("arguments", "typed", "words"),
    [
        (("add", "nowhere", ANA, "--role", "triager", "--password-stdin"), PASSWORD, "no authority 'nowhere'"),
        (("add", "marica", ANA, "--role", "janitor", "--password-stdin"), PASSWORD, "no role 'janitor'"),
        (("add", "marica", "ana", "--role", "triager", "--password-stdin"), PASSWORD, "is not an e-mail"),
        (("add", "marica", ANA, "--role", "triager", "--password-stdin"), "curta", "at least 12 characters"),
        (("add", "marica", ANA, "--role", "triager", "--password-stdin"), ANA, "may not be the e-mail"),
        (("add", "marica", ANA, "--role", "triager", "--password-stdin"), "", "at least 12 characters"),
        (("add", "marica", ANA, "--role", "triager"), PASSWORD, "--password-stdin"),
        (("add", "marica", ANA, "--password-stdin"), PASSWORD, "--role"),
        (("deactivate", "marica", ANA), "", "marica has nobody with the e-mail"),
        (("password", "marica", ANA, "--password-stdin"), PASSWORD, "marica has nobody with the e-mail"),
        (("password", "marica", ANA, "--password-stdin"), "curta", "at least 12 characters"),
        (("list", "nowhere"), "", "known: canaa, marica"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_code_2(
    run: Run, arguments: tuple[str, ...], typed: str, words: str
) -> None:
    answer = run(*arguments, typed=typed)
    assert answer.exit_code == 2
    assert words in answer.stderr
    assert len(answer.stderr.strip().splitlines()) == 1
    assert answer.stdout == ""


def test_a_password_in_another_encoding_is_refused_in_one_line(run: Run) -> None:
    latin = "uma frase bem comprida, à mão\n".encode("latin-1")
    answer = run("add", "marica", ANA, "--role", "triager", "--password-stdin", typed=latin)
    assert answer.exit_code == 2
    assert answer.stderr == "selo: the password on standard input is not UTF-8 text\n"


def test_an_email_is_taken_once_in_the_deployment(run: Run) -> None:
    add(run)
    again = run("add", "canaa", ANA, "--role", "clerk", "--password-stdin", typed=PASSWORD)
    assert again.exit_code == 2
    assert "already has an account" in again.stderr
    assert run("deactivate", "canaa", ANA).exit_code == 2


def test_a_password_is_changed(run: Run, database: Database) -> None:
    add(run)
    answer = run("password", "marica", ANA, "--password-stdin", typed="outra frase comprida")
    assert answer.stdout == f"The password of {ANA} was changed.\n"
    with database.read() as session:
        assert verify_password("outra frase comprida", get_account(session, 1, ANA).password_hash)


@pytest.mark.parametrize("verb", [(), ("add",), ("list",), ("deactivate",), ("password",)])
def test_every_verb_explains_itself(verb: tuple[str, ...]) -> None:
    answer = CliRunner().invoke(main, ["staff", *verb, "--help"])
    assert answer.exit_code == 0
    assert "Usage:" in answer.stdout
