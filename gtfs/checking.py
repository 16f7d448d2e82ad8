"""A feed judged: raw bytes of a zip -> tables and a report. Needs no database."""

from datetime import date

from gtfs.archive import Limits
from gtfs.checks.all_rules import check_tables
from gtfs.checks.notices import Notices, Report
from gtfs.raw import RawFeed
from gtfs.zip_reading import read_feed


def check_feed(raw: bytes, name: str, today: date, limits: Limits | None = None) -> Report:
    """The report on a zip called `name`; `today` judges whether its calendar has expired. Never raises."""
    return read_and_check(raw, name, today, limits)[1]


def read_and_check(raw: bytes, name: str, today: date, limits: Limits | None = None) -> tuple[RawFeed, Report]:
    """The tables with their report; a zip that cannot be opened has no tables and is not judged further."""
    notices = Notices()
    feed = read_feed(raw, name, notices, limits)
    return feed, judge(feed, name, today, notices)


def judge(feed: RawFeed, name: str, today: date, notices: Notices) -> Report:
    """The report on tables that were read; `notices` holds what the reading found."""
    if feed.members or not notices.refused:
        check_tables(feed, today, notices)
    return notices.report(name)
