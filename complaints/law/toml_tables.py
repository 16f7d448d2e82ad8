"""TOML as immutable values: the models of a rulebook convert nothing, so lists arrive as tuples."""

import tomllib
from typing import Any


def parse_toml(content: bytes) -> dict[str, Any]:
    """Parse TOML in UTF-8, lists as tuples; UnicodeDecodeError or tomllib.TOMLDecodeError."""
    return {key: _freeze(value) for key, value in tomllib.loads(content.decode("utf-8")).items()}


def _freeze(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_freeze(item) for item in value)
    if isinstance(value, dict):
        return {key: _freeze(item) for key, item in value.items()}
    return value
