"""The demonstration feeds as the tests read them, straight from the zip."""

import csv
import io
import zipfile
from datetime import date
from functools import cache
from itertools import groupby

import pytest

from web.demo.network_feed import build_feed
from web.demo.network_reading import read_network

Rows = list[dict[str, str]]

TOWNS = ("canaa-dos-carajas", "conceicao-de-macabu", "marechal-floriano", "marica")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

every_town = pytest.mark.parametrize("town", TOWNS)


@cache
def feed(town: str) -> bytes:
    return build_feed(read_network(town))


@cache
def tables(town: str) -> dict[str, Rows]:
    with zipfile.ZipFile(io.BytesIO(feed(town))) as archive:
        return {
            name: list(csv.DictReader(io.StringIO(archive.read(name).decode()), strict=True))
            for name in archive.namelist()
        }


def column(town: str, file: str, name: str) -> list[str]:
    return [row[name] for row in tables(town)[file]]


def trips_of(town: str, number: str) -> list[str]:
    return [row["trip_id"] for row in tables(town)["trips.txt"] if row["route_id"] == number]


def stop_times_by_trip(town: str) -> dict[str, Rows]:
    rows = tables(town)["stop_times.txt"]
    return {trip: list(calls) for trip, calls in groupby(rows, key=lambda row: row["trip_id"])}


def seconds(time: str) -> int:
    hours, minutes, rest = time.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + int(rest)


def services_on(town: str, day: date) -> set[str]:
    """By hand from calendar.txt and calendar_dates.txt."""
    running = {row["service_id"] for row in tables(town)["calendar.txt"] if row[WEEKDAYS[day.weekday()]] == "1"}
    for row in tables(town)["calendar_dates.txt"]:
        if row["date"] == day.strftime("%Y%m%d"):
            change = running.add if row["exception_type"] == "1" else running.discard
            change(row["service_id"])
    return running
