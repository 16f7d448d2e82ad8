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


RULES = (invalid_currency_amount, fare_product_with_multiple_default_rider_categories)
