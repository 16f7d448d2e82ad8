"""Alerts as a GTFS-Realtime feed (version 2.0): a FeedMessage that holds them all."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gtfs.alerts import Alert, Informed

LANGUAGE = "pt-BR"


@dataclass(frozen=True, slots=True)
class PublishedIds:
    """What the static feed of the same day knows; an alert about anything else would match nothing there."""

    agencies: tuple[str, ...]
    lines: frozenset[str]
    stops: frozenset[str]


def write_alerts(alerts: Sequence[Alert], ids: PublishedIds, page: Callable[[Alert], str], now: datetime) -> Any:
    """The message; `page` gives the address where an alert is read; alerts on what is gone are left out."""
    from google.transit import gtfs_realtime_pb2 as realtime

    message = realtime.FeedMessage()
    message.header.gtfs_realtime_version = "2.0"
    message.header.incrementality = realtime.FeedHeader.FULL_DATASET
    message.header.timestamp = int(now.timestamp())
    for alert in alerts:
        values = alert.values
        selectors = [selector for one in values.informed for selector in _select(one, ids)]
        if not selectors:
            continue
        entity = message.entity.add(id=f"aviso-{alert.number}")
        period = entity.alert.active_period.add(start=int(values.starts_at.timestamp()))
        if values.ends_at is not None:
            period.end = int(values.ends_at.timestamp())
        for selector in selectors:
            entity.alert.informed_entity.add(**selector)
        entity.alert.cause = realtime.Alert.Cause.Value(values.cause)
        entity.alert.effect = realtime.Alert.Effect.Value(values.effect)
        for text, words in (
            (entity.alert.header_text, values.header),
            (entity.alert.description_text, values.description),
            (entity.alert.url, page(alert)),
        ):
            text.translation.add(text=words, language=LANGUAGE)
    return message


def _select(one: Informed, ids: PublishedIds) -> Iterator[dict[str, str]]:
    """The whole town is all its agencies; where they have no id, all its lines."""
    if one.kind == "line":
        yield from ({"route_id": one.gtfs_id} for _ in ids.lines & {one.gtfs_id})
    elif one.kind == "stop":
        yield from ({"stop_id": one.gtfs_id} for _ in ids.stops & {one.gtfs_id})
    elif ids.agencies:
        yield from ({"agency_id": agency} for agency in ids.agencies)
    else:
        yield from ({"route_id": line} for line in sorted(ids.lines))
