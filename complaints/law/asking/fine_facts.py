"""The facts of a fine: what was found, and what went before."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictStr

from complaints.law.asking.dates import Day
from complaints.law.asking.words import Flag, GivenFacts, ProvisionWord
from complaints.law.exact_numbers import read_exact


def _exact(text: str) -> str:
    read_exact(text)
    return text


ExactWord = Annotated[StrictStr, AfterValidator(_exact)]


class Fact(GivenFacts):
    """One infraction found."""

    infraction: ProvisionWord
    on: Day
    by: Literal["holder", "auxiliary"] = "holder"


class Past(GivenFacts):
    """One earlier infraction and what became of it."""

    infraction: ProvisionWord
    on: Day
    outcome: Literal["fine", "warning", "annulled", "pending"]
    notice_on: Day | None = None
    decided_on: Day | None = None
    final_on: Day | None = None
    served_on: Day | None = None
    amount: ExactWord | None = None
    by: Literal["holder", "auxiliary"] = "holder"


class AdjustFacts(GivenFacts):
    """What a person made of the fine, by which fraction."""

    kind: Literal["attenuate", "aggravate"]
    by: ExactWord


class FineGiven(GivenFacts):
    """The facts of a fine."""

    facts: list[Fact]
    notice_on: Day | None = None
    decision_on: Day | None = None
    paid_on: Day | None = None
    attenuating: Flag = False
    adjust: AdjustFacts | None = None
    history: list[Past] = Field(default_factory=list)
