"""A town nobody has seen, with a law unlike the others, answered without a line of code of its own."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from complaints.law.asking.engine import ask
from complaints.law.asking.malformed import MalformedQuestion
from complaints.law.rulebook import read_rulebook
from complaints.law.schema import Rulebook
from tests.laws.matching import mismatch

FILE = Path(__file__).parent / "invented" / "porto-novo-7-2031.toml"
RULEBOOK = read_rulebook(FILE)


def find(law_id: str, on: date) -> Rulebook:
    assert on
    assert law_id == RULEBOOK.law.id
    return RULEBOOK


def put(kind: str, given: dict[str, Any], on: str = "2031-06-10", **more: Any) -> dict[str, Any]:
    return ask({"rulebook": RULEBOOK.law.id, "ask": kind, "on": on, "given": given, **more}, find)


PUPIL = {"born": "2020-01-01", "network": "municipal", "seat": "standing"}
FACTS = [{"infraction": "pular-parada", "on": "2031-06-01"}]
BOTH = [{"infraction": key, "on": "2031-06-01"} for key in ("excesso-a-bordo", "lotacao-dupla")]
BEFORE = {"infraction": "pular-parada", "on": "2031-05-10", "outcome": "pending"}
POINTS = [
    {"id": str(day), "infraction": "excesso-a-bordo", "on": f"2031-0{day}-01", "final_on": "2031-06-01"}
    for day in (3, 5)
]
DEPARTURE = {"stop": "A", "direction": "ida", "service_day": "2031-06-10"}
CASES = (
    (
        "fare",
        {"service": "lancha", "fare_cents": 301, "rider": PUPIL},
        {"outcome": "half", "amount": "150.5", "cents": None},
    ),
    (
        "fare",
        {"service": "lancha", "rider": {**PUPIL, "born": "2019-06-10"}},
        {"outcome": "full", "unmet": ["age"]},
    ),
    ("fare", {"service": "lancha", "rider": {**PUPIL, "seat": "lap"}}, {"outcome": "full", "unmet": ["seat"]}),
    ("fare", {"service": "balsa", "rider": {"role": "postman"}}, {"outcome": "full", "unmet": ["service"]}),
    ("fare", {"service": "regular", "rider": {}}, {"status": "not_applicable"}),
    ("fare", {"service": "lancha", "rider": {"role": "student", "network": "federal"}}, {"rule": "sem-estudante"}),
    (
        "fine",
        {"facts": FACTS},
        {"total": "3.5", "unit": "CONCHA", "rows": [{"sanctions": ["warning", "fine"], "points": 1}]},
    ),
    (
        "fine",
        {"facts": FACTS, "notice_on": "2031-06-09", "history": [BEFORE]},
        {"total": "10.5", "rows": [{"recidivist": True}]},
    ),
    (
        "fine",
        {"facts": FACTS, "notice_on": "2031-06-10", "history": [BEFORE]},
        {"total": "3.5", "rows": [{"recidivist": False}]},
    ),
    ("fine", {"facts": BOTH}, {"total": "11", "rows": [{"measures": ["removal"]}, {"amount": "3.5"}]}),
    ("fine", {"facts": FACTS, "attenuating": True}, {"total_range": ["0", "3.5"], "human": True}),
    (
        "record",
        {"entries": POINTS},
        {"proposals": [{"sanction": "caducity", "points": 6, "days": {"min": 5, "max": 9}}]},
    ),
    (
        "sanction",
        {"grounds": [{"key": "seis-pontos"}]},
        {"appeal": {"to": "secretary", "count": 4, "unit": "business"}},
    ),
    (
        "sanction",
        {"sanction": "removal"},
        {"options": [{"release": ["inspection"]}], "resolved": [{"printed": "art. 70"}]},
    ),
    ("deadline", {"step": "atracacao", "from_time": "2031-06-10T12:00"}, {"due_time": "2031-06-12T00:00"}),
    ("deadline", {"step": "defence"}, {"status": "no_rule"}),
    ("vehicle", {"purpose": "trade", "kind": "van", "made": 2005}, {"decision": "warn", "age": 26, "human": True}),
    (
        "fleet",
        {"operating": 7, "over_age": 1},
        {"overage": {"share": "1/7", "allowed": True}, "reserve": {"min": 3, "max": 3}},
    ),
    ("inspection", {"last_on": "2029-12-10"}, {"due": "2031-06-10", "public_state": "valid", "requires": ["fee"]}),
    (
        "inspection",
        {"last_on": "2029-12-09", "on_board": True},
        {"public_state": "expired", "measures": ["removal"]},
    ),
    ("permit", {"action": "register_vehicle", "active_vehicles": 2}, {"decision": "accept", "modality": "soft"}),
    (
        "permit",
        {"action": "award_after_cassation", "effective_on": "2030-06-10", "award_on": "2031-06-10"},
        {"decision": "refuse"},
    ),
    (
        "complaint",
        {"fact": {"kind": "signal_ignored", "at": "06:29", "official_stop": False}},
        {"candidates": [{"ref": "pular-parada", "amount": "7/2"}]},
    ),
    ("complaint", {"topic": "overcrowding"}, {"candidates": [{"ref": "excesso-a-bordo", "unit": "CONCHA"}]}),
    ("breakdown", {"handled": False}, {"remedies": ["refund"]}),
    ("notice", {"document": "bilhete_azul", "fields": []}, {"decision": "incomplete", "missing_fields": ["maré"]}),
    (
        "separation",
        {"complementary": {**DEPARTURE, "time": "10:04:00"}, "conventional": {**DEPARTURE, "time": "10:00:00"}},
        {"ok": True, "required_seconds": 240},
    ),
)


@pytest.mark.parametrize(("kind", "given", "expected"), CASES)
def test_the_sixth_town_is_answered_from_its_file(
    kind: str, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert mismatch(expected, put(kind, given)) is None


def test_its_appeal_is_signed_by_whom_its_own_law_says() -> None:
    told = {"mode": "personal", "on": "2031-06-01"}
    held = put(
        "appeal",
        {"sanction": "fine", "served": told, "filed_on": "2031-06-02", "signed_by": "holder"},
        calendar={},
    )
    own = put(
        "appeal",
        {"sanction": "fine", "served": told, "filed_on": "2031-06-02", "signed_by": "auxiliary"},
        calendar={},
    )
    assert (held["outcome"], own["outcome"]) == ("pending_signature", "admissible")
    assert own["due"] == "2033-06-01"


def test_its_other_readings_are_listed_and_can_be_chosen() -> None:
    older = {"service": "lancha", "rider": {**PUPIL, "born": "2019-06-10"}}
    listed = put("fare", older)["alternatives"]
    assert (
        mismatch([{"setting": "jovem.limite", "value": "inteiro", "answer": {"outcome": "half"}}], listed) is None
    )
    assert put("fare", older, settings={"jovem.limite": "inteiro"})["outcome"] == "half"
    merged = put("fine", {"facts": BOTH}, settings={"overlap.lugares": "sum"})
    assert merged["total"] == "14.5"


def test_its_own_unit_has_a_value() -> None:
    settings: dict[str, Any] = {"fiscal_unit.value_on": "infraction", "rounding": "up"}
    answer = put("fine", {"facts": FACTS}, settings=settings, fixtures={"fiscal_units": {"CONCHA": {"2031": 101}}})
    assert answer["cents"] == 354


def test_nothing_is_answered_before_its_law_is_in_force() -> None:
    assert put("breakdown", {"handled": True}, on="2031-02-28")["status"] == "no_rule"
    assert put("breakdown", {"handled": True}, on="2031-03-01")["status"] == "answered"


@pytest.mark.parametrize(
    ("kind", "given", "field"),
    [
        ("fine", {"facts": [{"infraction": "som-alto", "on": "2031-06-01"}]}, "given.facts.0.infraction"),
        ("deadline", {"step": "desembarque"}, "given.step"),
        ("fare", {"service": "trem", "rider": {}}, "given.service"),
    ],
)
def test_words_of_other_towns_are_not_its_own(kind: str, given: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedQuestion) as caught:
        put(kind, given)
    assert caught.value.field == field
