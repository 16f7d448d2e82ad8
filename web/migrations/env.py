"""Run by Alembic: applies or compares revisions on the connection that web.migrations hands over."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import DateTime
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

from web.migrations import load_metadata


def render_item(kind: str, item: Any, _context: AutogenContext) -> str | Literal[False]:
    """Write plain SQLAlchemy types, so that an old revision never depends on today's code."""
    if kind == "type" and isinstance(item, AutoString):
        return f"sa.String(length={item.length})" if item.length else "sa.String()"
    if kind == "type" and isinstance(item, UTCDateTime | DateTime):
        return "sa.DateTime(timezone=True)"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=load_metadata(),
    compare_server_default=True,
    render_as_batch=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
