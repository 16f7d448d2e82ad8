"""The feed that a town shows, and the day and hour that an address asks for."""

from datetime import date, time

from sqlmodel import Session
from starlette.requests import Request

from complaints.authorities.tables import Authority
from gtfs.published import PublishedFeed, find_published
from web.errors import Refused
from web.forms import FormErrors, query_text

FIRST_YEAR, LAST_YEAR = 2000, 2100
"""Days outside these years are taken for a slip."""


def get_feed(session: Session, town: Authority) -> PublishedFeed:
    """The published feed; raises Refused (404) with the reason when the town has none."""
    feed = None if town.id is None else find_published(session, town.id)
    if feed is not None:
        return feed
    if not town.has_lines:
        raise Refused(
            404,
            "Aqui não há linhas nem horários",
            f"O transporte que {town.short_name} cuida em {town.town} não tem linhas: cada veículo atende as "
            "pessoas com quem combinou.",
            "Você pode conferir um veículo pela placa ou pelo selo, ou fazer uma reclamação.",
        )
    raise Refused(
        404,
        "As linhas ainda não foram publicadas",
        f"{town.short_name} ainda não publicou as linhas e os horários de {town.town}.",
        "Telefone para saber dos horários. Para reclamar não é preciso esperar.",
    )


def read_day(request: Request, errors: FormErrors) -> date | None:
    """The day of `?dia=YYYY-MM-DD`; None when it is not given or, with a message in `errors`, not a day."""
    text = query_text(request, "dia", 40)
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        errors.add("dia", "Escolha um dia do calendário")
        return None
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        errors.add("dia", f"Escolha um dia entre os anos {FIRST_YEAR} e {LAST_YEAR}")
        return None
    return day


def read_hour(request: Request, errors: FormErrors) -> time | None:
    """The hour of `?hora=HH:MM`; None when it is not given or, with a message in `errors`, not an hour."""
    text = query_text(request, "hora", 40)
    if not text:
        return None
    try:
        hour = time.fromisoformat(text)
    except ValueError:
        hour = None
    if hour is None or f"{hour:%H:%M}" != text:
        errors.add("hora", "Escreva a hora e os minutos, por exemplo 05:40")
        return None
    return hour
