"""The examples that come with the contract of `selo law ask`; they lie outside the repository."""

import json
from pathlib import Path
from typing import Any

import pytest

from complaints.law.asking.engine import ask
from complaints.law.asking.malformed import MalformedQuestion
from tests.laws.matching import mismatch

EXAMPLES = Path(__file__).parents[3] / "shared" / "contracts" / "law-examples.jsonl"

if not EXAMPLES.is_file():
    pytest.skip("this machine has no ../shared/contracts", allow_module_level=True)

ROWS = [json.loads(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", [pytest.param(row, id=row["name"]) for row in ROWS])
def test_the_engine_answers_as_the_example_expects(row: dict[str, Any]) -> None:
    try:
        answer = ask(row["question"])
    except MalformedQuestion as error:
        answer = error.as_json()
    assert mismatch(row["expect"], answer) is None
