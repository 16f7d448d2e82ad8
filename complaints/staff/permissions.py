"""What each staff role may do, read from roles.toml; code asks for permissions and never for roles."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


class UnknownPermission(Exception):
    """Code asked for a permission that roles.toml does not have."""


class UnknownRole(Exception):
    """A role that roles.toml does not have; `role` is what was asked for."""

    def __init__(self, role: str) -> None:
        super().__init__(f"there is no role {role!r} (roles: {', '.join(roles())})")
        self.role = role


@dataclass(frozen=True)
class Role:
    """A named list of permissions; `label` is Portuguese, for people."""

    name: str
    label: str
    permissions: frozenset[str]


@cache
def permissions() -> Mapping[str, str]:
    """Every permission and, in Portuguese, what it lets a person do."""
    return dict(_table()["permissions"])


@cache
def roles() -> Mapping[str, Role]:
    """Every role by its stored name."""
    return {
        name: Role(name, role["label"], frozenset(role["permissions"])) for name, role in _table()["roles"].items()
    }


def may(held: Iterable[str], permission: str) -> bool:
    """Whether any of the roles `held` carries the permission.

    A stored role that no longer exists gives nothing. Raises UnknownPermission.
    """
    if permission not in permissions():
        raise UnknownPermission(permission)
    return permission in permissions_of(held)


def permissions_of(held: Iterable[str]) -> frozenset[str]:
    """All permissions of the roles `held` together."""
    known = roles()
    return frozenset().union(*(known[role].permissions for role in held if role in known))


def get_role(name: str) -> Role:
    """One role; raises UnknownRole."""
    try:
        return roles()[name]
    except KeyError:
        raise UnknownRole(name) from None


@cache
def _table() -> dict[str, Any]:
    with files(__package__).joinpath("roles.toml").open("rb") as file:
        return tomllib.load(file)
