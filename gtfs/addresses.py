"""Addresses of lines and stops: short, plain, unique in a version and the same in every later one."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from gtfs.folding import slugify


@dataclass(frozen=True, slots=True)
class Named:
    """A line or stop that needs an address, made from the best of `texts`; `name` (folded) recognises it."""

    gtfs_id: str
    texts: tuple[str, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Address:
    """An address given before; `name` is the folded name its line or stop had."""

    gtfs_id: str
    slug: str
    name: str


def assign_slugs(
    entries: Sequence[Named], known: Iterable[Address], current: AbstractSet[str], fallback: str
) -> dict[str, str]:
    """A slug for each gtfs_id of `entries`.

    An id keeps the slug it had. A new id takes over the slug of an id that is gone and had the same name; of
    several, those in the `current` version come first. Slugs of ids that are gone are given to nobody else.
    `fallback` starts the slug of what has no letter or digit to write one with (`linha` -> `linha-3`).
    """
    addresses = {address.gtfs_id: address for address in known}
    slugs = _keep(entries, addresses, current)
    present = {entry.gtfs_id for entry in entries}
    gone = [address for address in addresses.values() if address.gtfs_id not in present]
    _take_over(entries, sorted(gone, key=lambda address: address.gtfs_id not in current), slugs)
    used = {*slugs.values(), *(address.slug for address in addresses.values())}
    counters: dict[str, int] = {}
    for number, entry in enumerate(entries, 1):
        if entry.gtfs_id not in slugs:
            words = next(filter(None, map(slugify, (*entry.texts, entry.gtfs_id))), f"{fallback}-{number}")
            slugs[entry.gtfs_id] = _make_unique(words, used, counters)
    return slugs


def _keep(entries: Sequence[Named], addresses: Mapping[str, Address], current: AbstractSet[str]) -> dict[str, str]:
    """Old slugs of old ids; of an id and its successor both there, the one in the current version keeps it."""
    slugs: dict[str, str] = {}
    taken: set[str] = set()
    for entry in sorted(entries, key=lambda entry: entry.gtfs_id not in current):
        address = addresses.get(entry.gtfs_id)
        if address is not None and address.slug not in taken:
            slugs[entry.gtfs_id] = address.slug
            taken.add(address.slug)
    return slugs


def _take_over(entries: Sequence[Named], gone: Sequence[Address], slugs: dict[str, str]) -> None:
    free: dict[str, list[str]] = {}
    taken = set(slugs.values())
    for address in gone:
        if address.name and address.slug not in taken:
            free.setdefault(address.name, []).append(address.slug)
            taken.add(address.slug)
    for entry in entries:
        if entry.gtfs_id not in slugs and free.get(entry.name):
            slugs[entry.gtfs_id] = free[entry.name].pop(0)


def _make_unique(words: str, used: set[str], counters: dict[str, int]) -> str:
    slug = words
    while slug in used:
        counters[words] = counters.get(words, 1) + 1
        slug = f"{words}-{counters[words]}"
    used.add(slug)
    return slug
