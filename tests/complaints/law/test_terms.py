"""The clock of a case: thirty days, thirty more, pauses, and a count that can be read."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from complaints.law.calendars import Calendar, CalendarDay, national_and_state_days
from complaints.law.counting import Pause, TermSettings
from complaints.law.terms import Term, goal_term, internal_request_term, response_term

WEEKENDS = Calendar()
RIO = Calendar(national_and_state_days("RJ", range(2026, 2030)))
BUSINESS = TermSettings(unit="business")
NO_ROLL = TermSettings(rollover="none")
INTERRUPT = TermSettings(complement="interrupt")

days = st.dates(date(2000, 1, 1), date(2090, 1, 1))
weekday_sets = st.integers(1, 127).map(lambda bits: frozenset(day for day in range(7) if bits >> day & 1))
units = st.sampled_from(["calendar", "business"])


def due(term: Term) -> date:
    assert term.due is not None
    return term.due


@pytest.mark.parametrize(
    ("received", "expected"),
    [
        (date(2027, 3, 1), date(2027, 3, 31)),  # 30th day on a Wednesday
        (date(2027, 3, 4), date(2027, 4, 5)),  # on a Saturday: Monday
        (date(2027, 3, 5), date(2027, 4, 5)),  # on a Sunday: Monday
        (date(2027, 3, 22), date(2027, 4, 22)),  # on Tiradentes: next day
        (date(2027, 3, 24), date(2027, 4, 26)),  # on São Jorge, a Friday: Monday
        (date(2027, 12, 2), date(2028, 1, 3)),  # on New Year's Day, a Saturday
        (date(2028, 2, 1), date(2028, 3, 2)),  # over a leap day
        (date(2028, 1, 30), date(2028, 3, 1)),  # on the leap day, Carnival in Rio: Wednesday
        (date(2027, 1, 30), date(2027, 3, 1)),  # no leap day
        (date(2026, 12, 2), date(2027, 1, 4)),  # on New Year's Day, a Friday: Monday
    ],
)
def test_thirty_days_exclude_the_first_include_the_last_and_move_on_to_a_working_day(
    received: date, expected: date
) -> None:
    assert response_term(received, RIO).due == expected


def test_term_names_the_federal_law_and_never_the_municipal_one() -> None:
    term = response_term(date(2027, 3, 1), RIO)
    assert (term.law_id, term.citation, term.is_legal) == ("br-13460-2017", "art. 16, caput", True)
    assert (term.count, term.unit) == (30, "calendar")
    assert term.explanation_pt == (
        "Prazo da Lei federal nº 13.460/2017, art. 16, caput: 30 dias corridos. "
        "A contagem começou em 1º de março de 2027. Último dia: quarta-feira, 31 de março de 2027."
    )


def test_extension_gives_thirty_more_and_says_so() -> None:
    term = response_term(date(2027, 3, 1), RIO, extended=True)
    assert (term.due, term.count) == (date(2027, 4, 30), 60)
    assert "já com a prorrogação de 30 dias" in term.explanation_pt


def test_internal_request_has_twenty_and_twenty_more() -> None:
    assert internal_request_term(date(2027, 3, 1), RIO).due == date(2027, 3, 22)
    extended = internal_request_term(date(2027, 3, 1), RIO, extended=True)
    assert (extended.due, extended.citation) == (date(2027, 4, 12), "art. 16, par. único")


def test_goal_of_the_authority_is_never_called_a_legal_term() -> None:
    term = goal_term(date(2027, 3, 1), 10, RIO)
    assert (term.due, term.law_id, term.citation, term.is_legal) == (date(2027, 3, 11), None, None, False)
    assert term.explanation_pt.startswith("Meta do órgão, não é prazo legal: 10 dias corridos.")
    assert "Lei" not in term.explanation_pt


@pytest.mark.parametrize("wrong", [0, -1])
def test_goal_without_days_is_refused(wrong: int) -> None:
    with pytest.raises(ValueError, match="goal"):
        goal_term(date(2027, 3, 1), wrong, RIO)


def test_moved_last_day_is_explained_and_derived() -> None:
    term = response_term(date(2027, 3, 4), RIO)
    assert (
        "O 30º dia é 3 de abril de 2027, sem expediente: o prazo passa ao próximo dia útil." in term.explanation_pt
    )
    assert [(row.day.isoformat(), row.counted, row.reason) for row in term.derivation] == [
        ("2027-03-04", False, "dia do começo, não conta"),
        ("2027-04-03", True, "30º dia, sábado"),
        ("2027-04-04", False, "domingo"),
        ("2027-04-05", False, "primeiro dia útil depois do fim da contagem"),
    ]


def test_without_rollover_the_term_may_end_on_a_sunday() -> None:
    assert response_term(date(2027, 3, 5), RIO, settings=NO_ROLL).due == date(2027, 4, 4)


def test_first_day_counts_when_the_authority_counts_it() -> None:
    settings = TermSettings(first_day="included")
    assert response_term(date(2027, 3, 2), RIO, settings=settings).due == date(2027, 3, 31)


def test_business_days_skip_weekends_and_holidays_and_show_every_day() -> None:
    term = response_term(date(2027, 3, 15), RIO, settings=BUSINESS)
    assert term.due == date(2027, 4, 29)
    assert sum(row.counted for row in term.derivation) == 30
    skipped = {row.reason for row in term.derivation if not row.counted}
    assert {"sábado", "domingo", "feriado nacional (Sexta-feira Santa)", "feriado estadual (São Jorge)"} <= skipped
    gaps = {later.day - earlier.day for earlier, later in zip(term.derivation, term.derivation[1:], strict=False)}
    assert gaps == {timedelta(days=1)}


OPTIONAL = Calendar([CalendarDay(date(2027, 3, 31), "optional", "Véspera")])


@pytest.mark.parametrize(
    ("setting", "last", "late_after"),
    [
        (TermSettings(), date(2027, 3, 31), date(2027, 4, 1)),
        (TermSettings(optional_days="working"), date(2027, 3, 31), date(2027, 3, 31)),
        (TermSettings(optional_days="non_working"), date(2027, 4, 1), date(2027, 4, 1)),
    ],
)
def test_nothing_is_late_while_an_optional_day_is_undecided(
    setting: TermSettings, last: date, late_after: date
) -> None:
    term = response_term(date(2027, 3, 1), OPTIONAL, settings=setting)
    assert (term.due, term.late_after) == (last, late_after)


PAUSE = (Pause(date(2027, 3, 11), date(2027, 3, 18)),)


def test_asking_for_a_complement_suspends_by_default() -> None:
    term = response_term(date(2027, 3, 1), WEEKENDS, pauses=PAUSE)
    assert term.due == date(2027, 4, 7)
    assert "Ficou parada 7 dias, à espera de complemento." in term.explanation_pt
    assert sum(row.reason == "à espera de complemento" for row in term.derivation) == 7


def test_one_day_of_waiting_is_told_in_the_singular() -> None:
    pauses = (Pause(date(2027, 3, 11), date(2027, 3, 12)),)
    assert "Ficou parada 1 dia," in response_term(date(2027, 3, 1), WEEKENDS, pauses=pauses).explanation_pt


def test_asking_for_a_complement_may_start_the_count_again() -> None:
    term = response_term(date(2027, 3, 1), WEEKENDS, settings=INTERRUPT, pauses=PAUSE)
    assert term.due == date(2027, 4, 19)  # 30 days from 18 March end on Saturday the 17th
    assert "A contagem recomeçou quando o complemento chegou, em 18 de março de 2027." in term.explanation_pt


@pytest.mark.parametrize("settings", [TermSettings(), INTERRUPT, BUSINESS])
def test_open_wait_stops_the_clock(settings: TermSettings) -> None:
    term = response_term(date(2027, 3, 1), WEEKENDS, settings=settings, pauses=(Pause(date(2027, 3, 11)),))
    assert (term.due, term.late_after) == (None, None)
    assert term.explanation_pt.endswith("O prazo está parado, à espera de complemento.")


@pytest.mark.parametrize("settings", [TermSettings(), INTERRUPT])
def test_complement_asked_after_the_end_changes_nothing(settings: TermSettings) -> None:
    plain = response_term(date(2027, 3, 1), WEEKENDS)
    for late in (Pause(date(2027, 4, 1)), Pause(date(2027, 4, 2), date(2027, 5, 1))):
        assert response_term(date(2027, 3, 1), WEEKENDS, settings=settings, pauses=(late,)).due == plain.due


def test_complement_asked_on_the_moved_last_day_still_stops_the_clock() -> None:
    received, monday = date(2027, 3, 4), date(2027, 4, 5)
    assert response_term(received, WEEKENDS).due == monday
    assert response_term(received, WEEKENDS, pauses=(Pause(monday),)).due is None
    assert response_term(received, WEEKENDS, pauses=(Pause(monday, date(2027, 4, 9)),)).due == date(2027, 4, 9)


def test_two_waits_that_overlap_count_once() -> None:
    pauses = (Pause(date(2027, 3, 11), date(2027, 3, 18)), Pause(date(2027, 3, 15), date(2027, 3, 20)))
    assert response_term(date(2027, 3, 1), WEEKENDS, pauses=pauses).due == date(2027, 4, 9)
    restarted = response_term(date(2027, 3, 1), WEEKENDS, settings=INTERRUPT, pauses=pauses)
    assert restarted.due == date(2027, 4, 19)


def test_answer_before_its_request_is_refused() -> None:
    with pytest.raises(ValueError, match="before"):
        Pause(date(2027, 3, 11), date(2027, 3, 10))


@effort(deadline=None)
@given(days, weekday_sets, units)
def test_the_count_sums_up_for_every_set_of_working_weekdays(
    start: date, weekdays: frozenset[int], unit: str
) -> None:
    calendar = Calendar((), weekdays)
    settings = TermSettings(unit="business" if unit == "business" else "calendar")
    term = response_term(start, calendar, settings=settings)
    assert calendar.is_working(due(term))[0]
    counted = [row for row in term.derivation if row.counted]
    assert counted[-1].reason.startswith("30º dia")
    if unit == "business":
        assert len(counted) == 30
        assert all(calendar.is_working(row.day)[0] for row in counted)
    else:
        assert counted[-1].day == start + timedelta(days=30)
        assert due(term) - counted[-1].day <= timedelta(days=6)


@effort(deadline=None)
@given(days, st.integers(0, 60), weekday_sets, units)
def test_a_later_complaint_is_never_due_earlier(
    start: date, later: int, weekdays: frozenset[int], unit: str
) -> None:
    calendar = Calendar((), weekdays)
    settings = TermSettings(unit="business" if unit == "business" else "calendar")
    first = response_term(start, calendar, settings=settings)
    second = response_term(start + timedelta(days=later), calendar, settings=settings)
    assert due(first) <= due(second)


@effort(deadline=None)
@given(days, weekday_sets)
def test_an_extension_never_shortens_and_starts_from_the_same_day(start: date, weekdays: frozenset[int]) -> None:
    calendar = Calendar((), weekdays)
    plain, longer = response_term(start, calendar), response_term(start, calendar, extended=True)
    assert due(longer) >= start + timedelta(days=60)
    assert due(longer) > due(plain)


@effort(deadline=None)
@given(days, st.integers(0, 30), st.integers(0, 400))
def test_a_wait_moves_the_unmoved_end_by_exactly_its_days(start: date, asked: int, waited: int) -> None:
    request = start + timedelta(days=asked)
    pause = Pause(request, request + timedelta(days=waited))
    plain = response_term(start, WEEKENDS, settings=NO_ROLL)
    paused = response_term(start, WEEKENDS, settings=NO_ROLL, pauses=(pause,))
    # A wait that begins on the day of receipt saves the day that does not count anyway.
    free = 1 if asked == 0 and waited > 0 else 0
    assert due(paused) - due(plain) == timedelta(days=waited - free)


@effort(deadline=None)
@given(days, st.integers(1, 30), st.integers(0, 100), st.integers(1, 100))
def test_a_longer_wait_is_never_due_earlier(start: date, asked: int, waited: int, more: int) -> None:
    request = start + timedelta(days=asked)
    for settings in (TermSettings(), INTERRUPT):
        short = Pause(request, request + timedelta(days=waited))
        long = Pause(request, request + timedelta(days=waited + more))
        first = response_term(start, WEEKENDS, settings=settings, pauses=(short,))
        second = response_term(start, WEEKENDS, settings=settings, pauses=(long,))
        assert due(first) <= due(second)
