"""Rows as JSON lines, the same from every database: plain JSON values, other types as text by their column."""

import base64
import json
from collections.abc import Callable, Iterable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, Column, Table, TypeDecorator
from sqlalchemy.types import TypeEngine

Line = dict[str, Any]

_AS_IT_IS: tuple[type, ...] = (bool, int, float, str, dict, list)
_AS_TEXT: dict[type, tuple[Callable[[Any], str], Callable[[str], Any]]] = {
    datetime: (datetime.isoformat, datetime.fromisoformat),
    date: (date.isoformat, date.fromisoformat),
    time: (time.isoformat, time.fromisoformat),
    UUID: (str, UUID),
    Decimal: (str, Decimal),
    bytes: (lambda value: base64.b64encode(value).decode(), base64.b64decode),
}


class CannotCarry(TypeError):
    """A column has a type that these functions do not know."""


def write_lines(table: Table, rows: Iterable[Any]) -> bytes:
    """One JSON line for each row, with the values in the order of the table's columns."""
    encoders = [_codec(column)[0] for column in table.columns]
    lines = (
        [None if value is None else encode(value) for encode, value in zip(encoders, row, strict=True)]
        for row in rows
    )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def read_lines(table: Table, text: bytes) -> list[Line]:
    """The rows of some lines, by column name. Raises ValueError when they do not fit the table."""
    *lines, rest = text.split(b"\n")
    if rest:
        raise ValueError("the last line has no end")
    decoders = [(column.name, _codec(column)[1]) for column in table.columns]
    return [
        {
            name: None if value is None else decode(value)
            for (name, decode), value in zip(decoders, json.loads(line), strict=True)
        }
        for line in lines
    ]


def python_type(column: Column[Any]) -> type:
    """What the values of a column are, below whatever decorates its type."""
    kind: TypeEngine[Any] = column.type
    if isinstance(kind, TypeDecorator) and kind.python_type is object:
        kind = kind.impl_instance
    return dict if isinstance(kind, JSON) else kind.python_type


def _codec(column: Column[Any]) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    kind = python_type(column)
    if kind in _AS_TEXT:
        return _AS_TEXT[kind]
    if kind in _AS_IT_IS:
        return _same, _same
    raise CannotCarry(f"{column.table.name}.{column.name} holds {kind.__name__}")


def _same(value: Any) -> Any:
    return value
