"""Rules about fares, which only warn: an authority's fare is an act of its own, not the feed's."""

import re
from collections.abc import Iterator

from gtfs.checks.notices import Finding
from gtfs.raw import RawFeed

_AMOUNT = re.compile(r"-?[0-9]+(\.[0-9]{1,4})?")
_AMOUNTS = (("fare_attributes.txt", "price"), ("fare_products.txt", "amount"))


def invalid_currency_amount(feed: RawFeed) -> Iterator[Finding]:
    """A price that is not a plain decimal number, such as one with a comma or a currency sign."""
    for name, column in _AMOUNTS:
        table = feed.table(name)
        bad = {value for value in set(table.column(column)) if value and not _AMOUNT.fullmatch(value)}
        for row, value in table.find_rows(column, bad):
            yield Finding(name, row, column, value)


def fare_product_with_multiple_default_rider_categories(feed: RawFeed) -> Iterator[Finding]:
    """A product sold to two categories that are both marked as the default one."""
    categories = feed.table("rider_categories.txt")
    marks = zip(categories.column("rider_category_id"), categories.column("is_default_fare_category"), strict=True)
    default = {id_ for id_, mark in marks if id_ and mark == "1"}
    products = feed.table("fare_products.txt")
    first: dict[str, str] = {}
    columns = (products.column("fare_product_id"), products.column("rider_category_id"))
    for row, product, category in zip(products.rows, *columns, strict=True):
        if category in default and first.setdefault(product, category) != category:
            yield Finding(products.name, row, "rider_category_id", product)


def feed_without_fares(feed: RawFeed) -> Iterator[Finding]:
    """A feed that says no price at all."""
    if len(feed.table("routes.txt")) and not any(len(feed.table(name)) for name, _ in _AMOUNTS):
        yield Finding("fare_products.txt")


def route_without_fare(feed: RawFeed) -> Iterator[Finding]:
    """A line that no fare of the feed applies to, by the first version of fares or by the second."""
    if not any(len(feed.table(name)) for name, _ in _AMOUNTS):
        return
    routes = feed.table("routes.txt")
    sold = _find_sold_by_rules(feed) | _find_sold_by_legs(feed)
    for row, id_ in zip(routes.rows, routes.column("route_id"), strict=True):
        if id_ and id_ not in sold:
            yield Finding(routes.name, row, "route_id", id_)


def _find_sold_by_rules(feed: RawFeed) -> set[str]:
    """Lines with a fare of fare_attributes.txt; one without a rule, or whose rule names no line, is for all."""
    rules = feed.table("fare_rules.txt")
    named: dict[str, set[str]] = {}
    for fare, route in zip(rules.column("fare_id"), rules.column("route_id"), strict=True):
        named.setdefault(fare, set()).add(route)
    lines = [named.get(fare, {""}) for fare in feed.table("fare_attributes.txt").column("fare_id")]
    if any("" in routes for routes in lines):
        return feed.ids("routes.txt")
    return set().union(*lines)


def _find_sold_by_legs(feed: RawFeed) -> set[str]:
    """Lines with a leg rule; one without network is for the lines of no network that another rule names.

    With rule_priority a blank network stands for every line (GTFS reference, fare_leg_rules.txt).
    """
    rules, products = feed.table("fare_leg_rules.txt"), feed.ids("fare_products.txt")
    pairs = zip(rules.column("network_id"), rules.column("fare_product_id"), strict=True)
    networks = {network for network, product in pairs if product in products}
    if "" in networks and "rule_priority" in rules:
        return feed.ids("routes.txt")
    of_line = _find_networks(feed)
    listed = set(rules.column("network_id")) - {""}
    return {
        line
        for line in feed.ids("routes.txt")
        if of_line.get(line, set()) & networks or ("" in networks and not of_line.get(line, set()) & listed)
    }


def _find_networks(feed: RawFeed) -> dict[str, set[str]]:
    """The networks of each line, of routes.txt and route_networks.txt."""
    found: dict[str, set[str]] = {}
    for name in ("routes.txt", "route_networks.txt"):
        table = feed.table(name)
        for line, network in zip(table.column("route_id"), table.column("network_id"), strict=True):
            if network:
                found.setdefault(line, set()).add(network)
    return found


RULES = (
    feed_without_fares,
    route_without_fare,
    invalid_currency_amount,
    fare_product_with_multiple_default_rider_categories,
)
