"""A sixth town from two files: its law and its authority, added by the command and asked like the others."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from complaints.law import rulebook as shelf
from complaints.law.rulebook import forget_rulebooks
from web.cli import main

LAW = Path(__file__).parents[1] / "laws" / "invented" / "porto-novo-7-2031.toml"
TOWN = """
slug = "porto-novo"
name = "Capitania de Porto Novo"
short_name = "Capitania"
town = "Porto Novo"
uf = "BA"
law = "porto-novo-7-2031"
time_zone = "America/Bahia"
phone = "+55 71 90000-0001"
has_lines = true
"""

CHOICE = """
[[choice]]
kind = "{}"
key = "{}"
value = {}
instrument = "Decreto 1"
effective_from = 2031-03-01
"""


@pytest.fixture(autouse=True)
def _own_deployment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(shelf, "_added", [])
    forget_rulebooks()
    monkeypatch.setenv("SELO_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("SELO_DEMO", "1")
    assert run("db", "upgrade").exit_code == 0
    yield
    monkeypatch.undo()
    forget_rulebooks()


def run(*arguments: str, **more: Any) -> Result:
    return CliRunner().invoke(main, arguments, **more)


def town_file(tmp_path: Path, text: str = TOWN) -> str:
    file = tmp_path / "porto-novo.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_town_and_its_law_are_added_by_two_files(tmp_path: Path) -> None:
    added = run("authority", "add", town_file(tmp_path), "--rulebook", str(LAW))
    assert added.output == "Added porto-novo.\n"
    assert "porto-novo-7-2031" in run("authority", "list").output
    shown = json.loads(run("authority", "show", "porto-novo", "--json").output)
    assert (shown["law"], shown["uf"]) == ("porto-novo-7-2031", "BA")
    assert "porto-novo-7-2031" in run("law", "list").output
    again = run("authority", "add", town_file(tmp_path))
    assert again.exit_code == 2
    assert "slug porto-novo belongs to another authority" in again.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TOWN.replace("America/Bahia", "Lua/Mar"), "time_zone: 'Lua/Mar' is no time zone"),
        (TOWN.replace('uf = "BA"', 'uf = "ba"'), "uf:"),
        (TOWN + 'cor = "azul"\n', "cor:"),
        (TOWN.replace('uf = "BA"', 'uf = "XX"'), "XX is no state"),
        (TOWN.replace('slug = "porto-novo"', 'slug = "equipe"'), "equipe is an address of the product"),
        (TOWN + '[[municipal_day]]\nday = "02-29"\nname = "x"\nsource = "y"\n', "does not come every year"),
        (TOWN + 2 * '[[municipal_day]]\nday = "02-27"\nname = "x"\nsource = "y"\n', "appears twice"),
        (TOWN + CHOICE.format("setting", "cor", '"azul"'), "has no such setting"),
        (TOWN + CHOICE.format("setting", "balsa.gratuita", '"azul"'), "not a value of this setting"),
        (TOWN + CHOICE.format("infraction_table", "annex", '"texto"'), "valid dictionary"),
        (TOWN + CHOICE.format("infraction_table", "annex", '{ classes = ["A"] }'), "classes:"),
        (
            TOWN + CHOICE.format("infraction_table", "annex", '{ classes = { "voar" = "A" } }'),
            "no such infraction",
        ),
        (TOWN + CHOICE.format("infraction_table", "outro", "{}"), "the key is 'annex'"),
        (TOWN + CHOICE.format("fiscal_unit", "CONCHA 2031", '"110,00"'), "valid integer"),
        (TOWN + CHOICE.format("fiscal_unit", "CONCHA 2031-13", "11000"), "YYYY or YYYY-MM"),
        (TOWN + CHOICE.format("fiscal_unit", "LUA 2031", "11000"), "the key is the unit (CONCHA)"),
        (TOWN + CHOICE.format("office_hours", "week", "{}"), "weekdays:"),
        (
            TOWN
            + CHOICE.format("office_hours", "week", '{ weekdays = ["mo"], opens = "17:00", closes = "08:00" }'),
            "opens comes before closes",
        ),
        (TOWN + CHOICE.format("setting", "clock.settings", '{ unit = "anos" }'), "unit:"),
        (TOWN + CHOICE.format("setting", "clock.settings", '{ hora = "x" }'), "some of:"),
        (TOWN + CHOICE.format("setting", "clock.goal_days", "-1"), "greater than 0"),
        (TOWN + CHOICE.format("setting", "clock.outra", "1"), "has no such setting"),
        (TOWN + CHOICE.format("fare", "all", "{ cents = -1 }"), "cents:"),
        (TOWN + CHOICE.format("fare", "all", "{ cents = 100, everyone = true }"), "only where cents is 0"),
        (TOWN + CHOICE.format("fare", "todas", "{ cents = 100 }"), "the key is 'all'"),
        (TOWN.replace('slug = "porto-novo"', 'slug = "metricas"'), "metricas is an address of the product"),
        (TOWN + "x = " + "9" * 5000 + "\n", "not TOML"),
        (TOWN + "x = " + "[" * 3000 + "\n", "not TOML"),
        (TOWN.replace("porto-novo-7-2031", "outra-lei"), "there is no municipal rulebook 'outra-lei'"),
    ],
)
def test_a_wrong_town_file_leaves_neither_town_nor_law(tmp_path: Path, text: str, told: str) -> None:
    result = run("authority", "add", town_file(tmp_path, text), "--rulebook", str(LAW))
    assert result.exit_code == 2
    assert told in result.stderr
    assert list((tmp_path / "data" / "rulebooks").iterdir()) == []
    assert "porto-novo" not in run("authority", "list").output


def test_a_wrong_law_is_told_and_not_kept(tmp_path: Path) -> None:
    broken = tmp_path / "lei.toml"
    broken.write_text(
        LAW.read_text("utf-8").replace('citations = ["art. 10"]', 'citations = ["art. 99"]'), "utf-8"
    )
    result = run("authority", "add", town_file(tmp_path), "--rulebook", str(broken))
    assert result.exit_code == 2
    assert "art. 99: a lei não tem este artigo" in result.stderr
    assert not (tmp_path / "data" / "rulebooks").exists()


def test_the_official_text_is_loaded_for_an_authority_and_prints_an_article(tmp_path: Path) -> None:
    run("authority", "add", town_file(tmp_path), "--rulebook", str(LAW))
    text = tmp_path / "lei.txt"
    text.write_text("Art. 1º Ficam criadas as lanchas.\nArt. 2º Elas guardam distância.\n", encoding="utf-8")
    nothing = run("law", "text", "porto-novo-7-2031", "--authority", "porto-novo")
    assert nothing.exit_code == 2
    loaded = run("law", "text", "porto-novo-7-2031", str(text), "--authority", "porto-novo")
    assert loaded.output == "Loaded 2 articles of porto-novo-7-2031 for porto-novo.\n"
    article = run("law", "text", "porto-novo-7-2031", "--authority", "porto-novo", "--article", "art. 2")
    assert article.output == "Art. 2º Elas guardam distância.\n"
    unknown = run("law", "text", "porto-novo-7-2031", "--authority", "porto-novo", "--article", "art. 3")
    assert "the text has no art. 3" in unknown.stderr
    text.write_text("sem artigos", encoding="utf-8")
    assert run("law", "text", "porto-novo-7-2031", str(text), "--authority", "porto-novo").exit_code == 2
