"""The facts of a fare: the trip and its rider."""

from typing import Literal

from complaints.law.asking.dates import Day
from complaints.law.asking.words import Count, Flag, GivenFacts, ServiceWord
from complaints.law.entitlements import RiderRole, Seat

Line = Literal["urban", "circular", "district", "hamlet", "radial", "perimeter", "diametral", "rural"]
VehicleKind = Literal["onibus", "microonibus", "van"]


class Rider(GivenFacts):
    """The rider; an absent `role` or `born` means that no title by role or age is claimed."""

    born: Day | None = None
    seat: Seat | None = None
    accompanied: Flag | None = None
    document: Flag | None = None
    role: RiderRole | None = None
    network: Literal["municipal", "state", "federal", "private"] | None = None
    disability: Literal["physical", "locomotor", "visual", "other"] | None = None
    on_duty: Flag | None = None
    uniformed: Flag | None = None
    identified: Flag | None = None
    accredited: Flag | None = None
    in_activity: Flag | None = None


class FareGiven(GivenFacts):
    """A trip and its rider."""

    service: ServiceWord
    line: Line | None = None
    fare_kind: Literal["comum", "especial"] | None = None
    trip: Literal["comum", "semi_expressa", "expressa"] | None = None
    vehicle: VehicleKind | None = None
    fare_cents: Count | None = None
    reserved_taken: Count | None = None
    animal: Literal["pet", "guide_dog"] | None = None
    rider: Rider
