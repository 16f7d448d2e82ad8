"""What leaves a stop, found the long way: every row of stop_times on every service day around the moment.

Written from the GTFS reference alone and sharing no code with the package it judges.
"""

import csv
import io
import zipfile
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
HALF_DAY = 12 * 3600

Row = dict[str, str]


def read_rows(archive: zipfile.ZipFile, name: str) -> list[Row]:
    """The rows of a file, cells stripped; none when it is absent."""
    if name not in archive.namelist():
        return []
    text = io.StringIO(archive.read(name).decode("utf-8-sig"), newline="")
    header = [cell.strip() for cell in next(csv.reader(text))]
    rows = []
    for cells in csv.reader(text):
        if any(cells):
            padded = [*cells, *[""] * len(header)]
            rows.append({column: cell.strip() for column, cell in zip(header, padded, strict=False)})
    return rows


def seconds_of(text: str) -> int:
    hours, minutes, seconds = text.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds)


@dataclass
class Oracle:
    """All a feed says of departures. `calls` and `windows` are by stop_id: (route, service, seconds …)."""

    zone: ZoneInfo
    calls: dict[str, list[tuple[str, str, int]]] = field(default_factory=lambda: defaultdict(list))
    windows: dict[str, list[tuple[str, str, int, int, int]]] = field(default_factory=lambda: defaultdict(list))
    weekly: dict[str, Row] = field(default_factory=dict)
    exceptions: dict[tuple[str, str], str] = field(default_factory=dict)

    def runs(self, service: str, day: date) -> bool:
        """Whether a service runs on a day: an exception wins over the calendar."""
        written = day.strftime("%Y%m%d")
        if (service, written) in self.exceptions:
            return self.exceptions[service, written] == "1"
        row = self.weekly.get(service)
        if row is None:
            return False
        return row["start_date"] <= written <= row["end_date"] and row[DAY_NAMES[day.weekday()]] == "1"

    def departures(self, stop: str, moment: datetime, hours: int = 24) -> list[tuple[float, str]]:
        """(POSIX time, route_id) of everything leaving in the hours after a moment, in order."""
        first, last = moment.timestamp(), moment.timestamp() + hours * 3600
        found = []
        for origin, day in self._days(moment):
            for route, service, seconds in self.calls[stop]:
                if first <= origin + seconds < last and self.runs(service, day):
                    found.append((origin + seconds, route))
        return sorted(found)

    def intervals(self, stop: str, moment: datetime, hours: int = 24) -> list[tuple[float, float, int, str]]:
        """(begin, end, headway, route_id) of the intervals that touch the hours after a moment."""
        first, last = moment.timestamp(), moment.timestamp() + hours * 3600
        found = []
        for origin, day in self._days(moment):
            for route, service, start, end, headway in self.windows[stop]:
                if origin + end > first and origin + start < last and self.runs(service, day):
                    found.append((origin + start, origin + end, headway, route))
        return sorted(found)

    def _days(self, moment: datetime) -> list[tuple[float, date]]:
        """Noon minus twelve hours of yesterday, today and tomorrow, as POSIX times."""
        today = moment.astimezone(self.zone).date()
        days = [today + timedelta(days=step) for step in (-1, 0, 1)]
        noons = [datetime(day.year, day.month, day.day, 12, tzinfo=self.zone).timestamp() for day in days]
        return [(noon - HALF_DAY, day) for noon, day in zip(noons, days, strict=True)]


def read_oracle(raw: bytes) -> Oracle:
    """Read a feed. Stops without a given time, last stops and stops without boarding are left out."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        oracle = Oracle(ZoneInfo(read_rows(archive, "agency.txt")[0]["agency_timezone"]))
        trips = {row["trip_id"]: row for row in read_rows(archive, "trips.txt")}
        oracle.weekly = {row["service_id"]: row for row in read_rows(archive, "calendar.txt")}
        for row in read_rows(archive, "calendar_dates.txt"):
            oracle.exceptions[row["service_id"], row["date"]] = row["exception_type"]
        frequencies = defaultdict(list)
        for row in read_rows(archive, "frequencies.txt"):
            frequencies[row["trip_id"]].append(row)
        calls = defaultdict(list)
        for row in read_rows(archive, "stop_times.txt"):
            calls[row["trip_id"]].append(row)
    for trip, rows in calls.items():
        rows.sort(key=lambda row: int(row["stop_sequence"]))
        route, service = trips[trip]["route_id"], trips[trip]["service_id"]
        begin = rows[0]["departure_time"] or rows[0]["arrival_time"]
        for row in rows[:-1]:
            text = row["departure_time"] or row["arrival_time"]
            if not text or row.get("pickup_type") == "1":
                continue
            if trip not in frequencies:
                oracle.calls[row["stop_id"]].append((route, service, seconds_of(text)))
            for frequency in frequencies.get(trip, []):
                way = seconds_of(text) - seconds_of(begin)
                start, end = seconds_of(frequency["start_time"]), seconds_of(frequency["end_time"])
                headway = int(frequency["headway_secs"])
                if frequency.get("exact_times") == "1":
                    oracle.calls[row["stop_id"]] += [
                        (route, service, at + way) for at in range(start, end, headway)
                    ]
                else:
                    oracle.windows[row["stop_id"]].append((route, service, start + way, end + way, headway))
    return oracle
