"""The words of alerts: causes and effects of GTFS-Realtime with labels, and beginnings for common cases."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect; `stops_service`: riders may be without a vehicle because of it."""

    label: str
    stops_service: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """The beginning of an alert that clerks write often."""

    label: str
    effect: str
    header: str
    description: str
    cause: str = "UNKNOWN_CAUSE"


@dataclass(frozen=True, slots=True)
class AlertWords:
    """Everything by the word of GTFS-Realtime; templates by their own word."""

    causes: Mapping[str, str]
    effects: Mapping[str, Effect]
    templates: Mapping[str, Template]


@cache
def load_alert_words() -> AlertWords:
    """The words of `alert_words.toml`, read once."""
    text = files("gtfs").joinpath("alert_words.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)
    return AlertWords(
        causes=found["causes"],
        effects={word: Effect(**values) for word, values in found["effects"].items()},
        templates={word: Template(**values) for word, values in found["templates"].items()},
    )
