"""A town as a file: what an authority is at its start, as data; every fault of the file is named at once."""

import tomllib
from collections.abc import Iterator
from datetime import date
from importlib import resources
from typing import Annotated, Any
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from complaints.law.rulebook import list_municipal_rulebooks
from complaints.law.terms import FEDERAL_LAW

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
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
    name: Text
    source: Text


class FirstChoice(_Row):
    """An act that was in force when the authority began with Selo."""

    kind: Text
    key: Text
    value: Any
    instrument: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    document: Annotated[str, StringConstraints(max_length=300)] | None = None
    effective_from: date


class Town(_Row):
    """The fields of a town's file."""

    slug: Slug
    name: Text
    short_name: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    town: Text
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


def parse_town(content: bytes) -> Town:
    """Read a town's TOML; raises BadTownFile."""
    try:
        return Town.model_validate(tomllib.loads(content.decode("utf-8")))
    except UnicodeDecodeError as error:
        raise BadTownFile((f"byte {error.start}: the file is not UTF-8",)) from None
    except tomllib.TOMLDecodeError as error:
        raise BadTownFile((f"not TOML: {error}",)) from None
    except ValidationError as error:
        raise BadTownFile(tuple(_describe(error))) from None


def list_demo_towns() -> tuple[Town, ...]:
    """The five towns that ship with the product, Maricá first."""
    folder = resources.files("complaints.authorities") / "towns"
    towns = [parse_town(file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".toml")]
    return tuple(sorted(towns, key=lambda town: (town.slug != "marica", town.slug)))


def _describe(error: ValidationError) -> Iterator[str]:
    for fault in error.errors():
        place = ".".join(str(part) for part in fault["loc"]) or "file"
        yield f"{place}: {fault['msg'].removeprefix('Value error, ')}"
