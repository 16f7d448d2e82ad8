"""A question that cannot be read: the field at fault, by its path, and what is wrong with it."""

from typing import Any

from pydantic import ValidationError


class MalformedQuestion(ValueError):
    """`field` is a dotted path with array places as numbers, as in `given.facts.0.infraction`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message

    def as_json(self) -> dict[str, dict[str, str]]:
        """Return the line that stands in place of an answer."""
        return {"error": {"field": self.field, "message": self.message}}


def first_fault(error: ValidationError, above: tuple[str, ...] = ()) -> MalformedQuestion:
    """Turn the first error of a model into a fault; `above` is where the validated value stands."""
    entry = error.errors(include_url=False)[0]
    return MalformedQuestion(_path((*above, *entry["loc"])), _word(entry["type"], entry["msg"]))


def _path(location: tuple[Any, ...]) -> str:
    return ".".join(str(step) for step in location) or "question"


def _word(kind: str, message: str) -> str:
    if kind == "missing":
        return "this field is required"
    if kind == "extra_forbidden":
        return "unknown field"
    return message[:1].lower() + message[1:]
