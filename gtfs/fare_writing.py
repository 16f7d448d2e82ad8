"""Fares as GTFS files: Fares v2 with a price for each category of rider, and v1 with the full price.

Knows no law: categories come with the part of the price they pay and the page that says who they are.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

from gtfs.folding import slugify

CURRENCY = "BRL"
EVERYBODY = "todos"
CASH = "dinheiro"
V1_FILES = ("fare_attributes.txt", "fare_rules.txt")
V2_FILES = (
    "rider_categories.txt",
    "fare_media.txt",
    "fare_products.txt",
    "fare_leg_rules.txt",
    "fare_leg_join_rules.txt",
    "fare_transfer_rules.txt",
    "timeframes.txt",
)
NETWORK_FILES = ("networks.txt", "route_networks.txt")
FARE_FILES = (*V1_FILES, *V2_FILES, *NETWORK_FILES)
"""What a feed may say of fares; all of it gives way to what is written here."""

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PricedCategory:
    """A category of riders on some lines: `cents` is what they pay, `url` where it is said who they are."""

    id: str
    name: str
    cents: int
    url: str


@dataclass(frozen=True, slots=True)
class LinePrice:
    """What a line costs: the full price in cents and the categories that pay less; `agency_id` of routes.txt."""

    route_id: str
    cents: int
    categories: tuple[PricedCategory, ...]
    agency_id: str = ""


@dataclass(frozen=True, slots=True)
class FareNames:
    """Words of the files: the category that pays in full, the way of paying, the product, and a page for all."""

    full: str
    cash: str
    product: str
    network: str


class RouteNetworks(Exception):
    """The feed already puts lines of different prices into one network (routes.txt, network_id)."""

    def __init__(self, network: str) -> None:
        super().__init__(network)
        self.network = network


def write_fares(
    lines: Sequence[LinePrice], names: FareNames, networks: Mapping[str, str]
) -> dict[str, bytes | None]:
    """The fare files by name; None for one that must not be there. Without lines: nothing at all.

    Lines of equal prices form a network. `networks` (by route_id) are those of routes.txt, which are kept where
    the feed has that column, since both ways exclude each other. Raises RouteNetworks.
    """
    if not lines:
        return {}
    groups = _group(lines)
    placed = _use_networks(groups, networks) if networks else _name_networks(groups)
    categories = {category.id: category for line in lines for category in line.categories}
    tables: dict[str, tuple[str, Iterable[Row]]] = {
        "rider_categories.txt": (
            "rider_category_id,rider_category_name,is_default_fare_category,eligibility_url",
            [(EVERYBODY, names.full, "1", ""), *((one.id, one.name, "0", one.url) for one in categories.values())],
        ),
        "fare_media.txt": ("fare_media_id,fare_media_name,fare_media_type", [(CASH, names.cash, "0")]),
        "fare_products.txt": (
            "fare_product_id,fare_product_name,rider_category_id,fare_media_id,amount,currency",
            [row for group in groups for row in _products(group[0], names)],
        ),
        "fare_leg_rules.txt": (
            "leg_group_id,network_id,fare_product_id",
            [(network, network, product_id(group[0])) for network, group in placed],
        ),
        "fare_attributes.txt": (
            "fare_id,price,currency_type,payment_method,transfers,agency_id",
            [
                (_fare_id(line), _amount(line.cents), CURRENCY, "0", "0", line.agency_id)
                for line in {_fare_id(line): line for line in lines}.values()
            ],
        ),
        "fare_rules.txt": (
            "fare_id,route_id",
            [(_fare_id(line), line.route_id) for line in lines],
        ),
    }
    if not networks:
        tables["networks.txt"] = (
            "network_id,network_name",
            [(network, f"{names.network}: R$ {_reais(group[0].cents)}") for network, group in placed],
        )
        tables["route_networks.txt"] = (
            "network_id,route_id",
            [(network, line.route_id) for network, group in placed for line in group],
        )
    written = {name: _write(header, rows) for name, (header, rows) in tables.items()}
    return {name: written.get(name) for name in FARE_FILES}


def product_id(line: LinePrice) -> str:
    """The id of the product of all lines of one price: `passagem-500`, and more where categories differ."""
    other = [f"{category.id}-{category.cents}" for category in line.categories]
    digits = f"-{_digest(other)}" if other else ""
    return f"passagem-{line.cents}{digits}"


def _fare_id(line: LinePrice) -> str:
    """Fares v1 know no categories, but each fare belongs to one agency."""
    return "-".join(filter(None, (f"passagem-{line.cents}", line.agency_id)))


def _digest(words: Sequence[str]) -> str:
    """A short name of what differs between lines of one price, the same for the same words."""
    return f"{crc32(','.join(words).encode()):08x}"


def _group(lines: Sequence[LinePrice]) -> list[list[LinePrice]]:
    groups: dict[str, list[LinePrice]] = defaultdict(list)
    for line in lines:
        groups[product_id(line)].append(line)
    return list(groups.values())


def _name_networks(groups: Sequence[Sequence[LinePrice]]) -> list[tuple[str, Sequence[LinePrice]]]:
    return [(f"rede-{product_id(group[0]).removeprefix('passagem-')}", group) for group in groups]


def _use_networks(
    groups: Sequence[Sequence[LinePrice]], networks: Mapping[str, str]
) -> list[tuple[str, Sequence[LinePrice]]]:
    """The networks of routes.txt, each with lines of one price; blank stands for the lines in none."""
    placed: dict[str, Sequence[LinePrice]] = {}
    for group in groups:
        for line in group:
            network = networks.get(line.route_id, "")
            if placed.setdefault(network, group) is not group:
                raise RouteNetworks(network)
    return list(placed.items())


def _products(line: LinePrice, names: FareNames) -> Iterable[Row]:
    """The full price and, beside it, each category's; a free ride needs no way of paying."""
    name = names.product
    id_ = product_id(line)
    yield id_, name, EVERYBODY, CASH if line.cents else "", _amount(line.cents), CURRENCY
    for category in line.categories:
        medium = CASH if category.cents else ""
        yield id_, name, category.id, medium, _amount(category.cents), CURRENCY


def _amount(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _reais(cents: int) -> str:
    return _amount(cents).replace(".", ",")


def _write(header: str, rows: Iterable[Row]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header.split(","))
    writer.writerows(rows)
    return text.getvalue().encode()


def category_id(key: str) -> str:
    """An id for a category from the key of its rule."""
    return slugify(key) or "categoria"
