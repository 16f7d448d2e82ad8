"""Frequencies in words: `a cada 20 min, das 05:00 às 09:00`."""

MINUTE = 60


def interval_in_words(headway: int, start: str, end: str) -> str:
    """`a cada 20 min, das 05:00 às 09:00`; `headway` in seconds, the clocks already written."""
    return f"a cada {pace_in_words(headway)}, das {start} às {end}"


def pace_in_words(headway: int) -> str:
    """`20 min`, `1 h 30 min`; less than a minute is said so. Seconds are rounded to the nearest minute."""
    if headway < MINUTE:
        return "menos de 1 min"
    minutes = (headway + MINUTE // 2) // MINUTE
    if minutes < 2 * MINUTE:
        return f"{minutes} min"
    hours, rest = divmod(minutes, MINUTE)
    return f"{hours} h {rest} min" if rest else f"{hours} h"
