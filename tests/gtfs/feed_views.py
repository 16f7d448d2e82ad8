"""Compiled feeds as they are compared, with the addresses they would get one after the other."""

from collections.abc import Sequence

from gtfs.addresses import Address, Named, assign_slugs
from gtfs.compiled import unpack, unpack_line
from gtfs.compiled_feed import CompiledFeed
from gtfs.feed_view import FeedView, LineView
from gtfs.folding import fold
from gtfs.published import LineEntry, StopEntry
from gtfs.service_days import service_from_json


def see(*versions: CompiledFeed) -> tuple[FeedView, ...]:
    """Versions of one authority in the order in which they were kept."""
    lines: dict[str, Address] = {}
    stops: dict[str, Address] = {}
    return tuple(_see(version, lines, stops) for version in versions)


def _see(feed: CompiledFeed, line_addresses: dict[str, Address], stop_addresses: dict[str, Address]) -> FeedView:
    slugs = _assign(
        [
            Named(line.gtfs_id, (line.short_name, line.long_name), fold(f"{line.short_name} {line.long_name}"))
            for line in feed.lines
        ],
        line_addresses,
        "linha",
    )
    lines = tuple(
        LineView(
            LineEntry(
                position=position,
                slug=slugs[line.gtfs_id],
                gtfs_id=line.gtfs_id,
                short_name=line.short_name,
                long_name=line.long_name,
                description=line.description,
                kind=line.kind,
                colour=line.colour,
                text_colour=line.text_colour,
                has_times=line.has_times,
            ),
            unpack_line(line.content),
        )
        for position, line in enumerate(feed.lines)
    )
    slugs = _assign(
        [Named(stop.gtfs_id, (stop.name,), fold(stop.name)) for stop in feed.stops], stop_addresses, "parada"
    )
    stops = tuple(
        StopEntry(position, slugs[stop.gtfs_id], stop.gtfs_id, stop.code, stop.name, stop.latitude, stop.longitude)
        for position, stop in enumerate(feed.stops)
    )
    services = tuple(map(service_from_json, unpack(feed.services)))
    return FeedView(lines, stops, services, feed.first_day, feed.last_day)


def _assign(entries: Sequence[Named], known: dict[str, Address], fallback: str) -> dict[str, str]:
    slugs = assign_slugs(entries, list(known.values()), frozenset(known), fallback)
    known.update({entry.gtfs_id: Address(entry.gtfs_id, slugs[entry.gtfs_id], entry.name) for entry in entries})
    return slugs
