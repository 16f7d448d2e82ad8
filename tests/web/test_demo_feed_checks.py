"""The checks that every feed passes before it is published, on the demonstration feeds."""

from datetime import date

import pytest

from gtfs.checking import check_feed
from tests.web.demo_feeds import TOWNS, feed

# On purpose: lines whose times are still to be published, and circular lines, which have no direction.
WANTED = {
    "canaa-dos-carajas": {"missing_direction"},
    "conceicao-de-macabu": set(),
    "marechal-floriano": {"route_without_trips", "missing_direction"},
    "marica": {"route_without_trips", "missing_direction"},
}


@pytest.mark.parametrize("today", [date(2026, 1, 1), date(2027, 12, 1)])
@pytest.mark.parametrize("town", TOWNS)
def test_the_checks_find_only_what_is_meant(town: str, today: date) -> None:
    report = check_feed(feed(town), f"{town}.zip", today)
    assert report.accepted
    assert {group.code for group in report.groups} == WANTED[town]
