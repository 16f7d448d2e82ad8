"""The derivation of a municipal term ends on the day the engine gives, and says why each day counted or not."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaints.law.asking.engine import ask
from complaints.law.calendars import Calendar, CalendarDay
from complaints.law.rulebook import get_rulebook
from complaints.law.step_derivation import derive_step

MARICA, MARECHAL = "marica-2627-2015", "marechal-floriano-955-2009"
CONCEICAO, RIO = "conceicao-de-macabu-1588-2019", "rio-das-ostras-2358-2020"
CLOSED = (date(2027, 9, 7), date(2027, 10, 12), date(2027, 11, 2), date(2027, 12, 24))
OPTIONAL = (date(2027, 10, 28), date(2027, 12, 31))
CALENDAR = Calendar(
    [CalendarDay(day, "national", "Feriado") for day in CLOSED]
    + [CalendarDay(day, "optional", "Ponto") for day in OPTIONAL]
)
GIVEN_CALENDAR = {
    "non_working": [day.isoformat() for day in CLOSED],
    "optional": [day.isoformat() for day in OPTIONAL],
}
STEPS = (
    (MARICA, "appeal", "fine"), (MARICA, "appeal", "cassation"), (MARICA, "appeal_payment", None),
    (MARICA, "suspension", None), (MARICA, "provisional_permit", None), (MARECHAL, "appeal", None),
    (CONCEICAO, "justification", None), (CONCEICAO, "defence", None), (CONCEICAO, "auction", None),
    (RIO, "defence", None), (RIO, "appeal", None), (RIO, "suspension", None), (RIO, "substitute", None),
    (RIO, "authorisation", None),
)  # fmt: skip
READINGS = st.fixed_dictionaries(
    {},
    optional={
        "deadline.first_day": st.sampled_from(["excluded", "included"]),
        "deadline.rollover": st.sampled_from(["next_business_day", "none"]),
        "calendar.optional_days": st.sampled_from(["undecided", "working", "non_working"]),
        "month_end": st.sampled_from(["next_day", "last_day"]),
    },
)


@given(st.sampled_from(STEPS), st.dates(date(2027, 8, 1), date(2028, 1, 31)), READINGS)
def test_the_derivation_ends_where_the_engine_does(
    step: tuple[str, str, str | None], start: date, readings: dict[str, Any]
) -> None:
    law_id, step_id, sanction = step
    rulebook = get_rulebook(law_id)
    rule = rulebook.find_step(step_id, sanction)
    assert rule is not None
    told = {"served": {"mode": "personal", "on": start.isoformat()}} if rule.starts_on == "told" else {}
    given_facts = {"step": step_id, **told, **({} if told else {"from": start.isoformat()})}
    if sanction is not None:
        given_facts["sanction"] = sanction
    question = {
        "rulebook": law_id,
        "ask": "deadline",
        "on": "2029-01-01",
        "settings": readings,
        "calendar": GIVEN_CALENDAR,
        "given": given_facts,
    }
    found = derive_step(rulebook, rule, start, CALENDAR, readings)
    assert found.due is not None
    assert found.due.isoformat() == ask(question)["due"]
    assert all(row.reason for row in found.days)


def test_each_skipped_day_says_why() -> None:
    rulebook = get_rulebook(MARICA)
    rule = rulebook.find_step("appeal", "fine")
    assert rule is not None
    found = derive_step(rulebook, rule, date(2027, 9, 2), CALENDAR, {})
    assert [(row.day.day, row.counted, row.reason) for row in found.days] == [
        (2, False, "dia do começo, não conta"),
        (3, True, "1º dia, dia útil"),
        (4, False, "sábado"),
        (5, False, "domingo"),
        (6, True, "2º dia, dia útil"),
        (7, False, "feriado nacional (Feriado)"),
        (8, True, "3º dia, dia útil"),
        (9, True, "4º dia, dia útil"),
        (10, True, "5º dia, dia útil"),
    ]


def test_a_month_without_the_day_says_so() -> None:
    rulebook = get_rulebook(RIO)
    rule = rulebook.find_step("authorisation", None)
    assert rule is not None
    found = derive_step(rulebook, rule, date(2028, 2, 29), CALENDAR, {})
    assert (found.due, found.days[-1].reason) == (date(2029, 3, 1), "12 meses depois; o mês não tem dia 29")


def test_hours_and_steps_without_a_term_have_no_days() -> None:
    for law_id, step_id in ((RIO, "substitute_report"), (MARICA, "service")):
        rulebook = get_rulebook(law_id)
        rule = rulebook.find_step(step_id, None)
        assert rule is not None
        with pytest.raises(ValueError, match="no days to count"):
            derive_step(rulebook, rule, date(2027, 1, 4), CALENDAR, {})
