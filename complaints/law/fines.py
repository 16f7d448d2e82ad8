"""What a fine costs, and what makes it heavier, lighter or another sanction."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from complaints.law.exact_numbers import read_exact
from complaints.law.provisions import Citation, Citations, ProvisionKey, Row, Sanction, Text
from complaints.law.readings import SettingKey


def _check_exact(text: str) -> str:
    read_exact(text)
    return text


Exact = Annotated[str, AfterValidator(_check_exact)]
"""An exact number that is not negative: `"400"`, `"52.5"` or `"1/3"`."""


class FineClass(Row):
    """A class of infractions: `amount` in fiscal units, `points` where the law gives any."""

    id: Text
    label: Text
    amount: Exact
    unit: Text
    points: int | None = None
    citations: tuple[Citation, ...] = ()
    point_citations: tuple[Citation, ...] = ()


class FirstOffence(Row):
    """What a class costs somebody who is no repeater: the `effect`, or the setting that decides it.

    The setting has the words `warning`, `fine` and `both`. `primary_setting` says who is no repeater:
    `not_recidivist` or `no_earlier_infraction`.
    """

    class_id: Text = Field(alias="class")
    effect: Literal["warning", "fine", "both"] = "warning"
    effect_setting: SettingKey | None = None
    primary_setting: SettingKey | None = None
    citations: Citations


class Fines(Row):
    """Where a law speaks of fines as such.

    `sum_citations` is the rule for several infractions at once, `unit_citations` the one on the unit's value.
    `classes_from_annex` says that the classes are in an annex that the authority has to supply.
    """

    citations: tuple[Citation, ...] = ()
    sum_citations: tuple[Citation, ...] = ()
    unit_citations: tuple[Citation, ...] = ()
    classes_from_annex: bool = False
    first_offences: tuple[FirstOffence, ...] = Field(default=(), alias="first_offence")


class RepeatEffect(Row):
    """What a repeat does to the fine.

    `may_multiply` leaves it to a person whether to multiply by `factor`; `max_setting`, when false, keeps the
    product within the dearest class. `step` multiplies the last fine by the number of `step_setting`, up to
    the setting of the cap.
    """

    kind: Literal["none", "may_multiply", "multiply", "step"]
    factor: Exact | None = None
    max_setting: SettingKey | None = None
    step_setting: SettingKey | None = None
    cap_value_setting: SettingKey | None = None
    cap_unit_setting: SettingKey | None = None
    citations: tuple[Citation, ...] = ()


class RepeatedWarning(Row):
    """The row charged when an infraction that earned a warning is repeated."""

    charge: ProvisionKey
    citations: Citations


class Recidivism(Row):
    """When an earlier infraction makes a repeater.

    `match` is what must be the same: the row (`leaf`), its numbered item (`item`) or nothing (`any`); a
    `match_setting` decides in its place with those words or `same_provision`. The earlier fact lies 1 to
    `window_days` before the notice, or the new fact lies within `window_months` of it. `final` says by when
    the earlier decision must be beyond appeal. A conviction lapses `lapse_months` after it was served.
    """

    match: Literal["any", "leaf", "item"]
    match_setting: SettingKey | None = None
    window_days: int | None = None
    window_months: int | None = None
    anchor_setting: SettingKey | None = None
    final: Literal["not_needed", "by_notice", "before_fact"]
    final_setting: SettingKey | None = None
    warnings_setting: SettingKey | None = None
    lapse_months: int | None = None
    lapse_citations: tuple[Citation, ...] = ()
    citations: Citations
    effect: RepeatEffect
    repeated_warning: RepeatedWarning | None = None


class Attenuation(Row):
    """What mitigating circumstances allow: another sanction in place of the fine, save in some classes."""

    sanction: Sanction
    excluded_classes: tuple[Text, ...] = ()
    citations: Citations


class Adjustment(Row):
    """By which fractions a person may make a fine heavier or lighter.

    `order_setting` has the words `on_recidivist` and `sum_on_base`.
    """

    least: Exact
    most: Exact
    order_setting: SettingKey | None = None
    citations: Citations


class Overlap(Row):
    """Rows that describe the same conduct.

    The setting has the words `choose_one`, `sum`, `separate`, `merged`, `heavier_only` and `both`; without
    one a person chooses one row.
    """

    id: Text
    rows: Annotated[tuple[ProvisionKey, ...], Field(min_length=2)]
    setting: SettingKey | None = None
