"""What is wrong in a rulebook file, where, and in words a jurist can act on."""

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

_WORDS = {
    "missing": "falta este campo",
    "extra_forbidden": "campo desconhecido",
    "string_type": "deve ser um texto entre aspas",
    "int_type": "deve ser um número inteiro",
    "bool_type": "deve ser true ou false",
    "date_type": "deve ser uma data AAAA-MM-DD sem aspas",
    "tuple_type": "deve ser uma lista entre colchetes",
    "model_type": "deve ser uma tabela com campos",
    "dict_type": "deve ser uma tabela com campos",
    "string_too_short": "não pode ficar vazio",
    "too_short": "a lista tem itens de menos",
    "too_long": "a lista tem itens demais",
    "string_pattern_mismatch": "não tem a forma exigida {pattern}",
    "literal_error": "deve ser uma destas palavras: {expected}",
    "greater_than": "deve ser maior que {gt}",
    "greater_than_equal": "deve ser no mínimo {ge}",
}
_BAD_CITATION = "não é uma citação; escreva por exemplo: art. 42, XV, a"


@dataclass(frozen=True)
class Fault:
    """One fault: `place` is a dotted path, the key of the row in brackets when it has one."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


def describe_validation(error: ValidationError, table: dict[str, Any]) -> tuple[Fault, ...]:
    """Turn the errors of the models into faults; `table` is what was read, to name rows by their keys."""
    entries = error.errors(include_url=False)
    parents = {entry["loc"][:-1] for entry in entries}
    return tuple(
        Fault(_name_place(entry["loc"], table), _word(entry["type"], entry.get("ctx", {}), entry["msg"]))
        for entry in entries
        # A list is also called too short when its items are wrong: the items say it better.
        if entry["type"] != "too_short" or entry["loc"] not in parents
    )


def _word(kind: str, context: dict[str, Any], fallback: str) -> str:
    if kind == "value_error":
        return _BAD_CITATION
    if kind not in _WORDS:
        return fallback
    return _WORDS[kind].format(**context)


def _name_place(location: tuple[int | str, ...], table: dict[str, Any]) -> str:
    parts: list[str] = []
    value: Any = table
    for step in location:
        value = _descend(value, step)
        row_key = value.get("key") or value.get("id") if isinstance(value, dict) else None
        named = isinstance(step, int) and isinstance(row_key, str)
        parts.append(f"{step} ({row_key})" if named else str(step))
    return ".".join(parts) or "arquivo"


def _descend(value: Any, step: int | str) -> Any:
    try:
        return value[step]
    except (KeyError, IndexError, TypeError):
        return None
