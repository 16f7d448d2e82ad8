"""Alerts as a GTFS-Realtime feed (version 2.0): a FeedMessage that holds them all."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from gtfs.alerts import Alert, Informed

LANGUAGE = "pt-BR"


def write_alerts(alerts: Sequence[Alert], agency_id: str, page: Callable[[Alert], str], now: datetime) -> Any:
    """The message; `page` gives the address where an alert is read, `agency_id` stands for the whole town."""
    from google.transit import gtfs_realtime_pb2 as realtime

    message = realtime.FeedMessage()
    message.header.gtfs_realtime_version = "2.0"
    message.header.incrementality = realtime.FeedHeader.FULL_DATASET
    message.header.timestamp = int(now.timestamp())
    for alert in alerts:
        values = alert.values
        entity = message.entity.add(id=f"aviso-{alert.number}")
        period = entity.alert.active_period.add(start=int(values.starts_at.timestamp()))
        if values.ends_at is not None:
            period.end = int(values.ends_at.timestamp())
        for one in values.informed:
            _name(entity.alert.informed_entity.add(), one, agency_id)
        entity.alert.cause = realtime.Alert.Cause.Value(values.cause)
        entity.alert.effect = realtime.Alert.Effect.Value(values.effect)
        for text, words in (
            (entity.alert.header_text, values.header),
            (entity.alert.description_text, values.description),
            (entity.alert.url, page(alert)),
        ):
            text.translation.add(text=words, language=LANGUAGE)
    return message


def _name(selector: Any, one: Informed, agency_id: str) -> None:
    if one.kind == "line":
        selector.route_id = one.gtfs_id
    elif one.kind == "stop":
        selector.stop_id = one.gtfs_id
    else:
        selector.agency_id = agency_id
