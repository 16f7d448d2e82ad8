"""How dates, times, money and telephones are written for people, in Brazilian Portuguese."""

from datetime import date, datetime, time
from functools import lru_cache
from typing import Protocol
from zoneinfo import ZoneInfo

import phonenumbers

from complaints.law.spoken_dates import spoken_day, weekday_name


class HasTimeZone(Protocol):
    """Whatever names the zone its clocks show; an authority does."""

    time_zone: str


def local_time(instant: datetime, place: HasTimeZone) -> datetime:
    """Return the aware `instant` in the zone of `place`; raises ValueError on a naive one."""
    if instant.tzinfo is None:
        raise ValueError("an instant needs a time zone")
    return instant.astimezone(ZoneInfo(place.time_zone))


def day_in_words(day: date) -> str:
    """`30 de novembro de 2026`; the first of a month is `1º`. An instant must be made local first."""
    return spoken_day(day)


def weekday_in_words(day: date) -> str:
    """`segunda-feira`."""
    return weekday_name(day)


def clock_in_words(moment: time | datetime) -> str:
    """`14h05`; the full hour is `14h`."""
    return f"{moment.hour}h{moment.minute:02d}" if moment.minute else f"{moment.hour}h"


def moment_in_words(instant: datetime, place: HasTimeZone) -> str:
    """`30 de novembro de 2026, 14h05` on the clocks of `place`."""
    local = local_time(instant, place)
    return f"{day_in_words(local)}, {clock_in_words(local)}"


def local_day_in_words(instant: datetime, place: HasTimeZone) -> str:
    """`30 de novembro de 2026`: the day that `instant` falls on at `place`."""
    return day_in_words(local_time(instant, place))


def money(cents: int) -> str:
    """`R$ 1.234,50` from integer cents; a no-break space keeps it on one line."""
    reais, rest = divmod(abs(cents), 100)
    grouped = f"{reais:,}".replace(",", ".")
    return f"{'−' if cents < 0 else ''}R$\u00a0{grouped},{rest:02d}"


def file_size(size: int) -> str:
    """Bytes in words: `300 bytes`, `12 kB`, `3,4 MB`."""
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1e6:.1f} MB".replace(".", ",") if size >= 1e6 else f"{size // 1000} kB"


@lru_cache(maxsize=1024)
def phone_in_words(phone: str) -> str:
    """`(21) 3731-0000` from any usual spelling; what is no Brazilian number stays as it is."""
    number = _parse_phone(phone)
    if number is None:
        return phone
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)


@lru_cache(maxsize=1024)
def phone_link(phone: str) -> str:
    """The `tel:` address of a telephone; short numbers such as 156 keep their digits."""
    number = _parse_phone(phone)
    if number is None:
        return "tel:" + "".join(character for character in phone if character.isdigit() or character == "+")
    return "tel:" + phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _parse_phone(phone: str) -> phonenumbers.PhoneNumber | None:
    try:
        number = phonenumbers.parse(phone, "BR")
    except phonenumbers.NumberParseException:
        return None
    return number if phonenumbers.is_possible_number(number) else None
