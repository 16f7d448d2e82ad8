"""Feeds compiled once for all tests that read them."""

from datetime import date
from functools import cache

from gtfs.compiled_feed import CompiledFeed
from gtfs.importing import PreparedFeed, prepare_feed
from tests.gtfs.real_feeds import demand_feed
from tests.gtfs.small_feed import small_feed

TODAY = date(2026, 11, 30)


@cache
def prepare_real(name: str) -> PreparedFeed:
    """A real feed read, checked and compiled; skips where it is absent."""
    return prepare_feed(demand_feed(name), f"{name}.zip", TODAY)


def compile_real(name: str) -> CompiledFeed:
    """A real feed compiled; skips where it is absent."""
    return _compiled(prepare_real(name))


@cache
def prepare_small(**changes: str | bytes | None) -> PreparedFeed:
    """Our own small feed with changes, read, checked and compiled if accepted."""
    return prepare_feed(small_feed(**changes), "vila.zip", TODAY)


def compile_small(**changes: str | None) -> tuple[bytes, CompiledFeed]:
    """Our own small feed with changes: its zip and what is compiled from it."""
    prepared = prepare_small(**changes)
    return prepared.raw, _compiled(prepared)


def _compiled(prepared: PreparedFeed) -> CompiledFeed:
    assert prepared.compiled is not None, prepared.report
    return prepared.compiled
