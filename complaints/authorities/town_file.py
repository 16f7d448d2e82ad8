"""A town as a file: what an authority is at its start, as data; every fault of the file is named at once."""

import tomllib
from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from importlib import resources
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from complaints.authorities.choice_checks import find_fault
from complaints.law.rulebook import get_rulebook, list_municipal_rulebooks
from complaints.law.terms import FEDERAL_LAW

Text = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]*$")
]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]


class BadTownFile(ValueError):
    """The file cannot be used; `faults` has one sentence for each thing wrong, with its place."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MunicipalDay(_Row):
    """A holiday of the town; `day` is MM-DD and comes every year."""

    day: Annotated[str, StringConstraints(pattern=r"^(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")]
    name: Annotated[Text, StringConstraints(max_length=120)]
    source: Text

    @field_validator("day")
    @classmethod
    def _day_comes_every_year(cls, day: str) -> str:
        month, number = (int(part) for part in day.split("-"))
        if number > monthrange(2027, month)[1]:
            raise ValueError(f"{day} does not come every year")
        return day


class FirstChoice(_Row):
    """An act that was in force when the authority began with Selo."""

    kind: Literal["setting", "fare", "infraction_table", "fiscal_unit", "office_hours"]
    key: Annotated[Text, StringConstraints(max_length=120)]
    value: Any
    instrument: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
    document: Annotated[str, StringConstraints(max_length=300)] | None = None
    effective_from: date


class Town(_Row):
    """The fields of a town's file."""

    slug: Slug
    name: Text
    short_name: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    town: Annotated[Text, StringConstraints(max_length=120)]
    uf: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")]
    law: Text
    clock_law: str | None = FEDERAL_LAW
    time_zone: Text
    phone: Annotated[str, StringConstraints(min_length=3, max_length=40)]
    sms_number: Annotated[str, StringConstraints(pattern=r"^\+?[0-9]{3,15}$")] | None = None
    email: Annotated[str, StringConstraints(pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$", max_length=200)] | None = None
    has_lines: bool
    municipal_days: tuple[MunicipalDay, ...] = Field(default=(), alias="municipal_day")
    choices: tuple[FirstChoice, ...] = Field(default=(), alias="choice")

    @field_validator("slug")
    @classmethod
    def _slug_is_free(cls, slug: str) -> str:
        if slug in RESERVED:
            raise ValueError(f"{slug} is an address of the product")
        return slug

    @field_validator("uf")
    @classmethod
    def _state_is_known(cls, uf: str) -> str:
        if uf not in STATES:
            raise ValueError(f"{uf} is no state; write its two letters, such as RJ")
        return uf

    @model_validator(mode="after")
    def _rows_agree(self) -> "Town":
        days = [row.day for row in self.municipal_days]
        acts = [(row.kind, row.key, row.effective_from) for row in self.choices]
        for rows, what in ((days, "municipal_day"), (acts, "choice")):
            if len(set(rows)) != len(rows):
                raise ValueError(f"{what}: the same row appears twice")
        rulebook = get_rulebook(self.law)
        for place, choice in enumerate(self.choices):
            fault = find_fault(rulebook, choice.kind, choice.key, choice.value)
            if fault is not None:
                raise ValueError(f"choice.{place} ({choice.key}): {fault}")
        return self

    @field_validator("law")
    @classmethod
    def _law_is_known(cls, law: str) -> str:
        known = list_municipal_rulebooks()
        if law not in known:
            raise ValueError(f"there is no municipal rulebook {law!r}; known: {', '.join(known)}")
        return law

    @field_validator("clock_law")
    @classmethod
    def _clock_is_known(cls, law: str | None) -> str | None:
        if law not in (None, "", FEDERAL_LAW):
            raise ValueError(f"the only clock is {FEDERAL_LAW}; leave it empty for none")
        return law or None

    @field_validator("time_zone")
    @classmethod
    def _zone_is_known(cls, zone: str) -> str:
        if zone not in available_timezones():
            raise ValueError(f"{zone!r} is no time zone; examples: America/Sao_Paulo, America/Belem")
        return ZoneInfo(zone).key


RESERVED = frozenset(("api", "equipe", "entrar", "metricas", "s", "static", "saude", "webhooks"))
STATES = frozenset(
    [
        "AC",
        "AL",
        "AM",
        "AP",
        "BA",
        "CE",
        "DF",
        "ES",
        "GO",
        "MA",
        "MG",
        "MS",
        "MT",
        "PA",
        "PB",
        "PE",
        "PI",
        "PR",
        "RJ",
        "RN",
        "RO",
        "RR",
        "RS",
        "SC",
        "SE",
        "SP",
        "TO",
    ]
)


def parse_town(content: bytes) -> Town:
    """Read a town's TOML; raises BadTownFile."""
    try:
        return Town.model_validate(tomllib.loads(content.decode("utf-8")))
    except RecursionError:
        raise BadTownFile(("not TOML: nested too deeply",)) from None
    except UnicodeDecodeError as error:
        raise BadTownFile((f"byte {error.start}: the file is not UTF-8",)) from None
    except ValidationError as error:
        raise BadTownFile(tuple(_describe(error))) from None
    except ValueError as error:  # tomllib's own errors and numbers too long to read
        raise BadTownFile((f"not TOML: {error}",)) from None


def list_demo_towns() -> tuple[Town, ...]:
    """The five towns that ship with the product, Maricá first."""
    folder = resources.files("complaints.authorities") / "towns"
    towns = [parse_town(file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".toml")]
    return tuple(sorted(towns, key=lambda town: (town.slug != "marica", town.slug)))


def _describe(error: ValidationError) -> Iterator[str]:
    for fault in error.errors():
        place = ".".join(str(part) for part in fault["loc"]) or "file"
        yield f"{place}: {fault['msg'].removeprefix('Value error, ')}"
