"""Alerts on a line that somebody complains about: shown before the text, and kept with the case as they were."""

from collections.abc import Mapping
from datetime import datetime

from sqlmodel import Session

from complaints.authorities.tables import Authority
from gtfs.alerts import Alert, list_active
from web.formats import moment_in_words


def stopping_alerts(session: Session, authority_id: int, line_id: str | None, now: datetime) -> tuple[Alert, ...]:
    """The alerts by which riders of a line may be without a vehicle now."""
    if line_id is None:
        return ()
    alerts = list_active(session, authority_id, now)
    return tuple(alert for alert in alerts if alert.stops_service and alert.concerns("line", (line_id,)))


def freeze_alert(alert: Alert, town: Authority) -> Mapping[str, object]:
    """An alert as a case keeps it: what riders could read when the case was filed."""
    values = alert.values
    return {
        "number": alert.number,
        "label": alert.label,
        "header": values.header,
        "description": values.description,
        "starts_at": moment_in_words(values.starts_at, town),
        "ends_at": moment_in_words(values.ends_at, town) if values.ends_at else "",
    }
