"""Days as Portuguese writes them, without the machine's locale."""

from datetime import date

_WEEKDAYS = (
    "segunda-feira",
    "terça-feira",
    "quarta-feira",
    "quinta-feira",
    "sexta-feira",
    "sábado",
    "domingo",
)
_MONTHS = (
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
)


def weekday_name(day: date) -> str:
    """Return `segunda-feira` to `domingo`."""
    return _WEEKDAYS[day.weekday()]


def spoken_day(day: date) -> str:
    """Return `1º de março de 2027`."""
    number = "1º" if day.day == 1 else str(day.day)
    return f"{number} de {_MONTHS[day.month - 1]} de {day.year}"
