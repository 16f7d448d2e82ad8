"""The facts of a record: the infractions of one permit holder."""

from typing import Literal

from pydantic import Field, StrictStr

from complaints.law.asking.dates import Day
from complaints.law.asking.words import Count, Flag, GivenFacts, ProvisionWord


class EntryFacts(GivenFacts):
    """One infraction of the record; `spent` says that its points were used in a suspension."""

    id: StrictStr
    infraction: ProvisionWord
    on: Day
    applied_on: Day | None = None
    final_on: Day | None = None
    served_on: Day | None = None
    annulled: Flag = False
    by: Literal["holder", "auxiliary"] = "holder"
    spent: Flag = False


class RecordGiven(GivenFacts):
    """The record of one permit holder."""

    entries: list[EntryFacts]
    suspensions: list[Day] = Field(default_factory=list)
    new_cause: Flag | None = None
    overdue_fines: Count = 0
    notice_term_over: Flag | None = None
