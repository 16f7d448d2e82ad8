"""Rules on vehicles, fleets, inspections, permits and timetables, as a registry checks them."""

from typing import Annotated, Literal

from pydantic import Field

from complaints.law.fines import Exact
from complaints.law.provisions import Citation, Citations, Key, ProvisionKey, Row, Sanction, Text
from complaints.law.readings import SettingKey

VehicleKind = Literal["onibus", "microonibus", "van"]
Purpose = Literal["enter", "stay", "replace", "trade", "life", "equip", "transitional"]
Modality = Literal["hard", "soft", "power", "derived"]
Action = Literal[
    "register_holder", "register_vehicle", "assign_line", "transfer", "register_auxiliary",
    "award_after_cassation", "give_up", "interruption", "emergency_substitute",
]  # fmt: skip


class RegulationRule(Row):
    """A rule on registry, lines, vehicles or procedure, for whoever runs the service.

    `modality`: hard commands or forbids, soft advises, power lets the authority act, derived follows from
    other rules, deferred leaves a value to a norm.
    """

    key: Key
    modality: Literal["hard", "soft", "power", "derived", "deferred"]
    text: Text
    citations: Citations


class AgeRule(Row):
    """The oldest a vehicle may be, in years from its making, for some purposes and kinds.

    `max_age_setting` decides the number. `method_setting` has the words calendar_year and date (years completed
    since the day of making); without it the years are subtracted. `reason` limits the rule to one reason to
    replace. A vehicle over the limit is refused, or only shown to staff (`warn`). `facts_settings` say what the
    year of making means.
    """

    key: ProvisionKey
    purposes: Annotated[tuple[Purpose, ...], Field(min_length=1)]
    kinds: tuple[VehicleKind, ...] = ()
    reason: Literal["life_limit", "breakdown"] | None = None
    max_age: Annotated[int, Field(ge=0)] | None = None
    max_age_setting: SettingKey | None = None
    method_setting: SettingKey | None = None
    over: Literal["refuse", "warn"] = "refuse"
    infractions: tuple[ProvisionKey, ...] = ()
    facts_settings: tuple[SettingKey, ...] = ()
    citations: Citations
    over_citations: tuple[Citation, ...] = ()


class LifeRule(Row):
    """A life that ends on a day, and the days in which to replace the vehicle.

    `end_setting` has the words end_of_year, start_of_year and first_year_counts; `window_setting` has
    human_decision, allowed and forbidden.
    """

    key: ProvisionKey
    purposes: Annotated[tuple[Purpose, ...], Field(min_length=1)]
    years: Annotated[int, Field(gt=0)]
    end_setting: SettingKey
    window_days: Annotated[int, Field(ge=0)]
    window_setting: SettingKey
    infractions: tuple[ProvisionKey, ...] = ()
    citations: Citations
    window_citations: Citations
    over_citations: Citations


class Equipment(Row):
    """What a vehicle must have: seats counted with the driver, seats reserved, doors.

    `reserved_key` and `doors_key` name the rules that have keys of their own.
    """

    key: ProvisionKey
    reserved_key: ProvisionKey | None = None
    doors_key: ProvisionKey | None = None
    capacity_min: int | None = None
    capacity_max: int | None = None
    reserved_seats_min: int | None = None
    doors: int | None = None
    capacity_citations: tuple[Citation, ...] = ()
    reserved_citations: tuple[Citation, ...] = ()


class TransitionalRule(Row):
    """A time to replace older vehicles of tender winners, under a provisional authorisation.

    `mode_setting` has the words replace_over_7 and only_over_10, that is over the one or the other age;
    `start_setting` has permit_date or a date.
    """

    key: ProvisionKey
    over_years: int
    over_years_by_reading: dict[str, int]
    mode_setting: SettingKey
    start_setting: SettingKey
    months: int
    citations: Citations


class VehicleRules(Row):
    """All rules on one vehicle; that of `deregistered_key` demands that a replaced vehicle be out first."""

    age_rules: tuple[AgeRule, ...] = Field(default=(), alias="age_rule")
    life: LifeRule | None = None
    equipment: Equipment | None = None
    transitional: TransitionalRule | None = None
    deregistered_key: ProvisionKey | None = None
    deregistered_citations: tuple[Citation, ...] = ()


class FleetRules(Row):
    """Shares of a fleet: vehicles over age at most, vehicles in reserve at least and at most.

    Shares are exact numbers. `rounding_setting` has inside, ceil, floor and half_up. `facts_settings` say which
    vehicles are counted for the share over age.
    """

    overage_max: Exact | None = None
    overage_citations: tuple[Citation, ...] = ()
    facts_settings: tuple[SettingKey, ...] = ()
    reserve_base: Literal["operating", "needed"] | None = None
    reserve_min: Exact | None = None
    reserve_max: Exact | None = None
    rounding_setting: SettingKey | None = None
    reserve_citations: tuple[Citation, ...] = ()


class InspectionCase(Row):
    """What may be charged and done when a vehicle is met in service in one of these states.

    `children_first` lets the trip end before the measures unless there is danger to life. A measure needs its
    `allowed_setting`; `at_once_setting` has the words at_once and after_auto.
    """

    when: Literal["expired", "missing", "rejected", "danger"]
    infractions: tuple[ProvisionKey, ...] = ()
    measures: tuple[Sanction, ...] = ()
    at_once_setting: SettingKey | None = None
    children_first: bool = False
    citations: Citations


class PermitRule(Row):
    """One check of the registry on an action; the numbers it needs depend on the action.

    `limit` is a count that may not be exceeded after the action, `days` a notice or a total, `years` a ban.
    `facts_settings` say what the facts count, such as the days of which year.
    """

    key: ProvisionKey
    action: Action
    modality: Modality
    override: bool = False
    refuses_document: Literal["cpf", "cnpj"] | None = None
    document_setting: SettingKey | None = None
    counts: Literal["active_vehicles", "lines_of_vehicle", "lines_of_holder", "active_auxiliaries"] | None = None
    limit: int | None = None
    limit_setting: SettingKey | None = None
    elsewhere: bool = False
    forbidden: bool = False
    days: int | None = None
    years: int | None = None
    original_must_be_ok: bool = False
    facts_settings: tuple[SettingKey, ...] = ()
    citations: Citations
    refusal_citations: tuple[Citation, ...] = ()


class SeparationRule(Row):
    """The least time between a complementary departure and a conventional one at a shared stop.

    `points_setting` has the words each_shared_stop and origin_only.
    """

    key: Text
    minutes: Annotated[int, Field(gt=0)]
    points_setting: SettingKey | None = None
    citations: Citations
