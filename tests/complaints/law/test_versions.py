"""Versions of one law by date, laws added beside the shipped ones, citations frozen as an act used them."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from complaints.law import rulebook as shelf
from complaints.law.asking.engine import ask
from complaints.law.frozen import freeze, thaw
from complaints.law.rulebook import (
    BadRulebook,
    add_rulebook_folder,
    forget_rulebooks,
    get_rulebook,
    list_municipal_rulebooks,
    list_rulebooks,
)
from web.cli.failures import report
from web.cli.law import law

INVENTED = (Path(__file__).parents[2] / "laws" / "invented" / "porto-novo-7-2031.toml").read_text("utf-8")
LAW = "porto-novo-7-2031"


@pytest.fixture
def amended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The invented law as it was first, and as amended from 1 July 2031: the dearest fine rose to 13."""
    later = INVENTED.replace("in_force_from = 2031-03-01", "in_force_from = 2031-07-01")
    (tmp_path / f"{LAW}.toml").write_text(later.replace('amount = "11"', 'amount = "13"'), encoding="utf-8")
    (tmp_path / f"{LAW}@2031-03-01.toml").write_text(INVENTED, encoding="utf-8")
    monkeypatch.setattr(shelf, "_added", [])
    add_rulebook_folder(tmp_path)
    yield
    monkeypatch.undo()
    forget_rulebooks()


def fine_on(day: str) -> str | None:
    given = {"facts": [{"infraction": "excesso-a-bordo", "on": day}]}
    total: str | None = ask({"rulebook": LAW, "ask": "fine", "on": day, "given": given}).get("total")
    return total


@pytest.mark.usefixtures("amended")
@pytest.mark.parametrize(
    ("day", "total"), [("2031-02-28", None), ("2031-03-01", "11"), ("2031-06-30", "11"), ("2031-07-01", "13")]
)
def test_the_version_is_that_of_the_day_of_the_fact(day: str, total: str | None) -> None:
    assert fine_on(day) == total


@pytest.mark.usefixtures("amended")
def test_an_added_law_stands_beside_the_shipped_ones_once() -> None:
    assert list_rulebooks().count(LAW) == 1
    assert get_rulebook(LAW).law.applies_from == date(2031, 7, 1)
    assert "marica-2627-2015" in list_rulebooks()


def test_an_added_file_never_replaces_a_shipped_law(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = get_rulebook("marica-2627-2015").law.name
    (tmp_path / "marica-2627-2015.toml").write_text(INVENTED, encoding="utf-8")
    monkeypatch.setattr(shelf, "_added", [])
    add_rulebook_folder(tmp_path)
    assert get_rulebook("marica-2627-2015").law.name == before
    monkeypatch.undo()
    forget_rulebooks()


@pytest.mark.usefixtures("amended")
def test_a_frozen_citation_stays_as_it_was_when_the_law_changes() -> None:
    kept = freeze(get_rulebook(LAW, date(2031, 6, 1)), "excesso-a-bordo", "11 CONCHA").as_json()
    assert kept == {
        "law": LAW,
        "law_name": "Lei municipal nº 7/2031",
        "key": "excesso-a-bordo",
        "version_from": "2031-03-01",
        "citations": ["art. 5, II"],
        "paraphrase": "Navegar com gente demais.",
        "value": "11 CONCHA",
    }
    assert thaw(kept) == freeze(get_rulebook(LAW, date(2031, 6, 1)), "excesso-a-bordo", "11 CONCHA")
    with pytest.raises(KeyError):
        freeze(get_rulebook(LAW), "outra-coisa")


def test_a_bad_added_law_is_named_and_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "torta-1-2031.toml").write_text("nada = 1", encoding="utf-8")
    monkeypatch.setattr(shelf, "_added", [])
    add_rulebook_folder(tmp_path)
    assert "torta-1-2031" not in list_municipal_rulebooks()
    assert "marica-2627-2015" in list_municipal_rulebooks()
    with pytest.raises(BadRulebook, match=r"^torta-1-2031\.toml: "):
        get_rulebook("torta-1-2031")
    result = CliRunner().invoke(law, ["list"])
    assert (result.exit_code, len(result.stdout.splitlines())) == (2, 6)
    assert "torta-1-2031.toml: " in result.stderr
    assert report(BadRulebook((), "torta-1-2031.toml")) == 2
    monkeypatch.undo()
    forget_rulebooks()
