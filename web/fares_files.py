"""The fare files that a town's published zip carries beside those of its feed."""

from collections.abc import Mapping
from datetime import date

from sqlmodel import Session

from complaints.authorities.tables import Authority
from gtfs.archives import ArchiveEntry


def list_fare_files(session: Session, town: Authority, feed: ArchiveEntry, day: date) -> Mapping[str, bytes]:
    """Files by name (`fare_products.txt`), as they hold on a local day; none where no fares are generated."""
    return {}
