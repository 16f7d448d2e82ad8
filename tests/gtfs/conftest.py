"""Fixtures for feeds in a database: two authorities."""

from dataclasses import dataclass
from datetime import datetime

import pytest

from complaints.authorities.tables import Authority
from web.db import Database


@dataclass(frozen=True)
class Town:
    """An authority of the tests."""

    id: int


def add_town(database: Database, slug: str, now: datetime) -> Town:
    """Add an authority that has nothing but a name."""
    with database.write() as session:
        row = Authority(
            slug=slug,
            name=slug,
            short_name=slug,
            town=slug,
            uf="RJ",
            law_id="marica-2627-2015",
            time_zone="America/Sao_Paulo",
            phone="0800",
            created_at=now,
        )
        session.add(row)
        session.flush()
        assert row.id is not None
        return Town(row.id)


@pytest.fixture
def town(database: Database, now: datetime) -> Town:
    """An authority without any feed."""
    return add_town(database, "vila", now)


@pytest.fixture
def other_town(database: Database, now: datetime) -> Town:
    """Another authority of the same deployment."""
    return add_town(database, "outra", now)
