"""The fares a feed brings: v1 and v2, on our small feed and on real ones."""

from decimal import Decimal

import pytest

from gtfs.archive import Limits
from gtfs.checks.notices import Notices
from gtfs.fares import V1, V2, LineFares, fares_from_json, fares_to_json, read_fares
from gtfs.raw import RawFeed
from gtfs.reading import read_feed
from tests.gtfs import small_feed as small
from tests.gtfs.real_feeds import demand_feed


def read(**changes: str | None) -> dict[str, LineFares]:
    return read_fares(read_feed(small.small_feed(**changes), "vila.zip", Notices(), Limits()))


def routes() -> list[str]:
    return [line.split(",")[0] for line in small.ROUTES.splitlines()[1:]]


V1_ATTRIBUTES = "fare_id,price,currency_type,payment_method,transfers\nA,4.50,BRL,0,0\nB,6,BRL,0,0\n"
CATEGORIES = (
    "rider_category_id,rider_category_name,is_default_fare_category,eligibility_url\n"
    "todos,Inteira,1,\nidoso,Pessoa idosa,0,https://a.br/idoso\n"
)
PRODUCTS = (
    "fare_product_id,fare_product_name,rider_category_id,fare_media_id,amount,currency\n"
    "p,Passagem,todos,,5.00,BRL\np,Passagem,idoso,,0.00,BRL\nq,Expressa,,,9.00,BRL\n"
)


def test_an_attribute_without_rules_holds_on_every_line() -> None:
    found = read(fare_attributes_txt=V1_ATTRIBUTES)
    assert set(found) == set(routes())
    assert [price.amount for price in found[routes()[0]].prices] == [Decimal("4.50"), Decimal(6)]


def test_a_rule_gives_a_line_its_own_fare_and_the_others_none_of_it() -> None:
    first, *others = routes()
    found = read(fare_attributes_txt=V1_ATTRIBUTES, fare_rules_txt=f"fare_id,route_id\nA,{first}\n")
    assert [price.product for price in found[first].prices] == ["A"]
    assert all([price.product for price in found[other].prices] == ["B"] for other in others)
    assert not found[first].depends


def test_zones_make_the_price_depend_on_the_stops() -> None:
    first = routes()[0]
    rules = f"fare_id,route_id,origin_id\nA,{first},1\nB,{first},2\n"
    assert read(fare_attributes_txt=V1_ATTRIBUTES, fare_rules_txt=rules)[first].depends


@pytest.mark.parametrize("price", ["", "x", "NaN", "inf"])
def test_a_price_that_is_no_number_is_left_out(price: str) -> None:
    attributes = f"fare_id,price,currency_type,payment_method,transfers\nA,{price},BRL,0,0\n"
    assert read(fare_attributes_txt=attributes) == {}


def test_products_are_read_for_each_category_and_win_over_v1() -> None:
    found = read(
        fare_attributes_txt=V1_ATTRIBUTES,
        rider_categories_txt=CATEGORIES,
        fare_products_txt=PRODUCTS,
        fare_leg_rules_txt="leg_group_id,network_id,fare_product_id\nleg,,p\n",
    )
    fares = found[routes()[0]]
    assert fares.version == V2
    assert [(price.category, price.amount, price.is_default, price.url) for price in fares.prices] == [
        ("Inteira", Decimal("5.00"), True, ""),
        ("Pessoa idosa", Decimal("0.00"), False, "https://a.br/idoso"),
    ]


def test_a_rule_without_network_is_for_lines_that_no_other_rule_names() -> None:
    first, *others = routes()
    found = read(
        rider_categories_txt=CATEGORIES,
        fare_products_txt=PRODUCTS,
        networks_txt="network_id,network_name\nx,Expressas\n",
        route_networks_txt=f"network_id,route_id\nx,{first}\n",
        fare_leg_rules_txt="leg_group_id,network_id,fare_product_id\nleg,,p\nexpress,x,q\n",
    )
    assert {price.product for price in found[first].prices} == {"Expressa"}
    assert {price.product for price in found[others[0]].prices} == {"Passagem"}


def test_the_rule_of_the_highest_priority_decides() -> None:
    found = read(
        rider_categories_txt=CATEGORIES,
        fare_products_txt=PRODUCTS,
        fare_leg_rules_txt="leg_group_id,network_id,fare_product_id,rule_priority\nleg,,p,1\nother,,q,2\n",
    )
    assert {price.product for price in found[routes()[0]].prices} == {"Expressa"}


def test_fares_survive_storage() -> None:
    found = read(fare_attributes_txt=V1_ATTRIBUTES)[routes()[0]]
    assert fares_from_json(fares_to_json(found)) == found


def test_a_feed_without_fares_has_none() -> None:
    assert read_fares(RawFeed()) == {}


REAL = {
    "zakroczym-fares-v2": (V2, True),
    "transcollines-fares-v2": (V2, False),
    "hart-tampa": (V1, False),
    "porto-alegre-eptc": (V1, False),
    "donanbus-gtfs-jp": (V1, False),
}


@pytest.mark.parametrize("name", REAL)
def test_lines_of_real_feeds_have_their_fares(name: str) -> None:
    version, with_categories = REAL[name]
    feed = read_feed(demand_feed(name), f"{name}.zip", Notices(), Limits())
    found = read_fares(feed)
    assert found
    assert {fares.version for fares in found.values()} == {version}
    assert all(fares.prices for fares in found.values())
    assert any(price.category for fares in found.values() for price in fares.prices) == with_categories
