"""The whole way of a feed into the house: bytes -> report -> compiled -> draft, and published if asked.

The slow part needs no database; the transaction that keeps its result is short.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256

from sqlmodel import Session

from gtfs.archive import Limits
from gtfs.checking import judge
from gtfs.checks.notices import SHOWN, Notices, Report
from gtfs.compiled_feed import CompiledFeed
from gtfs.compiling import compile_feed
from gtfs.guru import asking_guru
from gtfs.measuring import begin_paths, measuring
from gtfs.publishing import Publishing, publish
from gtfs.tables import FeedVersion
from gtfs.versions import NewVersion, keep_version
from gtfs.zip_reading import read_feed


class FeedRefused(Exception):
    """The feed has faults that refuse it; nothing was stored."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.name)
        self.report = report


@dataclass(frozen=True, slots=True)
class PreparedFeed:
    """A feed read, checked and compiled, ready to be kept. `compiled` is None when the report refuses it."""

    name: str
    raw: bytes
    sha256: str
    report: Report
    compiled: CompiledFeed | None


@dataclass(frozen=True, slots=True)
class Importing:
    """Keep a prepared feed for an authority, on behalf of `by`."""

    authority_id: int
    prepared: PreparedFeed
    by: str
    publish: bool = False


def prepare_feed(
    raw: bytes,
    name: str,
    today: date,
    limits: Limits | None = None,
    on_checked: Callable[[], None] = lambda: None,
    second_opinion: bool = False,
) -> PreparedFeed:
    """Read, check and compile a zip called `name`; takes seconds for a big feed, and no database.

    `on_checked` is called between the two halves, for whoever shows progress. `second_opinion`: ask gtfs-guru too.
    """
    notices = Notices()
    with measuring(len(raw)) as beside, asking_guru(raw, today, SHOWN, second_opinion) as guru:
        feed = read_feed(raw, name, notices, limits, guru.begin if guru else None)
        paths = begin_paths(beside, feed)
        report = judge(feed, name, today, notices, guru)
        on_checked()
        compiled = compile_feed(feed, paths) if report.accepted else None
    return PreparedFeed(name, raw, sha256(raw).hexdigest(), report, compiled)


def import_feed(session: Session, values: Importing, now: datetime) -> FeedVersion:
    """Keep the feed as a draft (the same content again: the version it already is) and publish it if asked.

    Raises FeedRefused, with nothing stored, or UnknownAuthority.
    """
    prepared = values.prepared
    if prepared.compiled is None:
        raise FeedRefused(prepared.report)
    version = keep_version(
        session,
        NewVersion(
            authority_id=values.authority_id,
            source_name=prepared.name,
            raw=prepared.raw,
            sha256=prepared.sha256,
            report=prepared.report,
            compiled=prepared.compiled,
            by=values.by,
        ),
        now,
    )
    if values.publish:
        return publish(session, Publishing(values.authority_id, version.number, values.by), now)
    return version
