"""What a feed itself says a ride costs on each line: Fares v1 and v2, as far as a line's page can show it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from gtfs.numbers import parse_integer
from gtfs.raw import RawFeed, RawTable

V1, V2 = "v1", "v2"


@dataclass(frozen=True, slots=True)
class FeedPrice:
    """One price: `product` (fare_product_name or fare_id), `category` (rider_category_name, blank: anybody).

    `amount` is in units of `currency` (ISO 4217) as the feed writes it; `is_default` marks the category that holds
    for whoever claims no other; `url` is the category's eligibility_url; `media` how it is paid.
    """

    product: str
    category: str
    amount: Decimal
    currency: str
    is_default: bool = False
    url: str = ""
    media: str = ""


@dataclass(frozen=True, slots=True)
class LineFares:
    """The prices of a line; `depends`: which of them holds depends on the stops or on the hour."""

    version: str
    prices: tuple[FeedPrice, ...]
    depends: bool = False


def read_fares(feed: RawFeed) -> dict[str, LineFares]:
    """The fares of each line by route_id; v2 where the feed has both (GTFS recommends that v2 wins)."""
    found = _read_v1(feed)
    return found | _read_v2(feed) if "fare_products.txt" in feed else found


def fares_to_json(fares: LineFares) -> list[Any]:
    """Plain values to store."""
    prices = [
        [
            price.product,
            price.category,
            str(price.amount),
            price.currency,
            price.is_default,
            price.url,
            price.media,
        ]
        for price in fares.prices
    ]
    return [fares.version, prices, fares.depends]


def fares_from_json(values: Sequence[Any]) -> LineFares:
    """The fares that `fares_to_json` wrote."""
    version, prices, depends = values
    read = (FeedPrice(product, category, Decimal(amount), *rest) for product, category, amount, *rest in prices)
    return LineFares(version, tuple(read), depends)


def _read_v1(feed: RawFeed) -> dict[str, LineFares]:
    """fare_attributes.txt by fare_rules.txt: an attribute without rules holds everywhere."""
    attributes = feed.table("fare_attributes.txt")
    columns = ("fare_id", "price", "currency_type")
    prices = {
        fare: FeedPrice(fare, "", amount, currency)
        for fare, price, currency in _rows(attributes, *columns)
        if (amount := _amount(price)) is not None
    }
    by_route: dict[str, dict[str, bool]] = defaultdict(dict)
    ruled: set[str] = set()
    zones = ("origin_id", "destination_id", "contains_id")
    for fare, route, *where in _rows(feed.table("fare_rules.txt"), "fare_id", "route_id", *zones):
        ruled.add(fare)
        by_route[route][fare] = by_route[route].get(fare, False) or any(where)
    everywhere = dict.fromkeys((fare for fare in prices if fare not in ruled), False) | by_route.pop("", {})
    routes = [route for route in feed.table("routes.txt").column("route_id") if route]
    found = {}
    for route in routes:
        chosen = by_route.get(route) or everywhere
        known = [prices[fare] for fare in chosen if fare in prices]
        if known:
            # Several fares of one line without zones are told apart by transfers, which a page of one line lacks.
            found[route] = LineFares(V1, tuple(_unique(known)), any(chosen.values()))
    return found


def _read_v2(feed: RawFeed) -> dict[str, LineFares]:
    products = _read_products(feed)
    networks = _networks_by_route(feed)
    rules = list(_read_rules(feed))
    named = {rule.network for rule in rules if rule.network}
    found = {}
    for route in feed.table("routes.txt").column("route_id"):
        own = networks.get(route, set())
        fitting = [rule for rule in rules if rule.network in own or (not rule.network and not own & named)]
        best = max((rule.priority for rule in fitting), default=0)
        fitting = [rule for rule in fitting if rule.priority == best]
        prices = [price for rule in fitting for price in products.get(rule.product, ())]
        if route and prices:
            depends = any(rule.depends for rule in fitting) or len({rule.product for rule in fitting}) > 1
            found[route] = LineFares(V2, tuple(_unique(prices)), depends)
    return found


@dataclass(frozen=True, slots=True)
class _LegRule:
    network: str
    product: str
    priority: int
    depends: bool


def _read_rules(feed: RawFeed) -> Iterator[_LegRule]:
    """fare_leg_rules.txt; rules by priority where the feed uses it, as GTFS says."""
    conditions = ("from_area_id", "to_area_id", "from_timeframe_group_id", "to_timeframe_group_id")
    columns = ("network_id", "fare_product_id", "rule_priority", *conditions)
    for network, product, priority, *where in _rows(feed.table("fare_leg_rules.txt"), *columns):
        depends = any(where)
        yield _LegRule(network, product, 0 if depends else parse_integer(priority) or 0, depends)


def _read_products(feed: RawFeed) -> dict[str, list[FeedPrice]]:
    categories = {
        id_: (name or id_, default == "1", url)
        for id_, name, default, url in _rows(
            feed.table("rider_categories.txt"),
            "rider_category_id",
            "rider_category_name",
            "is_default_fare_category",
            "eligibility_url",
        )
    }
    media = dict(_rows(feed.table("fare_media.txt"), "fare_media_id", "fare_media_name"))
    found: dict[str, list[FeedPrice]] = defaultdict(list)
    columns = ("fare_product_id", "fare_product_name", "rider_category_id", "fare_media_id", "amount", "currency")
    for id_, name, category, medium, text, currency in _rows(feed.table("fare_products.txt"), *columns):
        amount = _amount(text)
        if amount is not None:
            label, default, url = categories.get(category, (category, False, ""))
            found[id_].append(
                FeedPrice(name or id_, label, amount, currency, default, url, media.get(medium, medium))
            )
    return found


def _networks_by_route(feed: RawFeed) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for file in ("routes.txt", "route_networks.txt"):
        for route, network in _rows(feed.table(file), "route_id", "network_id"):
            if network:
                found[route].add(network)
    return found


def _unique(prices: Sequence[FeedPrice]) -> Iterator[FeedPrice]:
    """Prices that differ only in how they are paid are told once, with all the ways."""
    merged: dict[FeedPrice, list[str]] = {}
    for price in prices:
        merged.setdefault(replace(price, media=""), []).append(price.media)
    for price, media in merged.items():
        yield replace(price, media=", ".join(dict.fromkeys(filter(None, media))))


def _rows(table: RawTable, *columns: str) -> Iterator[Any]:
    return zip(*map(table.column, columns), strict=True)


def _amount(text: str) -> Decimal | None:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None
