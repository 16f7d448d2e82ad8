"""Calendars go on: each year gets its holidays before any term can reach it."""

from collections import defaultdict
from datetime import date, datetime

from sqlmodel import Session, col, select

from complaints.authorities.tables import Authority, CalendarDay
from complaints.law.calendars import national_and_state_days

YEARS_AHEAD = 3
"""How many years a calendar holds, the current one included."""

SEEDED_FROM = "pacote holidays; confira no Diário Oficial"
REPEATED = "repetido dos dois anos anteriores; confira no Diário Oficial"


def extend_calendar(session: Session, authority: Authority, now: datetime) -> int:
    """Add the days of coming years that the calendar lacks; returns how many.

    A year with a national holiday is left as it is. Municipal days that fell on one date, under one name, in both
    years before are repeated; movable ones the authority adds itself.
    """
    rows = session.exec(
        select(CalendarDay).where(
            CalendarDay.authority_id == authority.id, col(CalendarDay.day) >= date(now.year - 1, 1, 1)
        )
    ).all()
    by_year: defaultdict[int, set[tuple[str, int, int, str]]] = defaultdict(set)
    for row in rows:
        by_year[row.day.year].add((row.layer, row.day.month, row.day.day, row.name))
    added = 0
    for year in range(now.year, now.year + YEARS_AHEAD):
        if any(layer == "national" for layer, *_ in by_year[year]):
            continue
        known = {(layer, month, day) for layer, month, day, _ in by_year[year]}
        coming: list[tuple[str, int, int, str, str]] = [
            (one.layer, one.day.month, one.day.day, one.name, SEEDED_FROM)
            for one in national_and_state_days(authority.uf, [year])
        ]
        coming += [(*one, REPEATED) for one in _recurring(by_year[year - 2] & by_year[year - 1])]
        for layer, month, day, name, source in coming:
            if (layer, month, day) not in known:
                by_year[year].add((layer, month, day, name))
                session.add(
                    CalendarDay(
                        authority_id=authority.id,
                        day=date(year, month, day),
                        layer=layer,
                        name=name,
                        source=source,
                        added_at=now,
                    )
                )
                added += 1
    return added


def _recurring(days: set[tuple[str, int, int, str]]) -> list[tuple[str, int, int, str]]:
    return sorted(one for one in days if one[0] == "municipal" and one[1:3] != (2, 29))
