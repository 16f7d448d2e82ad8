"""What a law says about who pays, what users may expect, and what is shown in the vehicle."""

from typing import Annotated, Literal

from pydantic import Field

from complaints.law.provisions import Citations, Key, Row, ServiceId, Text

Remedy = Literal["replace", "carry_on", "refund", "no_charge"]


class Dispute(Row):
    """An open reading: what holds however the law is read, and what the authority has yet to decide.

    `services` are those of the rule in which the title holds under some readings only.
    """

    setting: Text
    certain: Text
    question: Text
    services: tuple[ServiceId, ...] = ()


class FareRule(Row):
    """A title to travel free or at half fare.

    `services` lists where the title holds. `evidence` is what the law names as proof; empty when it names
    none. `reserved_seats` counts seats per vehicle. `subject` is the complaint when the title is refused.
    """

    key: Key
    label: Text
    percent_off: Literal[50, 100]
    conditions: tuple[Text, ...] = ()
    evidence: tuple[Text, ...] = ()
    services: Annotated[tuple[ServiceId, ...], Field(min_length=1)]
    reserved_seats: int | None = None
    citations: Citations
    subject: Key | None = None
    disputes: tuple[Dispute, ...] = Field(default=(), alias="dispute")

    @property
    def certain_services(self) -> tuple[str, ...]:
        """The services in which the title holds however the law is read."""
        disputed = {service_id for dispute in self.disputes for service_id in dispute.services}
        return tuple(service_id for service_id in self.services if service_id not in disputed)


class FareExclusion(Row):
    """Who or which service a law leaves out of free travel; without a key the citation names it."""

    key: Key | None = None
    label: Text
    text: Text
    services: tuple[ServiceId, ...] = ()
    citations: Citations
    disputes: tuple[Dispute, ...] = Field(default=(), alias="dispute")


class UserRule(Row):
    """One sentence for riders with its articles; `subject` is the complaint when it is not kept."""

    key: Key | None = None
    text: Text
    citations: Citations
    subject: Key | None = None


class BreakdownRule(Row):
    """What the operator owes when a trip stops; with several remedies one of them is enough."""

    remedies: Annotated[tuple[Remedy, ...], Field(min_length=1)]
    extra_fare: Literal[False] = False
    text: Text
    citations: Citations
    subject: Key | None = None


class Inspection(Row):
    """How often a vehicle is inspected; `period_months` is None where the law leaves it to a norm."""

    period_months: int | None = None
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
