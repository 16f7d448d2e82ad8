"""What to do about each error of a gateway: the table, and when to try again."""

import tomllib
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from importlib import resources
from random import Random
from typing import Literal

_HOUR = 3600.0
_JITTER = 0.2


@dataclass(frozen=True)
class Rule:
    """One row: `wait` in seconds before the first new attempt; `most` attempts in all, 0 without limit.

    `means` is for logs, `words` (Portuguese) for staff.
    """

    code: str
    do: Literal["retry", "fail", "park"]
    means: str
    words: str
    wait: float = 0
    most: int = 0
    alert: bool = False

    @property
    def error(self) -> str:
        """What is stored with the message: the code first, then what it means."""
        return f"{self.code}: {self.means}"


@cache
def get_rules() -> dict[str, Rule]:
    """The table of gateway_errors.toml, by code."""
    data = tomllib.loads(resources.files(__package__).joinpath("gateway_errors.toml").read_text("utf-8"))
    return {code: Rule(code=code, **row) for code, row in data["rule"].items()}


def rule_for(code: str) -> Rule:
    """The rule of a code; codes the table lacks have the rule `unlisted`, with the code kept."""
    rules = get_rules()
    if code in rules:
        return rules[code]
    unlisted = rules["unlisted"]
    return replace(unlisted, code=code or unlisted.code)


def delay_after(rule: Rule, attempts: int, random: Random) -> timedelta | None:
    """How long to wait after so many attempts, doubled each time and never twice the same; None: do not retry."""
    if rule.do != "retry" or (rule.most and attempts >= rule.most):
        return None
    seconds = min(rule.wait * 2.0 ** min(attempts - 1, 20), max(_HOUR, rule.wait))
    return timedelta(seconds=seconds * random.uniform(1 - _JITTER, 1 + _JITTER))
