"""Times and dates as GTFS writes them: seconds after the start of a service day, and YYYYMMDD."""

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY = 24 * 60 * 60

_TIME = re.compile(r"([0-9]{1,3}):([0-5][0-9]):([0-5][0-9])")
_DATE = re.compile(r"[0-9]{8}")


def parse_time(text: str) -> int | None:
    """Seconds after the start of the service day, 24:00:00 and later included; None when unreadable."""
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    hours, minutes, seconds = match.groups()
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds)


def parse_date(text: str) -> date | None:
    """The day of an eight-digit date; None when unreadable or not in the calendar."""
    if not _DATE.fullmatch(text):
        return None
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return None


def find_zone(name: str) -> ZoneInfo | None:
    """The time zone of a tz database name; None when there is none of that name."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):
        return None


def start_of_service_day(day: date, zone: ZoneInfo) -> datetime:
    """The aware UTC instant from which a day's times count: local noon minus twelve hours.

    It differs from midnight on days when clocks change (GTFS reference, type Time).
    """
    noon = datetime.combine(day, time(12), tzinfo=zone)
    return noon.astimezone(UTC) - timedelta(hours=12)


def write_clock(seconds: int) -> str:
    """`05:40` for seconds after the start of a service day, seconds cut off; 24:10:00 gives `00:10`."""
    minutes = seconds // 60 % (24 * 60)
    return f"{minutes // 60:02}:{minutes % 60:02}"
