"""The kinds of question: for each the facts it takes and the function that answers it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from complaints.law.asking.answer import Answer
from complaints.law.asking.appeal import AppealGiven, answer_appeal
from complaints.law.asking.breakdown import BreakdownGiven, answer_breakdown
from complaints.law.asking.complaint import ComplaintGiven, answer_complaint
from complaints.law.asking.deadline import DeadlineGiven, add_late_after, answer_deadline, check_deadline
from complaints.law.asking.fare import answer_fare, check_fare
from complaints.law.asking.fare_facts import FareGiven
from complaints.law.asking.fine import answer_fine
from complaints.law.asking.fine_facts import FineGiven
from complaints.law.asking.fleet import FleetGiven, answer_fleet, check_fleet
from complaints.law.asking.inspection import InspectionGiven, answer_inspection, check_inspection
from complaints.law.asking.matter import Matter
from complaints.law.asking.notice import NoticeGiven, answer_notice
from complaints.law.asking.permit import PermitGiven, answer_permit, check_permit
from complaints.law.asking.record import answer_record
from complaints.law.asking.record_facts import RecordGiven
from complaints.law.asking.sanction import SanctionGiven, answer_sanction, check_sanction
from complaints.law.asking.separation import SeparationGiven, answer_separation
from complaints.law.asking.vehicle import VehicleGiven, answer_vehicle, check_vehicle
from complaints.law.asking.words import GivenFacts


def _nothing_to_check(_: Matter[Any]) -> None:
    return None


@dataclass(frozen=True)
class Kind:
    """`check` raises MalformedQuestion for facts that cannot be together true.

    `late_after`, where a kind has it, adds the latest day under any reading to the finished answer.
    """

    given: type[GivenFacts]
    answer: Callable[[Matter[Any]], Answer]
    check: Callable[[Matter[Any]], None] = _nothing_to_check
    late_after: Callable[[Matter[Any], Answer, dict[str, Any]], None] | None = None


KINDS: dict[str, Kind] = {
    "appeal": Kind(AppealGiven, answer_appeal),
    "breakdown": Kind(BreakdownGiven, answer_breakdown),
    "complaint": Kind(ComplaintGiven, answer_complaint),
    "deadline": Kind(DeadlineGiven, answer_deadline, check_deadline, add_late_after),
    "fare": Kind(FareGiven, answer_fare, check_fare),
    "fine": Kind(FineGiven, answer_fine),
    "fleet": Kind(FleetGiven, answer_fleet, check_fleet),
    "inspection": Kind(InspectionGiven, answer_inspection, check_inspection),
    "notice": Kind(NoticeGiven, answer_notice),
    "permit": Kind(PermitGiven, answer_permit, check_permit),
    "record": Kind(RecordGiven, answer_record),
    "separation": Kind(SeparationGiven, answer_separation),
    "vehicle": Kind(VehicleGiven, answer_vehicle, check_vehicle),
    "sanction": Kind(SanctionGiven, answer_sanction, check_sanction),
}
