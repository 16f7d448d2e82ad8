"""The table of rules: for each code its severity, the step that finds it and its words."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Severity = Literal["error", "warning"]
Step = Literal["zip", "file", "table", "second"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One fault; `text` is a format string over file, row, place, field, value and other.

    `second` is the text when only the second opinion tells the fault (blank: `text`), and then `file` is where it
    is if none is named, `value_key` and `other_key` are names in the opinion's context. `same_as`: codes of the
    second opinion that say no more than this rule.
    """

    code: str
    severity: Severity
    where: Step
    text: str
    second: str = ""
    file: str = ""
    value_key: str = ""
    other_key: str = ""
    same_as: tuple[str, ...] = ()


@cache
def load_rules() -> Mapping[str, Rule]:
    """All rules by code, in the order of `rules.toml`, which is read once."""
    text = files("gtfs.checks").joinpath("rules.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text).items()
    return {code: Rule(code, **{**entry, "same_as": tuple(entry.get("same_as", ()))}) for code, entry in entries}
