"""Rows for every table there is, made from the types of the columns, so that a new table is tested unasked."""

import datetime as dt
from decimal import Decimal
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy import Column, Connection, Table, insert, select, update

from web.backup import list_tables
from web.db import Database
from web.row_values import python_type

ROWS = 3
_MOMENT = dt.datetime(2026, 11, 30, 15, 0, 0, 123456, dt.UTC)


def fill(database: Database) -> None:
    """Three rows in each table: all columns given, nothing optional given, all given again.

    All belong to authority 1. The first row of a table that refers to itself refers to the last one.
    """
    with database.write() as session:
        made: dict[str, list[dict[str, Any]]] = {}
        for table in list_tables():
            made[table.name] = [_row(table, number, made) for number in range(ROWS)]
            session.connection().execute(insert(table), made[table.name])
            _refer_to_itself(session.connection(), table, made[table.name])


def dump(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables, in the order of their keys."""
    with database.read() as session:
        return {
            table.name: [
                tuple(row)
                for row in session.connection().execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in list_tables()
        }


def _row(table: Table, number: int, made: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    return {column.name: _value(column, number, made) for column in table.columns}


def _value(column: Column[Any], number: int, made: dict[str, list[dict[str, Any]]]) -> Any:
    if column.name == "authority_id":
        return 1
    targets = [key.column for key in column.foreign_keys]
    if any(target.table is column.table for target in targets):
        return None
    if column.nullable and number == 1:
        return None
    if targets:
        return 1 if targets[0].table.name == "authority" else made[targets[0].table.name][number][targets[0].name]
    return _fresh(column, number)


def _fresh(column: Column[Any], number: int) -> Any:
    kind = python_type(column)
    if kind is str:
        return f"{number}{column.name} ção “”"[: getattr(column.type, "length", None)]
    if kind is bytes:
        return bytes([number]) * (getattr(column.type, "length", None) or 300)
    plain: dict[type, Any] = {
        bool: number != 0,
        int: number + 1,
        float: number + 0.1,
        Decimal: Decimal(number),
        UUID: UUID(int=number * 1000 + len(column.table.name)),
        dt.datetime: _MOMENT + dt.timedelta(days=number),
        dt.date: _MOMENT.date() + dt.timedelta(days=number),
        dt.time: dt.time(number),
        dict: {"n": number},
    }
    return plain[kind]


def _refer_to_itself(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    for constraint in table.foreign_key_constraints:
        if constraint.referred_table is table:
            changed = {
                element.parent.name: rows[-1][element.column.name]
                for element in constraint.elements
                if not element.parent.primary_key
            }
            first = sa.and_(*(column == rows[0][column.name] for column in table.primary_key.columns))
            connection.execute(update(table).where(first).values(changed))
