"""Rows as JSON lines."""

import datetime as dt
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa

from web.migrations import load_metadata
from web.row_values import CannotCarry, read_lines, write_lines

TYPES: list[tuple[Any, Any]] = [
    (sa.Integer, 7),
    (sa.BigInteger, 2**40),
    (sa.Boolean, True),
    (sa.Float, 0.1),
    (sa.String, "Itaipuaçu\n\u2028“x”"),
    (sa.Text, ""),
    (sa.LargeBinary, bytes(range(256))),
    (sa.Uuid, UUID(int=5)),
    (sa.Numeric, Decimal("4.50")),
    (sa.Date, dt.date(2026, 11, 30)),
    (sa.Time, dt.time(23, 59, 59)),
    (sa.DateTime(timezone=True), dt.datetime(2026, 11, 30, 15, 0, 0, 1, dt.UTC)),
    (sa.JSON, {"a": [1, None]}),
]


@pytest.mark.parametrize(("kind", "value"), TYPES)
def test_a_value_of_each_type_survives(kind: Any, value: Any) -> None:
    table = sa.Table("t", sa.MetaData(), sa.Column("a", kind), sa.Column("b", kind))
    lines = write_lines(table, [(value, None), (None, value)])
    assert lines.count(b"\n") == 2, "one line each, whatever the text holds"
    assert read_lines(table, lines) == [{"a": value, "b": None}, {"a": None, "b": value}]


def test_a_line_that_does_not_fit_the_table_is_refused() -> None:
    table = sa.Table("t", sa.MetaData(), sa.Column("a", sa.Integer))
    for line in (b"[1, 2]\n", b"[]\n", b"nonsense\n", b"[1]"):
        with pytest.raises(ValueError, match=r"."):
            read_lines(table, line)


def test_an_unknown_type_is_refused_by_name() -> None:
    table = sa.Table("t", sa.MetaData(), sa.Column("a", sa.Interval))
    with pytest.raises(CannotCarry, match=r"t\.a holds timedelta"):
        write_lines(table, [])


def test_every_column_of_every_table_can_be_carried() -> None:
    for table in load_metadata().sorted_tables:
        assert write_lines(table, []) == b""
