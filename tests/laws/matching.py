"""Whether an answer holds what a case expects: the matching rules of the contract of `selo law ask`."""

from typing import Any


def mismatch(expected: Any, found: Any, place: str = "") -> str | None:
    """Return the first place where `found` lacks what is expected; None when it all matches."""
    if isinstance(expected, dict):
        return _object_mismatch(expected, found, place)
    if isinstance(expected, list):
        return _array_mismatch(expected, found, place, only=False)
    if place == "citations[]" and isinstance(found, str):
        fits = found == expected or found.startswith(f"{expected},")
        return None if fits else f"{place}: {found!r}"
    if type(expected) is type(found) and expected == found:
        return None
    return f"{place}: expected {expected!r}, found {found!r}"


def _object_mismatch(expected: dict[str, Any], found: Any, place: str) -> str | None:
    if "$only" in expected:
        return _array_mismatch(expected["$only"], found, place, only=True)
    if "$lacks" in expected:
        for unwanted in expected["$lacks"]:
            for element in found or []:
                if mismatch(unwanted, element, f"{place}[]") is None:
                    return f"{place}: {element!r} should not be there"
        return None
    if not isinstance(found, dict):
        return f"{place}: expected an object, found {found!r}"
    for key, value in expected.items():
        if (fault := mismatch(value, found.get(key), f"{place}.{key}".lstrip("."))) is not None:
            return fault
    return None


def _array_mismatch(expected: list[Any], found: Any, place: str, *, only: bool) -> str | None:
    elements = found or []
    if not isinstance(elements, list):
        return f"{place}: expected an array, found {found!r}"
    if (only or not expected) and len(elements) != len(expected):
        return f"{place}: expected {expected!r}, found {elements!r}"
    return (
        None if _can_assign(expected, elements, place) else f"{place}: expected {expected!r}, found {elements!r}"
    )


def _can_assign(expected: list[Any], elements: list[Any], place: str) -> bool:
    """Match each expected element to a different one, by augmenting paths."""
    taken: dict[int, int] = {}

    def place_one(wanted: int, seen: set[int]) -> bool:
        for at, element in enumerate(elements):
            if at in seen or mismatch(expected[wanted], element, f"{place.rsplit('.', 1)[-1]}[]") is not None:
                continue
            seen.add(at)
            if at not in taken or place_one(taken[at], seen):
                taken[at] = wanted
                return True
        return False

    return all(place_one(wanted, set()) for wanted in range(len(expected)))
