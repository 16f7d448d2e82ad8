"""What every page of the feed being made starts from: the authority's sketch, and keeping changes to it."""

from collections.abc import Iterable, Sequence
from datetime import date

from sqlmodel import Session, col, select

from complaints.authorities.tables import CalendarDay
from gtfs.authoring.agency_reading import is_mailbox
from gtfs.authoring.calendar_carrying import ordinary_days
from gtfs.authoring.faults import Fault
from gtfs.authoring.keeping import PartChange, SketchChange, StaleSketch, change_sketch, read_sketch
from gtfs.authoring.network import Agency
from gtfs.authoring.sketch import Sketch, SketchDays
from web.addresses import absolute_url, town_url
from web.forms import FormErrors
from web.staff.routing import Desk

HOME = "/equipe/linhas"
_HOLIDAY_LAYERS = ("national", "state", "municipal")
_SHOWN_FAULTS = 6


def load_sketch(session: Session, desk: Desk) -> Sketch:
    """The authority's sketch; its agency and days are filled in from what we know of the town."""
    days = ordinary_days(desk.today)
    holidays = _list_holidays(session, desk, days.first_day, days.last_day)
    known = SketchDays(days.first_day, days.last_day, days.kinds, holidays)
    return read_sketch(session, desk.authority_id, describe_agency(desk), known)


def describe_agency(desk: Desk) -> Agency:
    """The authority as a feed names it."""
    town = desk.authority
    return Agency(
        id=town.slug,
        name=town.name,
        url=absolute_url(desk.services.settings.public_url, town_url(town)),
        time_zone=town.time_zone,
        phone=town.phone,
        email=town.email if town.email and is_mailbox(town.email) else "",
    )


def keep(desk: Desk, changes: Sequence[PartChange]) -> StaleSketch | None:
    """Keep changes together; what is there instead when somebody was faster, and then nothing is kept."""
    try:
        with desk.services.database.write() as session:
            change_sketch(session, SketchChange(desk.authority_id, changes, desk.member.email), desk.now)
    except StaleSketch as stale:
        return stale
    return None


def tell_faults(faults: Iterable[Fault], errors: FormErrors, one_line: Iterable[str] = ()) -> None:
    """Put faults beside their boxes, those of one box together; boxes of one line need no place."""
    by_field: dict[str, list[str]] = {}
    for fault in faults:
        words = fault.message if fault.field in one_line else fault.words
        by_field.setdefault(fault.field, []).append(words[:1].upper() + words[1:])
    for field, found in by_field.items():
        more = f" E mais {len(found) - _SHOWN_FAULTS}." if len(found) > _SHOWN_FAULTS else ""
        errors.add(field, ". ".join(text.rstrip(".") for text in found[:_SHOWN_FAULTS]) + "." + more)


def _list_holidays(session: Session, desk: Desk, first: date, last: date) -> tuple[date, ...]:
    rows = session.exec(
        select(col(CalendarDay.day)).where(
            CalendarDay.authority_id == desk.authority_id,
            CalendarDay.day >= first,
            CalendarDay.day <= last,
            col(CalendarDay.layer).in_(_HOLIDAY_LAYERS),
        )
    ).all()
    return tuple(sorted(set(rows)))
