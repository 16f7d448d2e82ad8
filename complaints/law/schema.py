"""The shape of a whole rulebook: one law, its services, rules and complaint subjects."""

from datetime import date
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from complaints.law.entitlements import (
    AnimalRule,
    BreakdownRule,
    Credential,
    FareExclusion,
    FareRule,
    Inspection,
    UserRule,
)
from complaints.law.fines import Adjustment, Attenuation, FineClass, Fines, Overlap, Recidivism
from complaints.law.fleet_rules import (
    FleetRules,
    PermitRule,
    RegulationRule,
    SeparationRule,
    VehicleRules,
)
from complaints.law.grievances import ComplaintLaw, StopFact, UnlistedDuties
from complaints.law.misreferences import Misreference
from complaints.law.procedure import AppealForm, Document, ServiceForm, Step
from complaints.law.provisions import (
    Citation,
    Citations,
    Duty,
    Ground,
    Infraction,
    Key,
    Provision,
    Row,
    ServiceId,
    Subject,
    Text,
    UnlistedSubject,
)
from complaints.law.readings import Setting, get_common_settings
from complaints.law.sanctions import SanctionRule, Trigger
from complaints.law.structure import Article, ArticleNumber
from complaints.law.vocabulary import get_vocabulary


class Law(Row):
    """Which law this is; `name` is how a page prints it, `read_on` the day its text was last compared.

    `in_force_from` is set for a later version of an amended law, or when the law itself sets the day.
    """

    id: Key
    scope: Literal["municipal", "federal"]
    name: Text
    number: Text
    signed_on: date
    published_on: date | None = None
    in_force_from: date | None = None
    amended_by: tuple[Text, ...] = ()
    municipality: Text | None = None
    uf: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")] | None = None
    summary: Text
    read_on: date

    @property
    def applies_from(self) -> date:
        """The first day this text may be applied to: in force, published or, at the earliest, signed."""
        return self.in_force_from or self.published_on or self.signed_on


class Service(Row):
    """A kind of service the law knows; its id never changes."""

    id: ServiceId
    label: Text
    has_lines: bool
    has_fare: bool
    citations: Citations


class Rulebook(Row):
    """Everything one law says that the product uses.

    A loaded rulebook has its `unlisted` subjects among `subjects`, which stand in the order to offer them.
    """

    law: Law
    services: tuple[Service, ...] = Field(default=(), alias="service")
    infractions: tuple[Infraction, ...] = Field(default=(), alias="infraction")
    duties: tuple[Duty, ...] = Field(default=(), alias="duty")
    grounds: tuple[Ground, ...] = Field(default=(), alias="ground")
    subjects: tuple[Subject, ...] = Field(default=(), alias="subject")
    unlisted: tuple[UnlistedSubject, ...] = Field(default=(), alias="unlisted_subject")
    most_common: tuple[Key, ...] = ()
    fare_rules: tuple[FareRule, ...] = Field(default=(), alias="fare_rule")
    fare_exclusions: tuple[FareExclusion, ...] = Field(default=(), alias="fare_exclusion")
    fare_citations: tuple[Citation, ...] = ()
    animals: AnimalRule | None = None
    fare_notes: tuple[UserRule, ...] = Field(default=(), alias="fare_note")
    user_rights: tuple[UserRule, ...] = Field(default=(), alias="user_right")
    user_duties: tuple[UserRule, ...] = Field(default=(), alias="user_duty")
    refusals: tuple[UserRule, ...] = Field(default=(), alias="refusal")
    displays: tuple[UserRule, ...] = Field(default=(), alias="display")
    complaint_rules: tuple[UserRule, ...] = Field(default=(), alias="complaint_rule")
    complaints: ComplaintLaw | None = None
    stop_facts: tuple[StopFact, ...] = Field(default=(), alias="stop_fact")
    unlisted_duties: UnlistedDuties | None = None
    breakdown: BreakdownRule | None = None
    inspection: Inspection | None = None
    rules: tuple[RegulationRule, ...] = Field(default=(), alias="rule")
    vehicles: VehicleRules | None = None
    fleet: FleetRules | None = None
    permits: tuple[PermitRule, ...] = Field(default=(), alias="permit_rule")
    separation: SeparationRule | None = None
    credentials: tuple[Credential, ...] = Field(default=(), alias="credential")
    steps: tuple[Step, ...] = Field(default=(), alias="step")
    service_forms: tuple[ServiceForm, ...] = Field(default=(), alias="service_form")
    appeal_form: AppealForm | None = None
    documents: tuple[Document, ...] = Field(default=(), alias="document")
    structure: dict[ArticleNumber, Article] = Field(default_factory=dict)
    misreferences: tuple[Misreference, ...] = Field(default=(), alias="misreference")
    own_settings: tuple[Setting, ...] = Field(default=(), alias="setting")
    fine_classes: tuple[FineClass, ...] = Field(default=(), alias="fine_class")
    fines: Fines | None = None
    recidivism: Recidivism | None = None
    attenuation: Attenuation | None = None
    adjustment: Adjustment | None = None
    overlaps: tuple[Overlap, ...] = Field(default=(), alias="overlap")
    sanctions: tuple[SanctionRule, ...] = Field(default=(), alias="sanction")
    triggers: tuple[Trigger, ...] = Field(default=(), alias="trigger")
    silences: tuple[Text, ...] = ()

    @property
    def has_lines(self) -> bool:
        """Whether any service of this law runs on lines."""
        return any(service.has_lines for service in self.services)

    @property
    def has_fare(self) -> bool:
        """Whether any service of this law charges a fare."""
        return any(service.has_fare for service in self.services)

    @property
    def provisions(self) -> tuple[Provision, ...]:
        """Infractions, duties and grounds, in the order of the file."""
        return (*self.infractions, *self.duties, *self.grounds)

    @cached_property
    def _provisions(self) -> dict[str, Provision]:
        return {row.key: row for row in self.provisions}

    @cached_property
    def _subjects(self) -> dict[str, Subject]:
        replaced = {key: subject for subject in self.subjects for key in subject.stands_for}
        return {**replaced, **{subject.key: subject for subject in self.subjects}}

    def list_subjects(self, *, everyone_free: bool = False) -> tuple[Subject, ...]:
        """List the subjects to offer, the commonest first.

        `everyone_free` says that an act of the authority charges nobody today: a charge is then the first
        subject.
        """
        return tuple(subject for subject in self.subjects if everyone_free or not subject.only_when_free)

    def find_subject(self, key: str) -> Subject | None:
        """Find a subject by its key, or by the key of a row it stands for."""
        return self._subjects.get(key)

    def find_rule_subject(self, key: str) -> Subject | None:
        """Find the subject of a title or of a rule for riders, by the key of that rule."""
        subject = self._rule_subjects.get(key)
        return None if subject is None else self.find_subject(subject)

    @cached_property
    def _rule_subjects(self) -> dict[str, str | None]:
        rules = (*self.fare_notes, *self.user_rights, *self.user_duties, *self.refusals)
        rules = (*rules, *self.displays, *self.complaint_rules)
        found = {rule.key: rule.subject for rule in rules if rule.key is not None}
        found |= {rule.key: None for rule in self.fare_exclusions if rule.key is not None}
        found |= {rule.key: found.get(rule.key) for rule in self.rules}
        return found | {rule.key: rule.subject for rule in self.fare_rules}

    @cached_property
    def _rule_citations(self) -> dict[str, tuple[str, ...]]:
        rules = (*self.fare_notes, *self.user_rights, *self.user_duties, *self.refusals, *self.displays)
        rules = (*rules, *self.complaint_rules)
        found = {rule.key: rule.citations for rule in rules if rule.key is not None}
        found |= {rule.key: rule.citations for rule in self.fare_exclusions if rule.key is not None}
        found |= {rule.key: rule.citations for rule in self.rules}
        return found | {rule.key: rule.citations for rule in self.fare_rules}

    def rule_citations(self, key: str) -> tuple[str, ...]:
        """Return the articles of a title or of a rule, by its key; empty for any other key."""
        return self._rule_citations.get(key, ())

    def knows_subject(self, key: str) -> bool:
        """Tell whether somebody may complain of this key: of a subject, a row or a rule for riders."""
        return key in self._subjects or key in self._provisions or key in self._rule_subjects

    def find_rule(self, key: str) -> RegulationRule | None:
        """Find a rule on registry, lines, vehicles or procedure by its key."""
        return next((rule for rule in self.rules if rule.key == key), None)

    def find_provision(self, key: str) -> Provision | None:
        """Find an infraction, duty or ground by its key."""
        return self._provisions.get(key)

    def get_provision(self, key: str) -> Provision:
        """Return an infraction, duty or ground; KeyError when the law has none of this key."""
        return self._provisions[key]

    def charged_key(self, key: str) -> str:
        """Return the key that is charged: for a row printed twice, that of the first."""
        row = self._provisions[key]
        return row.duplicate_of or key if isinstance(row, Infraction) else key

    def get_fine_class(self, class_id: str) -> FineClass:
        """Return a class of infractions; KeyError when the law has none of this name."""
        return self._fine_classes[class_id]

    @cached_property
    def _fine_classes(self) -> dict[str, FineClass]:
        return {row.id: row for row in self.fine_classes}

    def list_candidates(self, subject: Subject) -> tuple[Provision, ...]:
        """List the provisions staff may choose from, the likeliest first, without the rows switched off."""
        rows = (self._provisions[key] for key in subject.candidates)
        return tuple(row for row in rows if row.enabled)

    @property
    def has_annex(self) -> bool:
        """Whether the classes of infractions are in an annex that the authority supplies."""
        return self.fines is not None and self.fines.classes_from_annex

    @property
    def has_points(self) -> bool:
        """Whether infractions cost points."""
        return any(row.points is not None for row in self.fine_classes)

    @property
    def fine_unit(self) -> str | None:
        """The unit fines are counted in; None where the law has no classes."""
        return self.fine_classes[0].unit if self.fine_classes else None

    @property
    def fiscal_units(self) -> tuple[str, ...]:
        """The units a question may give a value of."""
        own = (row.unit for row in self.fine_classes if row.unit is not None)
        return (*get_vocabulary().closed.fiscal_units, *own)

    @cached_property
    def _settings(self) -> dict[str, Setting]:
        common = {setting.key: setting for setting in get_common_settings()}
        return {**common, **{setting.key: setting for setting in self.own_settings}}

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Every setting, the common ones first; the law's own stand in for common ones of the same key."""
        return tuple(self._settings.values())

    def find_setting(self, key: str) -> Setting | None:
        """Find a setting by its key."""
        return self._settings.get(key)

    def get_setting(self, key: str) -> Setting:
        """Return a setting; KeyError when the law leaves no such thing open."""
        return self._settings[key]

    def get_step(self, step_id: str) -> Step:
        """Return a term of procedure; KeyError when the law has none of that name."""
        for step in self.steps:
            if step.id == step_id:
                return step
        raise KeyError(step_id)

    def find_step(self, step_id: str, sanction: str | None) -> Step | None:
        """Find a step by its id and the sanction it is about; None when the law has none."""
        for step in self.steps:
            if step.id == step_id and (not step.sanctions or sanction in step.sanctions):
                return step
        return None

    def service_labels(self, service_ids: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of services in the order of the law."""
        return tuple(service.label for service in self.services if service.id in service_ids)
