"""Questions damaged in any place get an answer or a named field, never an exception of another kind."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from complaints.law.asking.answer import Status
from complaints.law.asking.engine import ask
from complaints.law.asking.malformed import MalformedQuestion

CASES = Path(__file__).parent / "cases"
QUESTIONS = [
    json.loads(line)["question"]
    for path in sorted(CASES.glob("*.jsonl"))
    for line in path.read_text("utf-8").splitlines()
]
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**30, "", " ", "x" * 5000, "2027-02-29", "0000-00-00", "2027-1-1", "é\u0000",
    [], {}, [[]], {"a": {}}, ["x"], "1/0", "-1", "9999-12-31", "0001-01-01",
]  # fmt: skip
STATUSES = Status.__args__  # type: ignore[attr-defined]  # the words of a Literal


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield from places(inner, (*path, step))


def damage(question: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    damaged = copy.deepcopy(question)
    path = chance.choice(list(places(damaged)))
    holder: Any = damaged
    for step in path[:-1]:
        holder = holder[step]
    if chance.random() < 0.3:
        del holder[path[-1]]
    else:
        holder[path[-1]] = chance.choice(STRANGE)
    return damaged


def put(question: dict[str, Any]) -> dict[str, Any]:
    try:
        return ask(question)
    except MalformedQuestion as error:
        return error.as_json()


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_question_is_answered_or_told(seed: int) -> None:
    chance = random.Random(seed)
    for question in QUESTIONS:
        for _ in range(2):
            damaged = damage(question, chance)
            answer = put(damaged)
            if "error" in answer:
                assert all(answer["error"].values()), damaged
            else:
                assert answer["status"] in STATUSES, damaged
            json.dumps(answer)
