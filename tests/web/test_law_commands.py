"""`selo law` answers without settings, database or network."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from web.cli.law import law

RULEBOOKS = Path(__file__).parents[2] / "complaints" / "law" / "rulebooks"


def run(*arguments: str, standard_input: str | bytes | None = None) -> Result:
    return CliRunner().invoke(law, arguments, input=standard_input)


def test_list_names_every_law_and_its_town() -> None:
    lines = run("list").output.splitlines()
    assert len(lines) == 6
    named = dict(line.split(maxsplit=1) for line in lines)
    assert named["marica-2627-2015"] == "Lei municipal nº 2.627/2015, Maricá (RJ)"
    assert named["br-13460-2017"] == "Lei federal nº 13.460/2017, Brasil"


def test_list_reports_as_json() -> None:
    rows = json.loads(run("list", "--json").output)
    (marica,) = [row for row in rows if row["id"] == "marica-2627-2015"]
    assert marica["services"] == ["complementary"]
    assert marica["infractions"] == 31


def test_show_prints_what_the_law_says() -> None:
    text = run("show", "rio-das-ostras-2358-2020").output
    assert text.startswith("Lei municipal nº 2.358/2020\n")
    assert "  Transporte escolar\n" in text
    assert "excesso-de-alunos: Mais alunos do que lugares [urgente]" in text
    assert "Quem viaja de graça" not in text


def test_show_of_the_federal_law_prints_its_terms() -> None:
    assert "Resposta a quem reclamou. 30 dias (art. 16, caput)" in run("show", "br-13460-2017").output


def test_show_reports_the_whole_rulebook_as_json() -> None:
    whole = json.loads(run("show", "marica-2627-2015", "--json").output)
    assert whole["law"]["signed_on"] == "2015-10-28"
    assert whole["subject"][0]["label"] == "Cobraram passagem"
    assert "class" not in whole["infraction"][0]


def test_unknown_rulebook_is_bad_input() -> None:
    result = run("show", "marica")
    assert result.exit_code == 2
    assert "there is no rulebook 'marica'; `selo law list` shows those that exist" in result.stderr


@pytest.mark.parametrize("file", sorted(RULEBOOKS.glob("*.toml")), ids=lambda file: file.stem)
def test_every_rulebook_that_ships_passes_its_own_check(file: Path) -> None:
    result = run("check", str(file))
    assert result.exit_code == 0, result.output
    assert "is whole" in result.output


def test_check_tells_each_fault_and_counts_them_in_one_line(tmp_path: Path) -> None:
    text = (RULEBOOKS / "marica-2627-2015.toml").read_text(encoding="utf-8")
    file = tmp_path / "lei.toml"
    file.write_text(
        text.replace('"art. 23, § 1º"', '"art. 23 § 1º"', 1).replace('uf = "RJ"', 'uf = "Rio"'), "utf-8"
    )
    result = run("check", str(file))
    assert result.exit_code == 2
    assert "fare_rule.0 (grat-crianca-colo).citations.0: não é uma citação" in result.stdout
    assert "law.uf: não tem a forma exigida" in result.stdout
    assert result.stderr.strip().endswith(f"{file}: 2 faults")


def test_check_reports_faults_as_json(tmp_path: Path) -> None:
    file = tmp_path / "lei.toml"
    file.write_text("[law]\n", encoding="utf-8")
    result = run("check", str(file), "--json")
    report = json.loads(result.stdout)
    assert result.exit_code == 2
    assert {"place": "law.id", "message": "falta este campo"} in report["faults"]


def test_check_of_a_whole_file_reports_no_faults_as_json() -> None:
    report = json.loads(run("check", str(RULEBOOKS / "br-13460-2017.toml"), "--json").stdout)
    assert (report["id"], report["faults"]) == ("br-13460-2017", [])


@pytest.mark.parametrize("name", ["nada.toml", "."])
def test_check_of_what_is_no_file_is_bad_input(tmp_path: Path, name: str) -> None:
    assert run("check", str(tmp_path / name)).exit_code == 2


def test_law_needs_no_settings_and_never_loads_the_database(tmp_path: Path) -> None:
    code = (
        "import sys; from web.cli import main\n"
        "try: main(['law', 'list'])\n"
        "finally: print(sorted({'sqlalchemy', 'sqlmodel', 'starlette'} & set(sys.modules)))"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SELO_")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr
    assert "marica-2627-2015" in done.stdout
    assert not list(tmp_path.iterdir())


QUESTION = {
    "rulebook": "conceicao-de-macabu-1588-2019",
    "ask": "fleet",
    "on": "2027-04-05",
    "given": {"needed": 18},
}


def test_one_question_gets_one_answer() -> None:
    result = run("ask", standard_input=json.dumps(QUESTION))
    assert result.exit_code == 0
    assert json.loads(result.output)["reserve"] == {"min": 2, "max": 3, "possible": True}


def test_a_question_the_law_does_not_answer_is_no_error() -> None:
    result = run("ask", standard_input=json.dumps({**QUESTION, "rulebook": "marica-2627-2015", "given": {}}))
    assert result.exit_code == 0
    assert json.loads(result.output)["status"] == "not_applicable"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{", "question: not JSON"),
        (b"[]", "question: not a JSON object"),
        (b"\xff", "question: not UTF-8 at byte 0"),
        (b'{"ask": "fleet", "ask": "fare"}', "question: not JSON: a name appears twice in one object"),
        (b'{"on": NaN}', "question: not JSON: NaN is no JSON number"),
        (json.dumps({**QUESTION, "on": "2027-13-01"}).encode(), "on: "),
        (json.dumps({**QUESTION, "ask": "weather"}).encode(), "ask: unknown kind 'weather'"),
        (json.dumps({**QUESTION, "rulebook": "x"}).encode(), "rulebook: unknown rulebook 'x'"),
        (json.dumps({**QUESTION, "given": {"needed": -1}}).encode(), "given.needed: "),
        (json.dumps({**QUESTION, "given": {"needed": True}}).encode(), "given.needed: "),
        (json.dumps({**QUESTION, "colour": 1}).encode(), "colour: unknown field"),
        (json.dumps({**QUESTION, "settings": {"defence.days": 15}}).encode(), "settings.defence.days: "),
        (json.dumps({**QUESTION, "fixtures": {"fiscal_units": {"UFM": {"2027-13": 1}}}}).encode(), "fixtures."),
    ],
)
def test_a_malformed_question_is_one_line_naming_the_field(content: bytes, told: str) -> None:
    result = run("ask", standard_input=content)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {told}") or told in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""


def test_lines_are_answered_in_order_and_a_malformed_one_does_not_stop_the_rest() -> None:
    lines = [json.dumps(QUESTION), "", json.dumps({**QUESTION, "given": {"needed": 4}})]
    result = run("ask", "--jsonl", standard_input="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 2
    assert [answer.get("reserve", {}).get("possible") for answer in answers] == [True, None, False]
    assert answers[1]["error"]["field"] == "question"


def test_settings_show_each_reading_with_what_it_changes() -> None:
    text = run("settings", "rio-das-ostras-2358-2020").output
    assert "defence.days (art. 45)" in text
    assert "* 15: Quinze, como diz o algarismo: mais seguro para quem se defende." in text
    rows = json.loads(run("settings", "rio-das-ostras-2358-2020", "--json").output)
    assert {"defence.days", "rounding"} <= {row["key"] for row in rows}


def test_the_json_schema_beside_the_manual_is_current() -> None:
    kept = (Path(__file__).parents[2] / "docs" / "rulebook.schema.json").read_text(encoding="utf-8")
    assert run("schema").output == kept, "run: selo law schema > docs/rulebook.schema.json"
