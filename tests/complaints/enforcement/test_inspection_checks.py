"""What an order and a result must say."""

from dataclasses import replace
from datetime import date

import pytest

from complaints.enforcement.inspection_checks import (
    LOOKED_AT,
    PUBLIC_RESULTS,
    RESULTS,
    Finding,
    Order,
    find_finding_problems,
    find_order_problems,
    public_result,
)
from complaints.enforcement.powers import get_powers

POWERS = get_powers("marica-2627-2015")
TODAY = date(2026, 11, 30)
ORDER = Order("Verificar a porta e os cintos", "art. 27, § 1º", date(2026, 12, 10))
CONTRACT_RESULTS = ["approved", "approved_with_reservation", "rejected", "blocked_by_debt", "no_show"]


def test_the_results_are_those_of_the_contract_with_words_for_staff_and_riders() -> None:
    assert list(RESULTS) == list(PUBLIC_RESULTS) == CONTRACT_RESULTS
    assert set(CONTRACT_RESULTS) > LOOKED_AT


def test_the_rider_never_reads_of_debts() -> None:
    assert "débito" not in " ".join(PUBLIC_RESULTS.values())


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({}, set()),
        ({"due_on": TODAY}, set()),
        ({"reason": "  "}, {"verificar"}),
        ({"due_on": None}, {"prazo"}),
        ({"due_on": date(2026, 11, 29)}, {"prazo"}),
        ({"legal_basis": ""}, {"fundamento"}),
        ({"legal_basis": "art. 42, I"}, {"fundamento"}),
        ({"reason": "", "due_on": None, "legal_basis": ""}, {"verificar", "prazo", "fundamento"}),
    ],
)
def test_an_order_says_what_until_when_and_by_which_article(changed: dict[str, object], wrong: set[str]) -> None:
    assert set(find_order_problems(replace(ORDER, **changed), POWERS, TODAY)) == wrong  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("finding", "has_vehicle", "wrong"),
    [
        (Finding("approved"), True, set()),
        (Finding("approved", new_seal=True), True, set()),
        (Finding("approved_with_reservation", notes="lanterna"), True, set()),
        (Finding("rejected", ("apprehension",), "pneus lisos", revoke_seal=True), True, set()),
        (Finding("rejected", ("retention",), "pneus lisos"), False, set()),
        (Finding("no_show", notes="não veio"), True, set()),
        (Finding("blocked_by_debt", notes="taxa"), True, set()),
        (Finding(""), True, {"resultado"}),
        (Finding("fined", notes="x"), True, {"resultado"}),
        (Finding("rejected"), True, {"observacao"}),
        (Finding("approved_with_reservation", notes=" "), True, {"observacao"}),
        (Finding("no_show"), True, {"observacao"}),
        (Finding("rejected", ("fine",), "x"), True, {"medida"}),
        (Finding("rejected", ("withdrawal",), "x"), True, {"medida"}),
        (Finding("no_show", ("apprehension",), "x"), True, {"medida"}),
        (Finding("rejected", notes="x", new_seal=True), True, {"novo_selo"}),
        (Finding("approved_with_reservation", notes="x", new_seal=True), True, {"novo_selo"}),
        (Finding("approved", new_seal=True), False, {"novo_selo"}),
        (Finding("approved", revoke_seal=True), True, {"cancelar_selo"}),
        (Finding("no_show", notes="x", revoke_seal=True), True, {"cancelar_selo"}),
        (Finding("rejected", notes="x", revoke_seal=True), False, {"cancelar_selo"}),
    ],
)
def test_a_result_is_whole_and_takes_only_measures_of_the_law(
    finding: Finding, has_vehicle: bool, wrong: set[str]
) -> None:
    assert set(find_finding_problems(finding, POWERS, has_vehicle)) == wrong


def test_the_rider_reads_the_result_and_what_was_done_on_the_spot() -> None:
    assert public_result("rejected", ("apprehension",)) == (
        "O veículo foi vistoriado e reprovado. Veículo apreendido."
    )
    assert public_result("approved", ()) == "O veículo foi vistoriado e aprovado."
