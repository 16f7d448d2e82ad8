"""A feed judged: raw bytes of a zip -> tables and a report. Needs no database."""

from datetime import date

from gtfs.archive import Limits
from gtfs.checks.all_rules import check_tables
from gtfs.checks.notices import SHOWN, Notices, Report
from gtfs.checks.second_opinion import add_second_opinion
from gtfs.guru import Guru, asking_guru
from gtfs.raw import RawFeed
from gtfs.zip_reading import read_feed


def check_feed(
    raw: bytes, name: str, today: date, limits: Limits | None = None, second_opinion: bool = False
) -> Report:
    """The report on a zip called `name`; `today` judges whether its calendar has expired. Never raises.

    `second_opinion`: ask gtfs-guru too, in a process beside.
    """
    return read_and_check(raw, name, today, limits, second_opinion)[1]


def read_and_check(
    raw: bytes, name: str, today: date, limits: Limits | None = None, second_opinion: bool = False
) -> tuple[RawFeed, Report]:
    """The tables with their report; a zip that cannot be opened has no tables and is not judged further."""
    notices = Notices()
    with asking_guru(raw, today, SHOWN, second_opinion) as guru:
        feed = read_feed(raw, name, notices, limits, guru.begin if guru else None)
        return feed, judge(feed, name, today, notices, guru)


def judge(feed: RawFeed, name: str, today: date, notices: Notices, guru: Guru | None = None) -> Report:
    """The report on tables that were read; `notices` holds what the reading found, `guru` was begun before."""
    if feed.members or not notices.refused:
        check_tables(feed, today, notices)
    if guru is not None:
        add_second_opinion(guru, name, notices)
    return notices.report(name)
