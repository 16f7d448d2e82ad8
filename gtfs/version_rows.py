"""Rows of the lines and stops of a version, and the addresses they keep from one version to the next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Literal
from uuid import UUID, uuid4

from sqlalchemy import insert
from sqlmodel import Session, SQLModel, col, select

from gtfs.addresses import Address, Named, assign_slugs
from gtfs.compiled_feed import CompiledLine, CompiledStop
from gtfs.folding import fold
from gtfs.tables import PUBLISHED, FeedAddress, FeedLine, FeedStop, FeedVersion

AddressKind = Literal["line", "stop"]


def keep_lines(session: Session, authority_id: int, version_id: UUID, lines: Sequence[CompiledLine]) -> None:
    """Store the lines of a version, each with its address."""
    named = [
        Named(line.gtfs_id, (line.short_name, line.long_name), fold(f"{line.short_name} {line.long_name}"))
        for line in lines
    ]
    slugs = _give_addresses(session, authority_id, "line", named)
    _insert(session, FeedLine, list(_make_rows(authority_id, version_id, lines, slugs)))


def keep_stops(session: Session, authority_id: int, version_id: UUID, stops: Sequence[CompiledStop]) -> None:
    """Store the stops of a version, each with its address."""
    named = [Named(stop.gtfs_id, (stop.name,), fold(stop.name)) for stop in stops]
    slugs = _give_addresses(session, authority_id, "stop", named)
    _insert(session, FeedStop, list(_make_rows(authority_id, version_id, stops, slugs)))


def _make_rows(
    authority_id: int,
    version_id: UUID,
    compiled: Sequence[CompiledLine | CompiledStop],
    slugs: Mapping[str, str],
) -> Iterable[dict[str, Any]]:
    """The columns of the table are the fields of what was compiled, and where it belongs."""
    for position, item in enumerate(compiled):
        yield {
            "authority_id": authority_id,
            "id": uuid4(),
            "version_id": version_id,
            "position": position,
            "slug": slugs[item.gtfs_id],
            **{field.name: getattr(item, field.name) for field in fields(item)},
        }


def _insert(session: Session, table: type[SQLModel], rows: Sequence[Mapping[str, Any]]) -> None:
    """All rows in one statement: ten times faster than objects, which matters while writers wait."""
    if rows:
        session.connection().execute(insert(table), rows)


def _give_addresses(
    session: Session, authority_id: int, kind: AddressKind, entries: Sequence[Named]
) -> dict[str, str]:
    """Slugs for the entries, remembered for later versions."""
    rows = session.exec(
        select(FeedAddress).where(FeedAddress.authority_id == authority_id, FeedAddress.kind == kind)
    ).all()
    known = {row.gtfs_id: row for row in rows}
    current = frozenset(_published_ids(session, authority_id, FeedLine if kind == "line" else FeedStop))
    addresses = (Address(row.gtfs_id, row.slug, row.name) for row in rows)
    slugs = assign_slugs(entries, addresses, current, "linha" if kind == "line" else "parada")
    fresh = []
    for entry in entries:
        slug, row = slugs[entry.gtfs_id], known.get(entry.gtfs_id)
        if row is None:
            where = {"authority_id": authority_id, "id": uuid4(), "kind": kind}
            fresh.append({**where, "gtfs_id": entry.gtfs_id, "slug": slug, "name": entry.name})
        elif (row.slug, row.name) != (slug, entry.name):
            row.slug, row.name = slug, entry.name
            session.add(row)
    _insert(session, FeedAddress, fresh)
    return slugs


def _published_ids(session: Session, authority_id: int, kind: type[FeedLine] | type[FeedStop]) -> Iterable[str]:
    return session.exec(
        select(kind.gtfs_id)
        .join(FeedVersion, col(FeedVersion.id) == kind.version_id)
        .where(kind.authority_id == authority_id, FeedVersion.authority_id == authority_id)
        .where(FeedVersion.state == PUBLISHED)
    ).all()
