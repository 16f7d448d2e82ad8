"""Which lines leave each of some stops."""

from collections.abc import Collection
from functools import lru_cache

from sqlmodel import Session, col, select

from gtfs.compiled import unpack_stop
from gtfs.published import LineEntry, PublishedFeed, get_lines
from gtfs.tables import FeedStop
