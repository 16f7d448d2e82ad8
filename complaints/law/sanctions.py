"""Sanctions and measures: who decides, by which process, for how long, and what records lead to them."""

from typing import Annotated, Literal

from pydantic import Field

from complaints.law.provisions import Citation, Citations, ProvisionKey, Row, Sanction, Text
from complaints.law.readings import SettingKey

Role = Literal[
    "agent", "transport_head", "ept_president", "secretariat", "secretary", "sectran", "inspectors", "corin",
    "competent_body", "planning_head", "mayor",
]  # fmt: skip
Process = Literal["summary", "operational", "formal", "inquiry", "administrative_process"]
Release = Literal["fix", "fees", "fines", "inspection", "president"]


class DecidedBy(Row):
    """A setting that names the role which decides; a reading not listed names the role itself."""

    setting: SettingKey
    readings: dict[str, Role] = Field(default_factory=dict)


class SanctionAppeal(Row):
    """To whom, and within how many days of which kind, a sanction may be appealed."""

    to: Role | None = None
    to_setting: SettingKey | None = None
    count: Annotated[int, Field(gt=0)]
    unit: Literal["business", "calendar"]
    citations: Citations


class SanctionRule(Row):
    """One sanction or measure of a law.

    `decided_by` is None where the law names nobody (`silent`) or only a setting does. Days are calendar days,
    `days_min` None where the law fixes only the most. `release` is what must be done to end a measure;
    `release_setting`, when false, drops `release_if_required`. `actor` limits the rule to one kind of person,
    `allowed_setting`, when false, forbids it.
    """

    id: Sanction
    label: Text
    decided_by: Role | None = None
    decided_by_reading: DecidedBy | None = None
    silent: bool = False
    decided_by_citations: tuple[Citation, ...] = ()
    process: Process | None = None
    process_citations: tuple[Citation, ...] = ()
    days_min: Annotated[int, Field(gt=0)] | None = None
    days_max: Annotated[int, Field(gt=0)] | None = None
    discretionary: bool = False
    with_fine: bool = False
    release: tuple[Release, ...] = ()
    release_setting: SettingKey | None = None
    release_if_required: tuple[Release, ...] = ()
    release_citations: tuple[Citation, ...] = ()
    actor: Literal["holder", "auxiliary"] | None = None
    allowed_setting: SettingKey | None = None
    appeal: SanctionAppeal | None = None
    citations: Citations


class Trigger(Row):
    """What in a record leads to a sanction: the ground `rule` holds once `counts` reaches `threshold`.

    `counts`: `points` or `entries` within `days`; `repeat` for two entries of which the first was final before
    the second; `recidivism` as the law defines repeats; `suspensions` within `months`; `overdue_fines`.
    Settings: `final_setting` has the words final and applied, `boundary_setting` exclude_start and
    inclusive_both, `reuse_setting` says whether spent points count again, `anchor_setting` has fact_to_fact
    and decision_to_fact, `classes_setting` names the classes or, by `classes_by_reading`, a list of them.
    """

    rule: ProvisionKey
    sanction: Sanction
    counts: Literal["points", "entries", "repeat", "recidivism", "suspensions", "overdue_fines"]
    threshold: Annotated[int, Field(gt=0)] = 1
    days: int | None = None
    days_setting: SettingKey | None = None
    months: int | None = None
    months_setting: SettingKey | None = None
    classes: tuple[Text, ...] = ()
    classes_setting: SettingKey | None = None
    classes_by_reading: dict[str, tuple[Text, ...]] = Field(default_factory=dict)
    infractions: tuple[ProvisionKey, ...] = ()
    annex_items: tuple[int, ...] = ()
    final_setting: SettingKey | None = None
    boundary_setting: SettingKey | None = None
    reuse_setting: SettingKey | None = None
    anchor_setting: SettingKey | None = None
    needs_new_cause: bool = False
    needs_notice_term_over: bool = False
    extends_to: tuple[Literal["auxiliary"], ...] = ()
    discretionary: bool | None = None
    citations: Citations

    @property
    def has_window(self) -> bool:
        """Whether the trigger is shown as a window of points or of entries by class."""
        return self.boundary_setting is not None
