"""Steps of procedure: terms, how people are told, what an appeal needs and what documents contain."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from complaints.law.provisions import Citation, Citations, Row, Sanction, Text
from complaints.law.readings import SettingKey
from complaints.law.sanctions import Role

StepId = Annotated[str, StringConstraints(pattern=r"^[a-z]+([_-][a-z]+)*$", max_length=40)]
Unit = Literal["business", "calendar", "hours", "months", "years"]
ServiceMode = Literal["personal", "refused", "post", "telegram", "edital", "gazette"]


class Requirement(Row):
    """What a step needs besides being in time.

    `sanctions` limits it to some sanctions, `setting` switches it. `within` names the step by whose last day
    it is due, `otherwise` what happens without it.
    """

    kind: Literal["deposit", "payment", "authority_opinion"]
    sanctions: tuple[Sanction, ...] = ()
    setting: SettingKey | None = None
    within: StepId | None = None
    otherwise: Literal["rejected", "deserto"] | None = None
    citations: tuple[Citation, ...] = ()


class HeldByDefence(Row):
    """A payment that waits for the decision on a defence filed in time.

    `setting` has the words held and runs. After a rejection the term runs anew from the day it was told.
    """

    setting: SettingKey | None = None
    defence_step: StepId
    citations: Citations


class Step(Row):
    """A term of procedure.

    `count` days, hours, months or years; `count_setting` decides it instead. With `starts_on` told it runs
    from the day the person was told, with fixed_day from a given day, which `first_day_counts` makes day one.
    `start_setting` has the words awareness and application. A term to act moves to a working day, by
    `rollover_setting` where the law has one of its own; a `validity` never moves. Steps of one id may differ
    by `sanctions`. `extension_count` more of the same unit may be added `extensions_max` times, None meaning
    any number. A step that is `not_published` has no term as long as `status_setting` says so.
    """

    id: StepId
    key: Text | None = None
    status: Literal["published", "not_published"] = "published"
    status_setting: SettingKey | None = None
    sanctions: tuple[Sanction, ...] = ()
    count: Annotated[int, Field(gt=0)] | None = None
    count_setting: SettingKey | None = None
    unit: Unit = "calendar"
    starts_on: Literal["told", "fixed_day", "application"] = "told"
    start_setting: SettingKey | None = None
    first_day_counts: bool = False
    validity: bool = False
    rollover_setting: SettingKey | None = None
    to: Role | None = None
    to_setting: SettingKey | None = None
    requires: tuple[Requirement, ...] = Field(default=(), alias="requirement")
    suspensive: Literal["yes", "no", "not_stated"] | None = None
    on_silence: Literal["auto_follows", "debt_register"] | None = None
    held: HeldByDefence | None = None
    extension_count: Annotated[int, Field(ge=0)] = 0
    extensions_max: Annotated[int, Field(ge=0)] | None = None
    needs_reasons: bool = False
    text: Text
    citations: Citations


class ServiceForm(Row):
    """How a person is told: after `wait_days` from the day given; a last resort needs failed attempts.

    `shift_setting` has the words none and next_business_day.
    """

    modes: Annotated[tuple[ServiceMode, ...], Field(min_length=1)]
    wait_days: Annotated[int, Field(ge=0)] = 0
    last_resort: bool = False
    shift_setting: SettingKey | None = None
    citations: Citations


class AppealForm(Row):
    """Who may sign an appeal, and where the law turns away appeals that are late or unpaid."""

    may_sign: Annotated[tuple[Literal["holder", "auxiliary", "lawyer"], ...], Field(min_length=1)]
    citations: Citations
    inadmissible_citations: tuple[Citation, ...] = ()


class DocumentField(Row):
    """A field of a document; one that is `when` registered_driver is needed only if such a person drove."""

    name: Text
    when: Literal["always", "registered_driver", "possible"] = "always"
    citations: Citations


class Document(Row):
    """A document of the inspectors: its fields, and the inspection results without which it may not exist."""

    id: Text
    label: Text
    punitive: bool
    points: int | None = None
    inspection_results: tuple[Literal["rejected", "approved_with_reservation"], ...] = ()
    fields: Annotated[tuple[DocumentField, ...], Field(min_length=1, alias="field")]
    citations: Citations
