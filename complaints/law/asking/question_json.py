"""Questions as JSON text, read strictly: RFC 8259, UTF-8, no name twice in one object."""

import json
from typing import Any, NoReturn

from complaints.law.asking.malformed import MalformedQuestion


def read_json(content: bytes) -> Any:
    """Read one JSON value; MalformedQuestion on `question` says where the text goes wrong."""
    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise MalformedQuestion("question", f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise MalformedQuestion("question", f"not JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise MalformedQuestion("question", "not JSON: nested too deeply") from None
    except ValueError as error:
        raise MalformedQuestion("question", f"not JSON: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name appears twice in one object")
    return found


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")
