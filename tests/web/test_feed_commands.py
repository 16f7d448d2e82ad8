"""The `selo feed` commands, on a real database and without one."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.gtfs import small_feed as small
from tests.gtfs.conftest import add_town
from tests.gtfs.real_feeds import demand_feed
from tests.gtfs.small_feed import small_feed
from web.cli import main
from web.db import Database

Run = Callable[..., Result]
NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)


@pytest.fixture
def run(new_url: Callable[[str], str], tmp_path: Path) -> Run:
    """Runs `selo feed …` in the environment of a server with one town, vila."""
    url = new_url("sqlite")
    database = Database(url)
    add_town(database, "vila", NOW)
    database.dispose()
    environment = {
        "SELO_DATABASE_URL": url,
        "SELO_DATA_DIR": str(tmp_path / "state"),
        "SELO_SECRET_KEY": "a secret of at least 32 characters",
        "SELO_DATA_KEYS": base64.b64encode(bytes(32)).decode(),
        "SELO_PUBLIC_URL": "https://selo.exemplo.gov.br",
    }

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["feed", *arguments], env=environment)

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Writes a feed to a file and returns its path."""

    def write(raw: bytes | None = None, name: str = "vila.zip", **changes: str | bytes | None) -> str:
        path = tmp_path / name
        path.write_bytes(small_feed(**changes) if raw is None else raw)
        return str(path)

    return write


def versions(run: Run) -> dict[int, str]:
    return {version["number"]: version["state"] for version in json.loads(run("list", "vila", "--json").stdout)}


def test_good_feed_passes_the_check(run: Run, write: Callable[..., str]) -> None:
    result = run("check", write())
    assert result.exit_code == 0
    assert result.stdout.startswith("vila.zip: aceito. Erros: 0. Avisos: 4.\n")
    assert result.stderr == ""


def test_check_needs_no_settings_database_or_network(write: Callable[..., str], tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "SELO_DATABASE_URL": "postgresql://nobody@nowhere/x"}
    command = [sys.executable, "-m", "web.cli", "feed", "check", write(), "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["accepted"] is True


MUTATIONS: dict[str, tuple[dict[str, str | bytes | None], str, str]] = {
    "stops missing": ({"stops_txt": None}, "missing_required_file", "stops.txt"),
    "latin-1": ({"stops_txt": small.STOPS.encode("latin-1")}, "not_utf8", "stops.txt, linha 2"),
    "unknown stop": (
        {"stop_times_txt": small.STOP_TIMES.replace("ida-0600,2,M", "ida-0600,2,X9")},
        "foreign_key_violation",
        "stop_times.txt, linha 3",
    ),
}


@pytest.mark.parametrize("fault", MUTATIONS)
def test_bad_feed_is_refused_with_file_row_and_fault_and_the_published_one_stays(
    run: Run, write: Callable[..., str], fault: str
) -> None:
    assert run("import", "vila", write(), "--publish").exit_code == 0
    changes, code, place = MUTATIONS[fault]
    for verb in (("check",), ("import", "vila")):
        result = run(*verb, write(name="ruim.zip", **changes))
        assert result.exit_code == 2
        assert f"ERRO {code}" in result.stdout
        assert place in result.stdout
        assert len(result.stderr.splitlines()) == 1
        assert "ruim.zip was refused" in result.stderr
    assert versions(run) == {1: "published"}


@pytest.mark.parametrize(
    ("raw", "code"), [(small_feed()[:-40], "damaged_zip"), (b"linha,hora\n", "not_a_zip"), (b"", "not_a_zip")]
)
def test_file_that_is_no_whole_zip_is_refused(run: Run, write: Callable[..., str], raw: bytes, code: str) -> None:
    result = run("import", "vila", write(raw), "--publish", "--json")
    assert result.exit_code == 2
    report = json.loads(result.stdout)
    assert report["version"] is None
    assert report["report"]["notices"][0]["code"] == code
    assert versions(run) == {}


def test_import_keeps_a_draft_and_publish_shows_it(run: Run, write: Callable[..., str]) -> None:
    imported = run("import", "vila", write())
    assert imported.exit_code == 0
    assert "version 1  draft" in imported.stdout
    assert versions(run) == {1: "draft"}
    published = run("publish", "vila", "1")
    assert (published.exit_code, published.stdout.split()[:3]) == (0, ["version", "1", "published"])
    assert versions(run) == {1: "published"}


def test_same_file_again_is_the_same_version(run: Run, write: Callable[..., str]) -> None:
    run("import", "vila", write())
    again = json.loads(run("import", "vila", write(), "--publish", "--json").stdout)
    assert (again["version"]["number"], again["version"]["state"]) == (1, "published")


def test_rollback_shows_the_version_before(run: Run, write: Callable[..., str]) -> None:
    run("import", "vila", write(), "--publish")
    run("import", "vila", write(stops_txt=small.STOPS.replace("Mercado", "Feira")), "--publish")
    result = run("rollback", "vila")
    assert (result.exit_code, result.stdout.split()[1]) == (0, "1")
    assert versions(run) == {1: "published", 2: "retired"}
    assert run("rollback", "vila", "2").exit_code == 0
    assert versions(run) == {1: "retired", 2: "published"}


def test_list_tells_who_and_when(run: Run, write: Callable[..., str]) -> None:
    assert run("list", "vila").stdout == "vila has no feed yet.\n"
    run("import", "vila", write(), "--publish")
    (version,) = json.loads(run("list", "vila", "--json").stdout)
    assert version["published_by"].startswith("selo feed")
    assert (version["lines"], version["lines_without_times"], version["stops"]) == (3, 1, 6)
    assert (version["first_day"], version["last_day"]) == ("2026-01-01", "2027-12-31")
    assert "vila.zip" in run("list", "vila").stdout


def test_bad_input_is_one_clear_line(run: Run, write: Callable[..., str]) -> None:
    run("import", "vila", write())
    cases = {
        ("check", "nao-existe.zip"): "does not exist",
        ("import", "vila", "nao-existe.zip"): "does not exist",
        ("import", "atlantida", write()): "no authority 'atlantida'",
        ("publish", "vila", "7"): "vila has no version 7",
        ("publish", "vila", "um"): "not a valid integer",
        ("rollback", "vila"): "no version of vila was published before",
        ("rollback", "vila", "1"): "version 1 of vila was never published",
        ("rollback", "vila", "7"): "vila has no version 7",
        ("list", "atlantida"): "known: vila",
    }
    for arguments, words in cases.items():
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, ""), arguments
        assert len(result.stderr.splitlines()) == 1
        assert words in result.stderr


@pytest.mark.parametrize("verb", ["check", "import", "publish", "list", "rollback", "plan", "diff"])
def test_every_verb_explains_itself(run: Run, verb: str) -> None:
    result = run(verb, "--help")
    assert result.exit_code == 0
    assert "--json" in result.stdout


@pytest.mark.parametrize("name", ["porto-alegre-eptc", "fortaleza-etufor"])
def test_real_feed_is_published_from_the_command_line(run: Run, write: Callable[..., str], name: str) -> None:
    result = run("import", "vila", write(demand_feed(name), f"{name}.zip"), "--publish", "--json")
    assert result.exit_code == 0
    version = json.loads(result.stdout)["version"]
    assert (version["state"], version["lines_without_times"]) == ("published", 0)


def plans(run: Run) -> list[tuple[int, str]]:
    return [(made["number"], made["on"]) for made in json.loads(run("plan", "vila", "--json").stdout)]


@pytest.fixture
def two(run: Run, write: Callable[..., str]) -> None:
    """A published version, and a draft where a line has gone and a stop has another name."""
    assert run("import", "vila", write(), "--publish").exit_code == 0
    routes, stops = small.ROUTES.replace("L3,VILA,3,Itaipuaçu,3,,\n", ""), small.STOPS.replace("Mercado", "Feira")
    assert run("import", "vila", write(routes_txt=routes, stops_txt=stops)).exit_code == 0


@pytest.mark.usefixtures("two")
class TestPlans:
    DAY = "2027-12-15"

    def test_version_is_planned_listed_and_cancelled(self, run: Run) -> None:
        made = run("publish", "vila", "2", "--on", self.DAY)
        assert made.exit_code == 0, made.stderr
        assert made.stdout.startswith(f"version 2  planned for {self.DAY} by selo feed")
        assert "when version 1 was published" in made.stdout
        assert plans(run) == [(2, self.DAY)]
        assert versions(run) == {1: "published", 2: "draft"}
        assert f"version 2  planned for {self.DAY}" in run("list", "vila").stdout
        listed = json.loads(run("list", "vila", "--json").stdout)
        assert [version["publish_on"] for version in listed] == [self.DAY, None]
        assert run("plan", "vila", "--cancel", "2").stdout == "vila has no plan.\n"
        assert plans(run) == []

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("publish", "vila", "2", "--on", "2020-01-01"), "has begun"),
            (("publish", "vila", "2", "--on", "2030-01-01"), "no trips after 2027-12-31"),
            (("publish", "vila", "1", "--on", DAY), "is the published one"),
            (("publish", "vila", "9", "--on", DAY), "no version 9"),
            (("publish", "vila", "2", "--on", "amanhã"), "amanhã"),
            (("publish", "nada", "2", "--on", DAY), "no authority"),
            (("plan", "vila", "--cancel", "2"), "is not planned"),
            (("plan", "vila", "--cancel", "9"), "no version 9"),
            (("diff", "vila", "1", "9"), "no version 9"),
            (("diff", "nada"), "no authority"),
        ],
    )
    def test_what_cannot_be_is_one_clear_line(self, run: Run, arguments: tuple[str, ...], words: str) -> None:
        result = run(*arguments)
        assert result.exit_code == 2
        assert words in result.stderr
        assert len(result.stderr.splitlines()) == 1
        assert plans(run) == []

    def test_day_is_given_to_one_version(self, run: Run, write: Callable[..., str]) -> None:
        run("import", "vila", write(stops_txt=small.STOPS.replace("Mercado", "Verão")))
        assert run("publish", "vila", "2", "--on", self.DAY).exit_code == 0
        result = run("publish", "vila", "3", "--on", self.DAY)
        assert (result.exit_code, plans(run)) == (2, [(2, self.DAY)])
        assert "version 2 of vila is planned for" in result.stderr


@pytest.mark.usefixtures("two")
class TestDiff:
    def test_difference_is_told_in_words(self, run: Run) -> None:
        result = run("diff", "vila")
        assert result.exit_code == 0
        assert result.stdout == (
            "Da versão 1 para a versão 2:\n\nLinha 3 · Itaipuaçu: termina\n  A linha termina.\n\n"
            "Parada Feira: muda: nome\n  O nome passa de Mercado para Feira.\n"
        )
        assert run("diff", "vila", "1", "2").stdout == run("diff", "vila", "2").stdout == result.stdout

    def test_difference_is_told_as_values(self, run: Run) -> None:
        values = json.loads(run("diff", "vila", "--json").stdout)
        assert (values["earlier"], values["later"]) == (1, 2)
        assert [(line["slug"], line["state"]) for line in values["lines"]] == [("3", "ends")]
        assert values["stops"][0]["renamed"] == ["Mercado", "Feira"]

    def test_version_does_not_differ_from_itself(self, run: Run) -> None:
        assert run("diff", "vila", "1", "1").stdout == "Nada muda da versão 1 para a versão 1.\n"

    def test_difference_has_a_direction(self, run: Run) -> None:
        assert "Linha 3 · Itaipuaçu: começa" in run("diff", "vila", "2", "1").stdout


def test_difference_without_a_published_version_needs_two_numbers(run: Run, write: Callable[..., str]) -> None:
    run("import", "vila", write())
    result = run("diff", "vila")
    assert result.exit_code == 2
    assert "name two versions" in result.stderr


def test_fares_join_the_public_zip_and_leave_it(run: Run, write: Callable[..., str]) -> None:
    early = run("fares", "vila", "with")
    assert (early.exit_code, "no published feed" in early.stderr) == (2, True)
    run("import", "vila", write(), "--publish")
    assert json.loads(run("fares", "vila", "with", "--json").stdout) == {"number": 1, "with_fares": True}
    assert json.loads(run("list", "vila", "--json").stdout)[0]["with_fares"]
    assert "without the fares" in run("fares", "vila", "without", "--version", "1").stdout
    unknown = run("fares", "vila", "with", "--version", "9")
    assert (unknown.exit_code, "has no version 9" in unknown.stderr) == (2, True)
