"""What a law forbids or demands, and the complaint subjects that lead to it."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from complaints.law.citations import is_citation

Witness = Literal["yes", "maybe", "no"]
"""Can a passenger see it? `no` keeps a row for staff only."""

Urgency = Literal["drunk_driver", "accident", "violence", "harassment", "school_overload", "danger"]
AppliesTo = Literal["line", "vehicle", "school", "authority"]
Sanction = Literal[
    "warning", "fine", "retention", "apprehension", "collection", "withdrawal", "removal", "suspension",
    "cassation", "registry_cassation", "authorisation_cassation", "caducity", "course", "finish_trip",
]  # fmt: skip


def _check_citation(text: str) -> str:
    if not is_citation(text):
        raise ValueError("citation")
    return text


def _check_provision_key(text: str) -> str:
    if _KEY.fullmatch(text) is None and not is_citation(text):
        raise ValueError("citation")
    return text


_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
Key = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
ServiceId = Annotated[str, StringConstraints(pattern=r"^[a-z]+(_[a-z]+)*$", max_length=40)]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Citation = Annotated[str, AfterValidator(_check_citation)]
ProvisionKey = Annotated[str, StringConstraints(max_length=80), AfterValidator(_check_provision_key)]
"""A key that never changes, or the citation of a provision that has none."""
Citations = Annotated[tuple[Citation, ...], Field(min_length=1)]


class Row(BaseModel):
    """One table of a rulebook: unknown fields refused, nothing converted, never changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Measure(Row):
    """What goes with the fine of an infraction; `only_repeat` when only a repeat of the same brings it."""

    sanction: Sanction
    only_repeat: bool = False
    citations: Citations


class Provision(Row):
    """A rule that somebody may break, named by a key that never changes or else by its citation.

    A row that is not `enabled` waits for the authority: its text has no reading that could be applied, or
    `enabled_by` names the setting that gives it one.
    """

    key: ProvisionKey
    citations: Citations
    paraphrase: Text
    witness: Witness
    topic: Key
    enabled: bool = True
    enabled_by: Text | None = None


class Infraction(Provision):
    """An act the law punishes; `class_id` is None while the law's table of classes is not published.

    `verify_first` is what staff look up before any notice, `not_in_services` where the row cannot apply.
    """

    source_kind: Literal["listed", "derived_from_duty", "external_annex"] = "listed"
    class_id: Text | None = Field(default=None, alias="class")
    duplicate_of: Key | None = None
    measures: tuple[Measure, ...] = Field(default=(), alias="measure")
    verify_first: tuple[Literal["inspection_record"], ...] = ()
    not_in_services: tuple[ServiceId, ...] = ()


class Duty(Provision):
    """Something the law demands without a fine of its own."""

    actor: Literal["operator", "driver", "collector", "staff", "authority"] = "operator"


class GroundTest(Row):
    """What must be true of the facts for a ground to be met, where its text alone does not say so.

    `trips_cut_over` is a share of the trips due, an exact number. `without_reason` needs the stop to be
    unjustified.
    """

    stopped_minutes_over: int | None = None
    trips_cut_over: Text | None = None
    suspensions_from: int | None = None
    needs_new_cause: bool = False
    without_reason: Literal["needed", "unless_justified"] | None = None


class Ground(Provision):
    """A fact for which the law names a sanction other than the fine.

    `discretionary` says for this ground alone whether the authority may leave the sanction.
    """

    sanctions: Annotated[tuple[Sanction, ...], Field(min_length=1)]
    test: GroundTest | None = None
    discretionary: bool | None = None


class Subject(Row):
    """What a rider may complain of, in the rider's words.

    `candidates` are keys of infractions, duties or grounds, the likeliest first: a person chooses, after an
    inspection. `no_direct_rule` says that no provision punishes the fact in words. `stands_for` holds the keys
    of other rows a rider could not tell from this one. `only_when_free` keeps the subject back until the
    authority has made the whole service free of charge.
    """

    key: Key
    label: Text
    topic: Key
    citations: tuple[Citation, ...] = ()
    witness: Literal["yes", "maybe"] = "yes"
    candidates: Annotated[tuple[ProvisionKey, ...], Field(max_length=5)] = ()
    stands_for: tuple[Key, ...] = ()
    applies_to: Annotated[tuple[AppliesTo, ...], Field(min_length=1)]
    urgency: Urgency | None = None
    confidential: bool = False
    no_direct_rule: bool = False
    only_when_free: bool = False

    @property
    def urgent(self) -> bool:
        """Danger now: shown with emergency numbers, put on top of the queue."""
        return self.urgency is not None


class UnlistedSubject(Row):
    """A subject of the shared vocabulary that this town offers, with the provisions staff may choose from."""

    key: Key
    citations: tuple[Citation, ...] = ()
    candidates: Annotated[tuple[ProvisionKey, ...], Field(max_length=5)] = ()
