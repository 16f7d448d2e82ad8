"""Adding an authority: its row, its calendar of the coming years, and the acts already in force."""

import json
from datetime import date, datetime

from sqlmodel import Session, select

from complaints.authorities.coming_years import SEEDED_FROM, YEARS_AHEAD
from complaints.authorities.tables import Authority, AuthorityChoice, CalendarDay
from complaints.authorities.town_file import Town
from complaints.law.calendars import national_and_state_days


class AuthorityExists(Exception):
    """Another authority has this slug or this SMS number."""

    def __init__(self, field: str, value: str) -> None:
        super().__init__(f"{field} {value} is taken")
        self.field = field
        self.value = value


def add_authority(session: Session, town: Town, now: datetime, *, demo: bool = False) -> Authority:
    """Store an authority with calendar days from this year on; raises AuthorityExists."""
    if session.exec(select(Authority).where(Authority.slug == town.slug)).first():
        raise AuthorityExists("slug", town.slug)
    if town.sms_number and session.exec(select(Authority).where(Authority.sms_number == town.sms_number)).first():
        raise AuthorityExists("sms_number", town.sms_number)
    authority = Authority(
        slug=town.slug,
        name=town.name,
        short_name=town.short_name,
        town=town.town,
        uf=town.uf,
        law_id=town.law,
        clock_law_id=town.clock_law,
        time_zone=town.time_zone,
        phone=town.phone,
        sms_number=town.sms_number,
        email=town.email,
        has_lines=town.has_lines,
        demo=demo,
        created_at=now,
    )
    session.add(authority)
    session.flush()
    years = range(now.year - 1, now.year + YEARS_AHEAD)
    session.add_all(_calendar(authority, town, years, now))
    session.add_all(_first_choices(authority, town, now))
    session.flush()
    return authority


def _calendar(authority: Authority, town: Town, years: range, now: datetime) -> list[CalendarDay]:
    days = [(row.day, row.layer, row.name, SEEDED_FROM) for row in national_and_state_days(town.uf, years)]
    for row in town.municipal_days:
        month, day = (int(part) for part in row.day.split("-"))
        days += [(date(year, month, day), "municipal", row.name, row.source) for year in years]
    return [
        CalendarDay(authority_id=authority.id, day=day, layer=layer, name=name, source=source, added_at=now)
        for day, layer, name, source in days
    ]


def _first_choices(authority: Authority, town: Town, now: datetime) -> list[AuthorityChoice]:
    return [
        AuthorityChoice(
            authority_id=authority.id,
            kind=choice.kind,
            key=choice.key,
            value=json.dumps(choice.value, sort_keys=True, ensure_ascii=False),
            instrument=choice.instrument,
            document=choice.document,
            effective_from=choice.effective_from,
            chosen_at=now,
        )
        for choice in town.choices
    ]
