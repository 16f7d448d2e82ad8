"""`selo feed reference`, `selo feed separation` and the spreadsheet of `selo feed check`."""

import base64
import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from complaints.authorities.tables import Authority
from tests.gtfs import small_feed as small
from tests.gtfs.conftest import add_town
from tests.gtfs.small_feed import small_feed
from web.cli import main
from web.db import Database

Run = Callable[..., Result]
NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)


@pytest.fixture
def run(new_url: Callable[[str], str], tmp_path: Path) -> Run:
    """Runs `selo feed …`; vila is under Maricá's law, outra under one that asks no distance."""
    url = new_url("sqlite")
    database = Database(url)
    for slug, law in (("vila", "marica-2627-2015"), ("outra", "canaa-dos-carajas-46-2003")):
        town = add_town(database, slug, NOW)
        with database.write() as session:
            session.get_one(Authority, town.id).law_id = law
    database.dispose()
    environment = {
        "SELO_DATABASE_URL": url,
        "SELO_DATA_DIR": str(tmp_path / "state"),
        "SELO_SECRET_KEY": "a secret of at least 32 characters",
        "SELO_DATA_KEYS": base64.b64encode(bytes(32)).decode(),
        "SELO_PUBLIC_URL": "https://selo.exemplo.gov.br",
    }
    return lambda *arguments: CliRunner().invoke(main, ["feed", *arguments], env=environment)


@pytest.fixture
def zip_path(tmp_path: Path) -> str:
    """The small feed as a file."""
    path = tmp_path / "vila.zip"
    path.write_bytes(small_feed())
    return str(path)


def test_departures_near_the_reference_are_listed_in_words_json_and_csv(run: Run, zip_path: str) -> None:
    assert run("import", "vila", zip_path, "--publish").exit_code == 0
    kept = run("reference", "vila", zip_path)
    assert kept.exit_code == 0, kept.output
    assert kept.stdout.startswith("reference 1  kept     vila.zip")
    words = run("separation", "vila").stdout
    assert words.startswith("Partidas a menos de 15 min das de vila.zip, nos pontos comuns, de ")
    assert "Linha 1 (Praia), Rodoviária Centro, " in words
    values = json.loads(run("separation", "vila", "--json").stdout)
    assert (values["minutes"], values["shared_stops"], values["total"] > 0) == (15, 6, True)
    content = run("separation", "vila", "--version", "1", "--csv").stdout_bytes
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))
    assert len(rows) == values["total"]
    assert rows[0]["linha"] == values["warnings"][0]["line"]


def test_reference_is_listed_and_removed(run: Run, zip_path: str) -> None:
    run("reference", "vila", zip_path)
    assert [one["number"] for one in json.loads(run("reference", "vila", "--list", "--json").stdout)] == [1]
    assert json.loads(run("reference", "vila", "--remove", "--json").stdout)["removed_at"]
    assert "reference 1  removed" in run("reference", "vila", "--list").stdout
    assert "has no reference feed in use" in run("reference", "vila", "--remove").stderr
    assert run("reference", "outra", "--list").stdout == "outra has no reference feed.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("reference", "vila"), "give one of FILE, --list and --remove"),
        (("reference", "vila", "--list", "--remove"), "give one of FILE, --list and --remove"),
        (("separation", "vila"), "vila has published no feed; choose one with --version"),
        (("separation", "vila", "--version", "9"), "vila has no version 9"),
        (("separation", "vila", "--csv", "--json"), "give one of --json and --csv"),
        (("separation", "outra"), "the law of outra says no distance between departures; give --minutes"),
        (("separation", "nenhuma"), "nenhuma"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(run: Run, arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_version_without_a_reference_says_how_to_give_one(run: Run, zip_path: str) -> None:
    run("import", "vila", zip_path)
    result = run("separation", "vila", "--version", "1")
    assert (result.exit_code, "selo feed reference vila FILE" in result.stderr) == (2, True)


def test_minutes_may_be_given_where_the_law_says_none(run: Run, zip_path: str) -> None:
    run("import", "outra", zip_path, "--publish")
    run("reference", "outra", zip_path)
    assert (
        json.loads(run("separation", "outra", "--minutes", "5", "--metres", "20", "--json").stdout)["minutes"] == 5
    )


def test_refused_reference_is_reported_and_not_kept(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ruim.zip"
    path.write_bytes(small_feed(stops_txt=None))
    result = run("reference", "vila", str(path))
    assert result.exit_code == 2
    assert "ERRO missing_required_file" in result.stdout
    assert run("reference", "vila", "--list").stdout == "vila has no reference feed.\n"


def test_check_as_a_spreadsheet_has_one_guarded_row_for_each_notice(tmp_path: Path) -> None:
    path = tmp_path / "vila.zip"
    path.write_bytes(small_feed(stops_txt=small.STOPS.replace("-22.9250", "-92.9250")))
    result = CliRunner().invoke(main, ["feed", "check", str(path), "--csv"])
    assert result.exit_code == 2
    assert result.stdout_bytes.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(result.stdout_bytes.decode("utf-8-sig")), delimiter=";"))
    assert (rows[0]["gravidade"], rows[0]["codigo"], rows[0]["arquivo"], rows[0]["linha"]) == (
        "erro",
        "number_out_of_range",
        "stops.txt",
        "3",
    )
    assert rows[0]["valor"] == "'-92.9250"
    assert "Confira se latitude e longitude não foram trocadas" in rows[0]["mensagem"]
