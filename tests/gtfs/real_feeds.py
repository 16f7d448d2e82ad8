"""The real feeds that are kept beside the repository, not in it."""

from functools import cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "feeds"
FEEDS = (
    "cairns",
    "donanbus-gtfs-jp",
    "fortaleza-etufor",
    "google-sample-feed-1",
    "hart-tampa",
    "kart-loops-bom",
    "pimampiro-coop",
    "porto-alegre-eptc",
    "rio-grande-ar",
    "sao-paulo-sptrans-sample",
    "transcollines-fares-v2",
    "zakroczym-fares-v2",
)


@cache
def _read(path: Path) -> bytes:
    return path.read_bytes()


def demand_feed(name: str) -> bytes:
    """The zip of a real feed; skips where the folder is absent."""
    path = FOLDER / f"{name}.zip"
    if not path.exists():
        pytest.skip(f"the real feeds are not beside the repository ({name}.zip)")
    return _read(path)
