"""Somebody changes one column by hand, whichever it is: the verification names the case it belongs to."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Column, Connection, Date, Integer, Table, literal_column, select, text, update
from sqlmodel import SQLModel

from complaints.authorities.tables import Authority
from complaints.cases.checkpoints import make_checkpoints
from complaints.cases.handling import Act, add_note, answer, classify, extend_term, load_for_change, start_triage
from complaints.cases.verification import Fault, verify_authority
from tests.complaints.cases.conftest import FileCase
from web.services import Services

TABLES = ("case_event", "event_content", "case_file", "checkpoint", "checkpoint_entry")
NAMES_NOTHING = {("checkpoint_entry", "id")}
"""The row's own number, which nothing refers to and no proof needs."""

COLUMNS = [
    (table, column.name)
    for table in TABLES
    for column in SQLModel.metadata.tables[table].columns
    if (table, column.name) not in NAMES_NOTHING
]
Verify = Callable[[], tuple[Fault, ...]]


@pytest.fixture
def protocol(services: Services, file: FileCase, marica: Authority, now: datetime) -> str:
    """A case that was filed with everything, classified, extended and answered; sealed twice."""
    protocol = file(
        seal="7K2M9PXQV", plate="LZZ1A23", fleet_number="22", line_id="12", line_name="12 Centro"
    ).case.protocol
    with services.database.write() as session:
        make_checkpoints(session, now)
    act = Act(services.keyring, marica, UUID(int=0), now + timedelta(minutes=1))
    with services.database.write() as session:
        case = load_for_change(session, marica.id, protocol)
        start_triage(session, act, case)
        classify(session, act, case, ("inf-som-alto",))
        extend_term(session, act, case, "falta ouvir o operador")
        add_note(session, act, case, "ver a escala")
        answer(session, act, case, text="Resolvido.", measure="Aviso", outcome="inspected")
    with services.database.write() as session:
        make_checkpoints(session, now + timedelta(minutes=1))
    return protocol


@pytest.fixture
def verify(services: Services, marica: Authority) -> Verify:
    """The faults of Maricá."""

    def verify() -> tuple[Fault, ...]:
        with services.database.read() as session:
            return verify_authority(session, marica.id).faults

    return verify


def test_a_case_that_went_all_the_way_verifies(protocol: str, verify: Verify) -> None:
    assert verify() == ()


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_another_value_in_any_column_is_named(
    services: Services, protocol: str, verify: Verify, table: str, column: str
) -> None:
    _change(services, table, column, _other_value)
    _assert_named(verify(), protocol, table, column)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_bytes_that_are_no_text_in_any_column_are_named(
    services: Services, protocol: str, verify: Verify, table: str, column: str
) -> None:
    _change(services, table, column, lambda column, old: literal_column("CAST(X'FFFE' AS TEXT)"))
    _assert_named(verify(), protocol, table, column)


@pytest.mark.parametrize("table", TABLES)
def test_a_dropped_row_is_named(services: Services, protocol: str, verify: Verify, table: str) -> None:
    with services.database.engine.connect() as connection:
        _without_references(connection, services.database.dialect)
        rows = SQLModel.metadata.tables[table]
        connection.execute(rows.delete().where(rows.c.id == _last_id(connection, rows)))
        connection.commit()
    _assert_named(verify(), protocol, table, "")


def _change(services: Services, name: str, column: str, value: Callable[[Column[Any], object], object]) -> None:
    table = SQLModel.metadata.tables[name]
    with services.database.engine.connect() as connection:
        _without_references(connection, services.database.dialect)
        row = _last_id(connection, table)
        old = connection.execute(select(table.c[column]).where(table.c.id == row)).scalar_one()
        connection.execute(update(table).where(table.c.id == row).values({column: value(table.c[column], old)}))
        connection.commit()


def _without_references(connection: Connection, dialect: str) -> None:
    """What somebody with the file in hand can do: no foreign key is in the way."""
    if dialect == "sqlite":
        connection.connection.driver_connection.execute("PRAGMA foreign_keys=OFF")  # type: ignore[union-attr]
    else:
        connection.execute(text("SET session_replication_role = replica"))


def _last_id(connection: Connection, table: Table) -> object:
    order = table.c.get("number", table.c.get("seq", table.c.id))
    return connection.execute(select(table.c.id).order_by(order.desc()).limit(1)).scalar_one()


def _other_value(column: Column[Any], old: object) -> object:
    if old is None:
        made = {"_at": datetime(2026, 1, 1, tzinfo=UTC), "_id": UUID(int=7), "_to": UUID(int=7)}
        plain: object = 1 if isinstance(column.type, Integer) else "x"
        if isinstance(column.type, Date):
            plain = date(2027, 1, 1)
        return made.get(column.name[-3:], UUID(int=7) if column.name == "merged_into" else plain)
    if isinstance(old, bool):
        return not old
    if isinstance(old, bytes):
        return bytes([old[0] ^ 1]) + old[1:]
    if isinstance(old, int):
        return old + 7
    if isinstance(old, datetime | date):
        return old + timedelta(days=1)
    if isinstance(old, UUID):
        return UUID(int=old.int ^ 1)
    return f"{'y' if str(old)[:1] == 'x' else 'x'}{str(old)[1:]}"


def _assert_named(faults: tuple[Fault, ...], protocol: str, table: str, column: str) -> None:
    assert faults
    if table.startswith("checkpoint"):
        assert any(fault.protocol.startswith("checkpoint") or fault.protocol == protocol for fault in faults)
    elif (table, column) == ("case_file", "protocol"):
        assert any(not fault.protocol.startswith("checkpoint") for fault in faults)
    else:
        assert protocol in {fault.protocol for fault in faults}
