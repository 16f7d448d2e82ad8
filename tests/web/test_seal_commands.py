"""The `selo seal` commands, on a real database and without one."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from complaints.authorities.tables import Authority
from complaints.registry.tables import Vehicle
from complaints.registry.vehicles import register_vehicle, withdraw_vehicle
from web.cli import main
from web.db import Database

Run = Callable[..., Result]
UNTIL = ("--until", "2099-12-31")


@pytest.fixture
def town(new_url: Callable[[str], str], tmp_path: Path) -> Iterator[tuple[Database, dict[str, str]]]:
    """Maricá with one van, and the environment of a server on its database."""
    url = new_url("sqlite")
    database = Database(url)
    with database.write() as session:
        marica = Authority(
            slug="marica",
            name="Empresa Pública de Transportes de Maricá",
            short_name="EPT",
            town="Maricá",
            uf="RJ",
            law_id="marica-2627-2015",
            time_zone="America/Sao_Paulo",
            phone="+552137310000",
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        session.add(marica)
        session.flush()
        register_vehicle(session, marica.id, "ABC1D23", kind="van", service="complementary")
    environment = {
        "SELO_DATABASE_URL": url,
        "SELO_DATA_DIR": str(tmp_path / "state"),
        "SELO_SECRET_KEY": "a secret of at least 32 characters",
        "SELO_DATA_KEYS": base64.b64encode(bytes(32)).decode(),
        "SELO_PUBLIC_URL": "https://selo.exemplo.gov.br",
    }
    yield database, environment
    database.dispose()


@pytest.fixture
def run(town: tuple[Database, dict[str, str]]) -> Run:
    """Runs `selo seal …` in that environment."""

    def run(*arguments: str) -> Result:
        return CliRunner(env=town[1]).invoke(main, ["seal", *arguments])

    return run


def test_a_seal_is_issued_listed_and_revoked(run: Run) -> None:
    issued = run("issue", "marica", "--vehicle", "abc-1323", *UNTIL, "--own-number", "7", "--json")
    assert issued.exit_code == 0
    report = json.loads(issued.stdout)
    assert (report["plate"], report["state"], report["valid_until"]) == ("ABC1D23", "valid", "2099-12-31")
    assert json.loads(run("list", "marica", "--json").stdout) == [report]
    revoked = json.loads(run("revoke", report["code"].lower(), "--reason", "Descolado", "--json").stdout)
    assert (revoked["state"], revoked["revoked_reason"]) == ("revoked", "Descolado")
    again = run("revoke", report["code"], "--reason", "De novo")
    assert (again.exit_code, again.stdout) == (2, "")
    assert "já foi cancelado" in again.stderr


def test_the_commands_speak_in_lines_for_people(run: Run) -> None:
    line = run("issue", "marica", "--vehicle", "ABC1D23", *UNTIL).stdout
    code = line.split()[1]
    assert line == f"Issued {code} for ABC1D23, valid until 2099-12-31.\n"
    assert run("list", "marica").stdout == f"{code}  ABC1D23  valid  until 2099-12-31\n"
    assert run("revoke", code, "--reason", "Descolado").stdout == f"Revoked {code} of ABC1D23.\n"


def test_the_law_sets_the_last_day_when_nobody_says_it(run: Run) -> None:
    report = json.loads(run("issue", "marica", "--vehicle", "ABC1D23", "--json").stdout)
    days = (
        datetime.fromisoformat(report["valid_until"]).date() - datetime.fromisoformat(report["issued_at"]).date()
    )
    assert 364 <= days.days <= 367


def test_the_label_is_written_with_the_seal_or_later(run: Run, tmp_path: Path) -> None:
    first, later = tmp_path / "first.svg", tmp_path / "later.svg"
    report = json.loads(
        run("issue", "marica", "--vehicle", "ABC1D23", *UNTIL, "--label", str(first), "--json").stdout
    )
    assert run("label", report["code"], "--out", str(later)).exit_code == 0
    assert first.read_bytes() == later.read_bytes()
    words = [line.text for line in ElementTree.parse(first).iter("{http://www.w3.org/2000/svg}text")]
    assert "selo.exemplo.gov.br" in words
    assert "Válido até 31/12/2099" in words
    assert "Reclame: tel. (21) 3731-0000" in words


def test_a_label_that_cannot_be_written_leaves_the_seal_and_says_so(run: Run, tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "label.svg"
    result = run("issue", "marica", "--vehicle", "ABC1D23", *UNTIL, "--label", str(nowhere))
    assert result.exit_code == 2
    code = json.loads(run("list", "marica", "--json").stdout)[0]["code"]
    assert f"the seal {code} stands" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("issue", "nowhere", "--vehicle", "ABC1D23"), "no authority 'nowhere'"),
        (("issue", "marica", "--vehicle", "XXX9X99"), "no vehicle with the plate 'XXX9X99'"),
        (("issue", "marica", "--vehicle", "ABC1D23", "--until", "31/12/2099"), "does not match the format"),
        (("issue", "marica", "--vehicle", "ABC1D23", "--until", "2020-01-01"), "já passou"),
        (("issue", "marica"), "Missing option '--vehicle'"),
        (("revoke", "7K2M9PXQV", "--reason", "x"), "no seal has the code 7K2M9PXQV"),
        (("revoke", "7K2M9PXQW", "--reason", "x"), "Há um caractere errado"),
        (("revoke", "7K2M9PXQV"), "Missing option '--reason'"),
        (("label", "7K2M9PXQV", "--out", "x.svg"), "no seal has the code"),
        (("list", "nowhere"), "no authority 'nowhere'"),
        (("check",), "Missing argument"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_code_two(run: Run, arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert words in result.stderr


def test_a_withdrawn_vehicle_gets_no_seal(run: Run, town: tuple[Database, dict[str, str]]) -> None:
    database, _ = town
    with database.write() as session:
        vehicle = session.get_one(Vehicle, _only_vehicle(database))
        withdraw_vehicle(session, vehicle, datetime(2026, 1, 1, tzinfo=UTC).date())
    result = run("issue", "marica", "--vehicle", "ABC1D23")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "saiu do cadastro em 01/01/2026" in result.stderr
    assert json.loads(run("list", "marica", "--json").stdout) == []


CHECKS = [
    ("7K2M9PXQV", 0, {"valid": True, "code": "7K2M9PXQV"}),
    ("k7m 29p-xqd", 0, {"valid": True, "code": "K7M29PXQD"}),
    ("7K2M9PXQW", 2, {"valid": False, "problem": "wrong_check", "suggestion": None}),
    ("7K2M9PXOV", 2, {"valid": False, "problem": "strange_character", "suggestion": "7K2M9PXQV"}),
    ("7K2", 2, {"valid": False, "problem": "wrong_length", "read": "7K2"}),
]


@pytest.mark.parametrize(("code", "exit_code", "expected"), CHECKS)
def test_the_form_of_a_code_is_checked(code: str, exit_code: int, expected: dict[str, object]) -> None:
    result = CliRunner(env={"SELO_DATABASE_URL": "nonsense"}).invoke(main, ["seal", "check", code, "--json"])
    assert result.exit_code == exit_code
    report = json.loads(result.stdout)
    assert {key: report[key] for key in expected} == expected


def test_a_code_in_separate_words_is_one_code() -> None:
    result = CliRunner().invoke(main, ["seal", "check", "7K2", "M9P", "XQV"])
    assert result.stdout == "7K2 M9P XQV is well formed.\n"


def test_a_suggestion_is_offered_on_the_error_line() -> None:
    result = CliRunner().invoke(main, ["seal", "check", "7K2M9PXOV"])
    assert result.stdout == ""
    assert "nunca tem O. Você quis dizer 7K2 M9P XQV?" in result.stderr


def test_checking_loads_no_database_and_reads_no_setting() -> None:
    program = (
        "import sys\nfrom web.cli import main\n"
        "try: main(['seal', 'check', '7K2M9PXQV'])\n"
        "except SystemExit as end: print(end.code)\n"
        "print({'sqlalchemy', 'sqlmodel', 'starlette', 'web.settings'} & set(sys.modules))"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SELO_", "TWILIO_"))}
    done = subprocess.run(
        [sys.executable, "-c", program], env=clean, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "7K2 M9P XQV is well formed.\n0\nset()\n"


def _only_vehicle(database: Database) -> tuple[int, object]:
    from sqlmodel import select

    with database.read() as session:
        vehicle = session.exec(select(Vehicle)).one()
    return vehicle.authority_id, vehicle.id
