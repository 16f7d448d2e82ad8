"""The clock of a case: Lei federal 13.460/2017, article 16, with the reasons of its last day.

No municipal law here sets a term to answer a complaint. The federal law does not say how to count: the
default (calendar days, first day excluded, a last day without work moves on) follows Lei 9.784/1999,
article 66, by analogy, and each part of it is a setting.
"""

from dataclasses import dataclass
from datetime import date

from complaints.law.calendars import Calendar
from complaints.law.counting import Count, Counter, DerivationDay, Pause, TermSettings, Unit
from complaints.law.rulebook import get_rulebook
from complaints.law.spoken_dates import spoken_day, weekday_name

FEDERAL_LAW = "br-13460-2017"
DEFAULT_SETTINGS = TermSettings()

_UNITS: dict[Unit, str] = {"calendar": "dias corridos", "business": "dias úteis"}


@dataclass(frozen=True)
class Term:
    """A term with its reasons, dates local.

    `due` is the last day, inclusive; None while the clock stands still. Nothing is late before the end of
    `late_after`, the last day under every reading of the optional days not chosen. `law_id` and `citation` are
    None for a goal, which is no legal term. `derivation` holds every day for business days; for calendar days
    the days that did not count and the last that did.
    """

    due: date | None
    late_after: date | None
    law_id: str | None
    citation: str | None
    count: int
    unit: Unit
    derivation: tuple[DerivationDay, ...]
    explanation_pt: str

    @property
    def is_legal(self) -> bool:
        """Whether a law sets this term."""
        return self.law_id is not None


def response_term(
    received_on: date,
    calendar: Calendar,
    extended: bool = False,
    settings: TermSettings = DEFAULT_SETTINGS,
    pauses: tuple[Pause, ...] = (),
) -> Term:
    """Return the term to answer a rider: 30 days, 60 when extended (article 16).

    `received_on` is the authority's local date. The extension runs on from the 30th day counted.
    """
    return _legal_term("answer", received_on, calendar, extended, settings, pauses)


def internal_request_term(
    requested_on: date,
    calendar: Calendar,
    extended: bool = False,
    settings: TermSettings = DEFAULT_SETTINGS,
) -> Term:
    """Return the term of a department asked for information: 20 days, 40 when extended (article 16)."""
    return _legal_term("internal-request", requested_on, calendar, extended, settings, ())


def goal_term(
    received_on: date,
    days: int,
    calendar: Calendar,
    settings: TermSettings = DEFAULT_SETTINGS,
    pauses: tuple[Pause, ...] = (),
) -> Term:
    """Return a goal of the authority, worded as one: no law sets it. ValueError unless `days` is positive."""
    if days < 1:
        raise ValueError(f"a goal of {days} days")
    source = f"Meta do órgão, não é prazo legal: {days} {_UNITS[settings.unit]}."
    return _count_term(source, None, None, received_on, Counter(days, calendar, settings), pauses)


def _legal_term(
    step_id: str,
    start: date,
    calendar: Calendar,
    extended: bool,
    settings: TermSettings,
    pauses: tuple[Pause, ...],
) -> Term:
    rulebook = get_rulebook(FEDERAL_LAW)
    step = rulebook.get_step(step_id)
    days = (step.count or 0) + (step.extension_count if extended else 0)
    citation = step.citations[0]
    longer = f", já com a prorrogação de {step.extension_count} dias" if extended else ""
    source = f"Prazo da {rulebook.law.name}, {citation}: {days} {_UNITS[settings.unit]}{longer}."
    return _count_term(source, FEDERAL_LAW, citation, start, Counter(days, calendar, settings), pauses)


def _count_term(
    source: str, law_id: str | None, citation: str | None, start: date, counter: Counter, pauses: tuple[Pause, ...]
) -> Term:
    settings = counter.settings
    works = Counter(counter.days, counter.calendar, settings, settings.optional_days != "non_working")
    rests = Counter(counter.days, counter.calendar, settings, settings.optional_days == "working")
    count = works.count(start, pauses)
    return Term(
        due=count.due,
        late_after=rests.count(start, pauses).due,
        law_id=law_id,
        citation=citation,
        count=counter.days,
        unit=settings.unit,
        derivation=_printable(count, settings.unit),
        explanation_pt=_explain(source, count, counter.days),
    )


def _printable(count: Count, unit: Unit) -> tuple[DerivationDay, ...]:
    if unit == "business":
        return count.days
    last = count.last_counted
    return tuple(row for row in count.days if not row.counted or row.day == last)


def _explain(source: str, count: Count, days: int) -> str:
    begun = "recomeçou quando o complemento chegou, em" if count.restarted else "começou em"
    sentences = [source, f"A contagem {begun} {spoken_day(count.start)}."]
    paused = sum(1 for row in count.days if row.reason == "à espera de complemento")
    if count.due is None:
        return " ".join((*sentences, "O prazo está parado, à espera de complemento."))
    if paused:
        sentences.append(f"Ficou parada {paused} {'dia' if paused == 1 else 'dias'}, à espera de complemento.")
    last = count.last_counted
    if last is not None and last != count.due:
        moved = f"O {days}º dia é {spoken_day(last)}, sem expediente: o prazo passa ao próximo dia útil."
        sentences.append(moved)
    sentences.append(f"Último dia: {weekday_name(count.due)}, {spoken_day(count.due)}.")
    return " ".join(sentences)
