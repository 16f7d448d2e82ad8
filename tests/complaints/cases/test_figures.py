"""Public figures: right numbers, and none from which a person could be worked out."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaints.authorities.tables import Authority
from complaints.cases.figures import HIDDEN_TOGETHER, SMALL, Row, count_cases, withhold
from complaints.cases.handling import Act, answer, classify, load_for_change
from complaints.ids import new_id
from tests.complaints.cases.conftest import FileCase
from web.services import Services

TODAY = date(2026, 12, 10)


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.integers(0, 40), max_size=8))
def test_what_is_withheld_cannot_be_worked_out_from_the_total(counts: dict[str, int]) -> None:
    hidden = withhold(counts)
    assert {name for name, count in counts.items() if 0 < count < SMALL} <= hidden
    if hidden:
        shown = [count for name, count in counts.items() if name not in hidden and count]
        assert (len(hidden) > 1 and sum(counts[name] for name in hidden) >= HIDDEN_TOGETHER) or not shown


def test_nothing_is_withheld_without_a_small_number() -> None:
    assert withhold({"a": 3, "b": 0, "c": 50}) == frozenset()
    assert withhold({"a": 2, "b": 4, "c": 50}) == {"a", "b"}
    assert withhold({"a": 1, "b": 1, "c": 3, "d": 9}) == {"a", "b", "c"}


@pytest.fixture
def filled(services: Services, marica: Authority, file: FileCase, now: datetime) -> None:
    """Ten cases of line 12 in November, six of them answered after 2 to 12 days; two of line 13; one today."""
    act = Act(services.keyring, marica, new_id(), now)
    for number in range(10):
        case = file(key=f"web:{number}", at=now - timedelta(days=1), line_id="12", line_name="12 Centro").case
        if number < 6:
            later = Act(act.keyring, marica, act.staff_id, case.filed_at + timedelta(days=2 + 2 * number))
            with services.database.write() as session:
                loaded = load_for_change(session, marica.id, case.protocol)
                classify(session, later, loaded, ("inf-excesso-de-lotacao",))
                answer(session, later, loaded, text="Feito.", measure="Nada.", outcome="informed")
    for number in range(2):
        file(key=f"web:few{number}", at=now, line_id="13", line_name="13 Praia")
    file(key="web:typed", at=now, line_name="a van do Zé da Rua 5")
    file(
        key="web:today",
        at=datetime.fromisoformat("2026-12-10T12:00:00+00:00"),
        line_id="12",
        line_name="12 Centro",
    )
    file(key="web:old", at=now - timedelta(days=800), line_id="12", line_name="12 Centro")


@pytest.mark.usefixtures("filled")
def test_cases_are_counted_by_month_subject_and_line(services: Services, marica: Authority) -> None:
    with services.database.read() as session:
        figures = count_cases(session, marica, TODAY)
    assert (figures.first, figures.last) == (date(2025, 12, 1), date(2026, 12, 9))
    assert figures.total == Row("Todas", 13, 6, 6, 7.0)
    by_key = {table.key: table.rows for table in figures.tables}
    assert by_key["mes"] == (Row("2026-11", 13, 6, 6, 7.0),)
    assert {row.name: row.received for row in by_key["assunto"]} == {
        "A classificar": 7,
        next(row.name for row in by_key["assunto"] if row.name != "A classificar"): 6,
    }
    lines = {row.name: row.received for row in by_key["linha"]}
    assert lines == {"12 Centro": None, "13 Praia": None, "Outra ou não informada": None}
    assert "Zé" not in str(figures), "what was typed names nobody here"


def test_a_town_without_cases_has_figures(services: Services, marica: Authority) -> None:
    with services.database.read() as session:
        assert count_cases(session, marica, TODAY).total == Row("Todas", 0, 0, 0, None)


def test_a_town_sees_only_its_own(services: Services, towns: dict[str, Authority], file: FileCase) -> None:
    for number in range(4):
        file(key=f"web:{number}")
    with services.database.read() as session:
        assert count_cases(session, towns["rio-das-ostras"], TODAY).total.received == 0
        assert [table.key for table in count_cases(session, towns["rio-das-ostras"], TODAY).tables] == [
            "mes",
            "assunto",
        ]
