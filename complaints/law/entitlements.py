"""What a law says about who pays, what users may expect, and what is shown in the vehicle."""

from typing import Annotated, Literal

from pydantic import Field

from complaints.law.fleet_rules import InspectionCase
from complaints.law.provisions import Citation, Citations, Key, ProvisionKey, Row, ServiceId, Text
from complaints.law.readings import SettingKey

AgeReading = Literal[
    "completed_years", "through_birthday", "before_birthday", "from_birthday", "day_after", "next_birthday"
]
RiderRole = Literal[
    "student", "postman", "military_police", "civil_police", "military_firefighter", "scout",
    "traffic_inspector", "traffic_agent", "operator_employee", "disabled",
]  # fmt: skip
Seat = Literal["lap", "same_seat", "own_seat", "standing"]
Need = Literal["accompanied", "document", "on_duty", "uniformed", "identified", "accredited", "in_activity"]
Remedy = Literal["replace", "carry_on", "refund", "no_charge"]


class Dispute(Row):
    """An open reading: what holds however the law is read, and what the authority has yet to decide.

    `services` are those of the rule in which the title holds under some readings only.
    """

    setting: Text
    certain: Text
    question: Text
    services: tuple[ServiceId, ...] = ()


class AgeTitle(Row):
    """An age up to which (`until`) or from which (`over`) a title holds, in years.

    The boundary is read as `setting` says: completed_years, through_birthday or before_birthday for `until`,
    from_birthday, day_after or next_birthday for `over`; `readings` turns a law's own words into these.
    """

    until: Annotated[int, Field(ge=0)] | None = None
    over: Annotated[int, Field(ge=0)] | None = None
    setting: SettingKey | None = None
    readings: dict[str, AgeReading] = Field(default_factory=dict)


class ScopeByReading(Row):
    """Where or for whom a title holds, as a setting decides: words by reading, truth values as true and false."""

    setting: SettingKey
    readings: dict[str, tuple[Text, ...]]


class FareRule(Row):
    """A title to travel free or at half fare.

    `services` lists where the title holds, `services_reading` changes it. `roles`, `networks`, `disabilities`
    and `vehicles` say to whom and where, empty for anybody; a title without age or role is given by another
    law (`conditions_from`). `seats` and `needs` are what else must be true on the trip. `document_setting`
    names the proof the authority may demand. `evidence` is what the law names as proof; empty when it names
    none. `reserved_seats` counts seats per vehicle, `cap_setting` how many may ride on them. `subject` is the
    complaint when the title is refused.
    """

    key: Key
    label: Text
    percent_off: Literal[50, 100]
    conditions: tuple[Text, ...] = ()
    evidence: tuple[Text, ...] = ()
    services: Annotated[tuple[ServiceId, ...], Field(min_length=1)]
    reserved_seats: int | None = None
    age: AgeTitle | None = None
    roles: tuple[RiderRole, ...] = ()
    seats: tuple[Seat, ...] = ()
    needs: tuple[Need, ...] = ()
    networks: tuple[Text, ...] = ()
    networks_setting: SettingKey | None = None
    disabilities: tuple[Text, ...] = ()
    disabilities_reading: ScopeByReading | None = None
    services_reading: ScopeByReading | None = None
    vehicles_reading: ScopeByReading | None = None
    document_setting: SettingKey | None = None
    cap_setting: SettingKey | None = None
    conditions_from: Literal["lei_organica", "specific_law"] | None = None
    citations: Citations
    subject: Key | None = None
    disputes: tuple[Dispute, ...] = Field(default=(), alias="dispute")

    @property
    def certain_services(self) -> tuple[str, ...]:
        """The services in which the title holds however the law is read."""
        disputed = {service_id for dispute in self.disputes for service_id in dispute.services}
        return tuple(service_id for service_id in self.services if service_id not in disputed)


class FareExclusion(Row):
    """Who or which service a law leaves out of free travel; without a key the citation names it.

    Without `roles` the services are barred to every title. With `roles`, and `networks`, those people get no
    title by that role, and with a `person_setting` that reads person, by no other either.
    """

    key: Key | None = None
    label: Text
    text: Text
    services: tuple[ServiceId, ...] = ()
    services_setting: SettingKey | None = None
    roles: tuple[RiderRole, ...] = ()
    networks: tuple[Text, ...] = ()
    person_setting: SettingKey | None = None
    citations: Citations
    disputes: tuple[Dispute, ...] = Field(default=(), alias="dispute")


class AnimalRule(Row):
    """Whether animals travel: always refused, or when unsafe; `exceptions_setting` lists those that may."""

    carriage: Literal["refused", "if_unsafe"]
    exceptions_setting: SettingKey | None = None
    citations: Citations


class UserRule(Row):
    """One sentence for riders with its articles; `subject` is the complaint when it is not kept."""

    key: Key | None = None
    text: Text
    citations: Citations
    subject: Key | None = None


class BreakdownRule(Row):
    """What the operator owes when a trip stops; with several remedies one of them is enough.

    `infractions` are rows for a person to look at when nothing was done.
    """

    remedies: Annotated[tuple[Remedy, ...], Field(min_length=1)]
    extra_fare: Literal[False] = False
    text: Text
    citations: Citations
    subject: Key | None = None
    infractions: tuple[ProvisionKey, ...] = ()
    infraction_citations: tuple[Citation, ...] = ()


class Inspection(Row):
    """How often a vehicle is inspected; `period_months` is None where the law leaves it to a norm.

    `period_setting` has words such as 12_months and calendar_year, calendar_semester or renewal_date.
    `without_period` is what the public is told where no period is set. `debt_setting`, when false, and a
    false `debt_blocks` let a debtor's vehicle be inspected. `reserve_setting` says whether a vehicle approved
    with reservation gets its proof. `key` is the rule's stable name, where it has one.
    """

    key: str | None = None
    period_months: int | None = None
    period_setting: SettingKey | None = None
    without_period: Literal["until_next_inspection", "unknown"] = "unknown"
    requires: tuple[Literal["fee"], ...] = ()
    debt_blocks: bool = False
    debt_setting: SettingKey | None = None
    debt_citations: tuple[Citation, ...] = ()
    reserve_setting: SettingKey | None = None
    reserve_citations: tuple[Citation, ...] = ()
    expired_citations: tuple[Citation, ...] = ()
    cases: tuple[InspectionCase, ...] = Field(default=(), alias="case")
    text: Text
    citations: Citations


class Credential(Row):
    """The proof of inspection a vehicle carries; None means that the law does not say."""

    kind: Literal["seal", "certificate", "traffic_permit"]
    name: Text
    inside: bool | None = None
    visible_to_user: bool | None = None
    text: Text
    citations: Citations
    subject: Key | None = None
