"""Rows of the lines and stops of a version, and the addresses they keep from one version to the next."""

from collections.abc import Iterable, Sequence
from typing import Literal
from uuid import UUID

from sqlmodel import Session, col, select

from gtfs.addresses import Address, Named, assign_slugs
from gtfs.compiled_feed import CompiledLine, CompiledStop
from gtfs.folding import fold
from gtfs.tables import PUBLISHED, FeedAddress, FeedLine, FeedStop, FeedVersion

AddressKind = Literal["line", "stop"]


def make_lines(
    session: Session, authority_id: int, version_id: UUID, lines: Sequence[CompiledLine]
) -> list[FeedLine]:
    """The rows of the lines, each with its address."""
    named = [
        Named(line.gtfs_id, (line.short_name, line.long_name), fold(f"{line.short_name} {line.long_name}"))
        for line in lines
    ]
    slugs = _give_addresses(session, authority_id, "line", named)
    return [
        FeedLine(
            authority_id=authority_id,
            version_id=version_id,
            position=position,
            slug=slugs[line.gtfs_id],
            gtfs_id=line.gtfs_id,
            short_name=line.short_name,
            long_name=line.long_name,
            description=line.description,
            kind=line.kind,
            colour=line.colour,
            text_colour=line.text_colour,
            sort_key=line.sort_key,
            search=line.search,
            has_times=line.has_times,
            content=line.content,
        )
        for position, line in enumerate(lines)
    ]


def make_stops(
    session: Session, authority_id: int, version_id: UUID, stops: Sequence[CompiledStop]
) -> list[FeedStop]:
    """The rows of the stops, each with its address."""
    named = [Named(stop.gtfs_id, (stop.name,), fold(stop.name)) for stop in stops]
    slugs = _give_addresses(session, authority_id, "stop", named)
    return [
        FeedStop(
            authority_id=authority_id,
            version_id=version_id,
            position=position,
            slug=slugs[stop.gtfs_id],
            gtfs_id=stop.gtfs_id,
            code=stop.code,
            name=stop.name,
            latitude=stop.latitude,
            longitude=stop.longitude,
            content=stop.content,
        )
        for position, stop in enumerate(stops)
    ]


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
    for entry in entries:
        slug, row = slugs[entry.gtfs_id], known.get(entry.gtfs_id)
        if row is None:
            row = FeedAddress(
                authority_id=authority_id, kind=kind, gtfs_id=entry.gtfs_id, slug=slug, name=entry.name
            )
            session.add(row)
        row.slug, row.name = slug, entry.name
    return slugs


def _published_ids(session: Session, authority_id: int, kind: type[FeedLine] | type[FeedStop]) -> Iterable[str]:
    return session.exec(
        select(kind.gtfs_id)
        .join(FeedVersion, col(FeedVersion.id) == kind.version_id)
        .where(kind.authority_id == authority_id, FeedVersion.authority_id == authority_id)
        .where(FeedVersion.state == PUBLISHED)
    ).all()
