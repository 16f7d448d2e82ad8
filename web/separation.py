"""How far apart an authority's law wants its departures from those of other operators."""

from datetime import date
from typing import TYPE_CHECKING

from sqlmodel import Session

from complaints.authorities.law_in_force import law_on, settings_in_force
from complaints.authorities.tables import Authority

if TYPE_CHECKING:
    from gtfs.separation import Asked


def find_asked(session: Session, authority: Authority, day: date) -> "Asked | None":
    """The law's minutes, with the authority's reading of where they are measured; None when it asks for none."""
    from gtfs.separation import Asked

    rule = law_on(authority, day).separation
    if rule is None:
        return None
    setting = law_on(authority, day).find_setting(rule.points_setting) if rule.points_setting else None
    chosen = settings_in_force(session, authority, day)
    points = chosen.get(setting.key, setting.default) if setting is not None else None
    return Asked(rule.minutes, origin_only=points == "origin_only")
