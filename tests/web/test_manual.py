"""The manual says what is true."""

import re

import pytest

from tests.child_processes import ROOT
from web.cli import VERBS
from web.settings import KNOWN

MANUAL = (ROOT / "docs" / "operations.md").read_text("utf-8")
TABLE = {
    name
    for cell in re.findall(r"^\| (`[^|]+) \|", MANUAL, re.MULTILINE)
    for name in re.findall(r"`([A-Z_]+)`", cell)
}


def test_every_setting_is_in_the_manual_and_no_other() -> None:
    assert set(KNOWN) == TABLE


@pytest.mark.parametrize("command", sorted(set(re.findall(r"\bselo ([a-z]+)\b", MANUAL))))
def test_every_command_of_the_manual_exists(command: str) -> None:
    assert command in VERBS


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text("utf-8")
    assert {path.name for path in folder.glob("0*.md")} == set(re.findall(r"\((0[^)]+\.md)\)", index))
