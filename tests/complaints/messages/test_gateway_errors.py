"""The table of gateway errors, read whole."""

from random import Random

import pytest

from complaints.messages.gateway_errors import Rule, delay_after, get_rules, rule_for

RULES = get_rules()


@pytest.mark.parametrize("code", sorted(RULES))
def test_every_rule_is_complete(code: str) -> None:
    rule = RULES[code]
    assert rule.do in ("retry", "fail", "park")
    assert bool(rule.wait) is (rule.do == "retry")
    assert rule.most == 0 or rule.do == "retry"
    assert rule.error.startswith(f"{code}: ")
    assert len(rule.error) <= 200
    assert rule.words.strip()


@pytest.mark.parametrize(
    ("code", "do", "alert"),
    [
        ("21610", "park", False),
        ("21211", "fail", False),
        ("21614", "fail", False),
        ("21408", "park", True),
        ("21606", "park", True),
        ("30005", "fail", False),
        ("30006", "fail", False),
        ("30007", "park", True),
        ("429", "retry", False),
        ("20003", "retry", True),
    ],
)
def test_the_codes_that_matter_most(code: str, do: str, alert: bool) -> None:
    assert (rule_for(code).do, rule_for(code).alert) == (do, alert)


def test_a_code_nobody_knows_is_left_to_people_with_the_code_kept() -> None:
    rule = rule_for("99999")
    assert (rule.do, rule.alert, rule.code) == ("park", True, "99999")
    assert rule_for("").code == "unlisted"


def test_waiting_doubles_up_to_an_hour_and_is_never_exactly_the_same() -> None:
    rule = Rule("429", "retry", "busy", "ocupado", wait=15)
    waits = [delay_after(rule, attempt, Random(attempt)) for attempt in range(1, 40)]
    seconds = [wait.total_seconds() for wait in waits if wait]
    assert len(seconds) == len(waits)
    assert 12 <= seconds[0] <= 18
    assert 24 <= seconds[1] <= 36
    assert all(2880 <= wait <= 4320 for wait in seconds[10:])
    assert len(set(seconds)) == len(seconds)


def test_a_rule_with_a_limit_gives_up() -> None:
    rule = Rule("30008", "retry", "carrier", "operadora", wait=300, most=3)
    assert delay_after(rule, 2, Random(1)) is not None
    assert delay_after(rule, 3, Random(1)) is None
    assert delay_after(rule_for("21211"), 1, Random(1)) is None
