"""What a setting with an open value takes."""

from typing import Any

import pytest

from complaints.law.readings import OpenValue, Reading, Setting


def setting(kind: OpenValue) -> Setting:
    reading = Reading(text="Sem regra")
    return Setting.model_validate({"key": "x", "question": "Quanto?", "reading": (reading,), "open": kind})


@pytest.mark.parametrize(
    ("kind", "value", "taken"),
    [
        ("months", "1_months", True),
        ("months", "1200_months", True),
        ("months", "1201_months", False),
        ("months", "0_months", False),
        ("months", "0012009999999999_months", False),
        ("months", "9" * 5000 + "_months", False),
        ("months", "¹_months", False),
        ("months", "6_days", False),
        ("rounding", "inside", True),
        ("rounding", "sideways", False),
        ("integer", 0, True),
        ("integer", True, False),
        ("integer", -1, False),
        ("exact", "1/3", True),
        ("exact", "-1/3", False),
        ("date", "2031-02-28", True),
        ("date", "2031-02-30", False),
        ("date", "20310228", False),
        ("words", ["a"], True),
        ("words", [""], False),
    ],
)
def test_open_value_is_taken_or_told(kind: OpenValue, value: Any, taken: bool) -> None:
    asked = setting(kind)
    if taken:
        assert asked.accept(value) == (tuple(value) if isinstance(value, list) else value)
    else:
        with pytest.raises(ValueError, match="it takes"):
            asked.accept(value)
