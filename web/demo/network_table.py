"""A TOML table that knows its place in the file and refuses missing, mistyped and unknown keys."""

from collections.abc import Iterator
from typing import TypeVar

T = TypeVar("T")


class BadNetwork(ValueError):
    """A network file says something that cannot be built.

    `place` names where (`marica.toml: lines V04: towards`), `fault` says what is wrong there.
    """

    def __init__(self, place: str, fault: str) -> None:
        super().__init__(f"{place}: {fault}")
        self.place = place
        self.fault = fault


class Table:
    """One table; `key` is its own name. Ask for every key it may have, then `close()`."""

    def __init__(self, place: str, values: object, key: str = "") -> None:
        if not isinstance(values, dict):
            raise BadNetwork(place, "must be a table")
        self.place = place
        self.key = key
        self._values: dict[str, object] = values
        self._asked: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        """The keys in the order of the file."""
        return iter(self._values)

    def wrong(self, key: str, fault: str) -> BadNetwork:
        """The error to raise about one key of this table, or about one word in it."""
        return BadNetwork(f"{self.place}: {key}", fault)

    def one(self, key: str, kind: type[T], default: T | None = None) -> T:
        """The value of exactly the type `kind`; raises BadNetwork when missing without default."""
        self._asked.add(key)
        if key not in self._values and default is not None:
            return default
        if key not in self._values:
            raise self.wrong(key, "is missing")
        value = self._values[key]
        if type(value) is not kind:
            raise self.wrong(key, f"must be a {kind.__name__}, not {value!r}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """Text without blanks around it; empty only by default."""
        text = self.one(key, str, default)
        return text if text == default else self._check_text(key, text)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, none of them empty or with blanks around it."""
        return tuple(self._check_text(key, text) for text in self.many(key, str))

    def many(self, key: str, kind: type[T]) -> tuple[T, ...]:
        """A list whose items are all of the type `kind`."""
        items = self.one(key, list)
        if any(type(item) is not kind for item in items):
            raise self.wrong(key, f"must be a list of {kind.__name__}")
        return tuple(items)

    def table(self, key: str) -> "Table":
        """The table called `key`."""
        return Table(f"{self.place}: {key}", self.one(key, dict), key)

    def tables(self, key: str) -> tuple["Table", ...]:
        """The tables inside the table `key`, each with its own key."""
        outer = self.table(key)
        return tuple(outer.table(inner) for inner in outer)

    def rows(self, key: str, label: str) -> tuple["Table", ...]:
        """The tables of the array `key`; each place is named by its `label`, or by its position from 1."""
        return tuple(
            Table(f"{self.place}: {key} {row.get(label, position)}", row)
            for position, row in enumerate(self.many(key, dict), 1)
        )

    def _check_text(self, key: str, text: str) -> str:
        if not text or text != text.strip():
            raise self.wrong(key, f"{text!r} must be a text without blanks around it")
        return text

    def close(self) -> None:
        """Raise BadNetwork when the table has a key nobody asked for."""
        unknown = sorted(set(self._values) - self._asked)
        if unknown:
            raise self.wrong(", ".join(unknown), "is not known here")
