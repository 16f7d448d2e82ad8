"""`selo alert`, as somebody types it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from web.cli import main


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for command in (["db", "upgrade"], ["demo"]):
        assert run(folder, *command).exit_code == 0
    return folder


def run(data: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env={"SELO_DEMO": "1", "SELO_DATA_DIR": str(data)})


ADD = ("alert", "add", "marica", "--header", "Sem vans", "--text", "Greve.", "--effect")


def test_an_alert_is_made_listed_and_ended(data: Path) -> None:
    made = json.loads(run(data, *ADD, "NO_SERVICE", "--json").output)
    assert made["informed"] == [{"kind": "town", "id": "", "name": ""}]
    listed = json.loads(run(data, "alert", "list", "marica", "--json").output)
    assert [one["number"] for one in listed] == [made["number"]]
    assert "Sem vans" in run(data, "alert", "list", "marica").output
    assert run(data, "alert", "end", "marica", str(made["number"])).exit_code == 0
    assert run(data, "alert", "list", "marica").output == "No alerts.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*ADD, "NADA"), "NADA is none of"),
        ((*ADD, "NO_SERVICE", "--line", "nenhuma"), "no published line 'nenhuma'"),
        ((*ADD, "NO_SERVICE", "--until", "2020-01-01T10:00"), "over already"),
        (("alert", "end", "marica", "99"), "has no alert 99"),
        (("alert", "list", "nowhere"), "nowhere"),
    ],
)
def test_bad_input_is_told_in_one_line(data: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run(data, *arguments)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output
