"""Words of questions that come from data: those every town shares and those of the rulebook asked."""

from typing import TYPE_CHECKING, Annotated, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, StrictBool, StrictInt, StrictStr, ValidationInfo

from complaints.law.vocabulary import get_vocabulary

if TYPE_CHECKING:
    from complaints.law.schema import Rulebook


class GivenFacts(BaseModel):
    """Facts of a question: unknown fields refused, nothing converted; a null is a fact not given."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def rulebook_of(info: ValidationInfo) -> "Rulebook":
    """Return the rulebook that the question is put to."""
    return cast("Rulebook", info.context)


def _known_provision(key: str, info: ValidationInfo) -> str:
    if rulebook_of(info).find_provision(key) is None:
        raise ValueError(f"{rulebook_of(info).law.id} has no infraction, duty or ground {key!r}")
    return key


def _known_service(word: str, info: ValidationInfo) -> str:
    own = (service.id for service in rulebook_of(info).services)
    return _one_of(word, (*get_vocabulary().closed.services, *own), "service")


def _one_of(word: str, known: tuple[str, ...], what: str) -> str:
    if word not in known:
        raise ValueError(f"unknown {what} {word!r}")
    return word


def _counted(number: int) -> int:
    if not 0 <= number <= MOST:
        raise ValueError(f"not a count between 0 and {MOST}")
    return number


MOST = 1_000_000_000

ProvisionWord = Annotated[StrictStr, AfterValidator(_known_provision)]
"""The key of an infraction, duty or ground of the rulebook."""

ServiceWord = Annotated[StrictStr, AfterValidator(_known_service)]
"""A service of any town; one that this law does not have is not applicable, not malformed."""

Count = Annotated[StrictInt, AfterValidator(_counted)]
Flag = StrictBool
