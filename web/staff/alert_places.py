"""The stops of an alert as a clerk types them, and the alerts whose line or stop is no longer published."""

from collections.abc import Iterable, Sequence

from sqlmodel import Session

from gtfs.alerts import Alert
from gtfs.folding import fold
from gtfs.published import PublishedFeed, StopEntry, list_lines, list_stops

PLACES_LIMIT = 40
_SHOWN = 3


def find_named_stops(
    session: Session, feed: PublishedFeed, names: Sequence[str]
) -> tuple[list[StopEntry], list[str]]:
    """The stops of these names, codes or addresses, and what is wrong with each that names none or several."""
    stops = list_stops(session, feed)
    found: list[StopEntry] = []
    faults: list[str] = []
    for name in names:
        wanted = fold(name)
        same = [stop for stop in stops if wanted in (fold(stop.name), fold(stop.code), stop.slug)]
        close = [stop for stop in stops if wanted and wanted in fold(stop.name)]
        if same:
            found.extend(same)
        elif close:
            faults.append(f"“{name}”: escreva o nome inteiro, como {_names(close)}.")
        else:
            faults.append(f"“{name}”: não há parada com esse nome.")
    return list(dict.fromkeys(found)), faults


def list_gone(session: Session, feed: PublishedFeed | None, alerts: Iterable[Alert]) -> dict[int, list[str]]:
    """By alert, the names of its lines and stops that riders no longer find."""
    named = [(alert, one) for alert in alerts for one in alert.values.informed if one.kind != "town"]
    if not named:
        return {}
    kinds = {one.kind for _, one in named}
    known = {
        "line": {line.gtfs_id for line in list_lines(session, feed)} if feed and "line" in kinds else set(),
        "stop": {stop.gtfs_id for stop in list_stops(session, feed)} if feed and "stop" in kinds else set(),
    }
    gone: dict[int, list[str]] = {}
    for alert, one in named:
        if one.gtfs_id not in known[one.kind]:
            gone.setdefault(alert.number, []).append(one.name)
    return gone


def _names(stops: Sequence[StopEntry]) -> str:
    return ", ".join(f"“{stop.name}”" for stop in stops[:_SHOWN])
