"""The table of rules: for each code its severity, the step that finds it and its words."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Severity = Literal["error", "warning"]
Step = Literal["zip", "file", "table"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One fault; `text` is a format string over file, row, field, value and other."""

    code: str
    severity: Severity
    where: Step
    text: str


@cache
def load_rules() -> Mapping[str, Rule]:
    """All rules by code, in the order of `rules.toml`, which is read once."""
    text = files("gtfs.checks").joinpath("rules.toml").read_text(encoding="utf-8")
    return {code: Rule(code, **entry) for code, entry in tomllib.loads(text).items()}
