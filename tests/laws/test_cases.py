"""The case tables beside this file: one question per line with what its answer must hold."""

import json
from pathlib import Path
from typing import Any

import pytest

from complaints.law.asking.engine import ask
from complaints.law.asking.malformed import MalformedQuestion
from tests.laws.matching import mismatch

CASES = sorted((Path(__file__).parent / "cases").glob("*.jsonl"))
ROWS = [
    pytest.param(row, id=row["name"])
    for path in CASES
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
]


@pytest.mark.parametrize("row", ROWS)
def test_the_engine_answers_as_the_case_expects(row: dict[str, Any]) -> None:
    try:
        answer = ask(row["question"])
    except MalformedQuestion as error:
        answer = error.as_json()
    assert mismatch(row["expect"], answer) is None


def test_every_case_has_a_name_of_its_own() -> None:
    names = [row.id for row in ROWS]
    assert len(set(names)) == len(names)
