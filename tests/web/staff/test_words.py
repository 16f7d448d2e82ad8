"""The words of the desk: complete tables, days and waits as people say them."""

from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace

import pytest

from complaints.cases.wordings import STORED_CONFIDENTIALITY
from complaints.cases.workflow import get_workflow
from web.staff import words
from web.staff.case_forms import read_day
from web.staff.words import content_lines, days_left, duration, short_day

TODAY = date(2026, 11, 30)


def test_every_status_and_every_event_has_words_for_staff() -> None:
    assert set(words.STATUSES) == set(get_workflow().statuses)
    assert set(words.EVENTS) == set(get_workflow().events)
    assert set(words.CONFIDENTIALITIES) == set(STORED_CONFIDENTIALITY.values())


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (-30, ("atrasado há 30 dias", "bad")),
        (-1, ("atrasado há 1 dia", "bad")),
        (0, ("vence hoje", "warn")),
        (1, ("falta 1 dia", "warn")),
        (5, ("faltam 5 dias", "warn")),
        (6, ("faltam 6 dias", "")),
    ],
)
def test_days_left_are_told_in_words(days: int, told: tuple[str, str]) -> None:
    assert days_left(TODAY + timedelta(days=days), TODAY) == told


def test_a_case_without_a_term_says_so() -> None:
    assert days_left(None, TODAY) == ("sem prazo", "")


def test_a_late_evening_belongs_to_the_day_of_the_town() -> None:
    assert (
        short_day(datetime(2026, 12, 1, 2, 30, tzinfo=UTC), SimpleNamespace(time_zone="America/Sao_Paulo"))
        == "30/11/2026"
    )


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.2, "1 segundo"),
        (1, "1 segundo"),
        (40.1, "41 segundos"),
        (59, "59 segundos"),
        (59.5, "1 minuto"),
        (60, "1 minuto"),
        (61, "2 minutos"),
        (3600, "1 hora"),
        (3601, "1 hora e 1 minuto"),
        (7500, "2 horas e 5 minutos"),
    ],
)
def test_a_wait_is_rounded_up_and_told_in_words(seconds: float, told: str) -> None:
    assert duration(seconds) == told


def test_the_parts_of_an_event_are_told_and_machine_parts_are_not() -> None:
    content = {
        "inspection": "ABC",
        "result": "rejected",
        "measures": ["apprehension"],
        "notes": "Pneus lisos",
        "seal": "7K2M9PXQV",
        "public_result": "x",
    }
    assert list(content_lines(content, "inspection_done")) == [
        ("Resultado", "Reprovado"),
        ("Medidas na hora", "Veículo apreendido"),
        ("O que foi encontrado", "Pneus lisos"),
        ("Selo emitido", "7K2 M9P XQV"),
    ]


def test_subjects_are_told_with_their_article() -> None:
    content = {
        "subjects": [{"label": "Lotação", "citation": "art. 42, I"}, {"label": "Outro", "citation": ""}],
        "note": "",
    }
    assert list(content_lines(content, "classified")) == [("Assuntos", "Lotação (art. 42, I); Outro")]


def test_what_was_filed_and_what_was_erased_is_not_repeated_in_the_timeline() -> None:
    assert list(content_lines({"text": "a van passou direto"}, "filed")) == []
    assert list(content_lines(None, "answered")) == []


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("2026-12-01", date(2026, 12, 1)),
        ("01/12/2026", date(2026, 12, 1)),
        ("1/2/2027", date(2027, 2, 1)),
        ("", None),
        ("amanhã", None),
        ("31/02/2027", None),
        ("1/2/27", None),
        ("a/b/c", None),
    ],
)
def test_a_day_is_read_as_date_fields_send_it_and_as_people_type_it(typed: str, day: date | None) -> None:
    assert read_day(typed) == day
