"""Rules about what goes wrong for riders: fares, strange letters, far stops, speeds, lines that end."""

from datetime import date

import pytest

from gtfs.checking import check_feed
from gtfs.checks.notices import Notice
from gtfs.checks.wording import mend
from tests.gtfs import small_feed as small
from tests.gtfs.small_feed import small_feed

TODAY = date(2026, 11, 30)


def find(code: str, /, *, today: date = TODAY, **changes: str) -> list[Notice]:
    groups = check_feed(small_feed(**changes), "vila.zip", today).groups
    return [notice for group in groups if group.code == code for notice in group.notices]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("PraÃ§a da Matriz", "Praça da Matriz"),
        ("SÃ£o JosÃ©", "São José"),
        ("Ãgua Santa", "Ãgua Santa"),
        ("Ã\x81gua Santa", "Água Santa"),
        ("Av. 1Âº de Maio", "Av. 1º de Maio"),
        ("Rua Dâ€™Ã\x81vila", "Rua D’Ávila"),
        ("PÃ§o e Praça", "Pço e Praça"),
        ("Conceição", "Conceição"),
        ("SÃO JOÃO", "SÃO JOÃO"),
        ("Ação 1ª–2º “Â”", "Ação 1ª–2º “Â”"),
        ("Ünlü Ñandú €", "Ünlü Ñandú €"),
        ("東京", "東京"),
        ("", ""),
    ],
)
def test_letters_encoded_twice_are_mended_and_others_left(written: str, meant: str) -> None:
    assert mend(written) == meant


def test_notice_of_strange_letters_says_what_is_meant() -> None:
    (notice,) = find("mojibake", stops_txt=small.STOPS.replace("Praça", "PraÃ§a"))
    assert "«PraÃ§a»" in notice.message_pt
    assert "«Praça»" in notice.message_pt


def test_same_number_on_another_kind_of_vehicle_is_no_duplicate() -> None:
    assert not find(
        "duplicate_line_number", routes_txt=small.ROUTES.replace("VILA,3,Itaipuaçu,3", "VILA,1,Barca,4")
    )


def test_lines_without_number_are_no_duplicates() -> None:
    routes = small.ROUTES.replace("VILA,3,", "VILA,,").replace("VILA,2,", "VILA,,")
    assert not find("duplicate_line_number", routes_txt=routes)


def test_chain_of_stops_may_lead_far_away() -> None:
    chain = "".join(f"X{n},,Parada {n},{-22.9 + n * 0.2:.2f},-42.82,0,\n" for n in range(1, 12))
    assert not find("stop_far_from_town", stops_txt=small.STOPS + chain)


@pytest.mark.parametrize(
    "place", ["0,0", "22.9200,-42.8200", "-42.8200,-22.9200", "-229200,-42.8", "-2.29200,-42.82"]
)
def test_stop_with_wrong_coordinates_is_far_from_town(place: str) -> None:
    found = find("stop_far_from_town", stops_txt=f"{small.STOPS}X,,Longe,{place},0,\n")
    assert [notice.value for notice in found] == ([] if place.startswith("-229200") else ["X"])


def test_two_halves_far_from_each_other_have_no_main_cluster() -> None:
    others = "".join(f"X{number},,Parada {number},-3.7,-38.5,0,\n" for number in range(6))
    assert not find("stop_far_from_town", stops_txt=small.STOPS + others)
    assert find("stop_far_from_town", stops_txt=small.STOPS + others.partition("\n")[0] + "\n")


def test_minute_of_rounding_is_no_impossible_speed() -> None:
    quick = small.STOP_TIMES.replace("3,E,25:25:00,25:25:00", "3,E,25:15:00,25:15:00")
    assert not find("impossible_speed", stop_times_txt=quick)


def test_train_may_be_faster_than_a_van() -> None:
    quick = small.STOP_TIMES.replace("3,E,25:25:00,25:25:00", "3,E,25:15:20,25:15:20")
    routes = small.ROUTES.replace("Centro x Praia,3", "Centro x Praia,2")
    assert find("impossible_speed", stop_times_txt=quick)
    assert not find("impossible_speed", stop_times_txt=quick, routes_txt=routes)


def test_speed_is_taken_over_stops_without_times() -> None:
    quick = small.STOP_TIMES.replace("ida-0600,4,P,06:20:00,06:20:00", "ida-0600,4,P,06:00:30,06:00:30")
    (notice,) = find("impossible_speed", stop_times_txt=quick)
    assert (notice.row, notice.value) == (5, "ida-0600")
    assert "267 km/h" in notice.message_pt


def test_line_that_ended_is_not_told_when_the_whole_feed_did() -> None:
    assert find("expired_calendar", today=date(2028, 1, 1))
    assert not find("line_that_ended", today=date(2028, 1, 1))
    assert not find("no_future_service", today=date(2028, 1, 1))


FARE = "fare_id,price,currency_type,payment_method,transfers\nF,5.00,BRL,0,0\n"
PRODUCT = "fare_product_id,amount,currency\nvan,5.00,BRL\n"
LINES = ["L1", "L2", "L3"]


@pytest.mark.parametrize(
    ("changes", "without"),
    [
        ({"fare_attributes_txt": FARE}, []),
        ({"fare_attributes_txt": FARE, "fare_rules_txt": "fare_id,route_id,origin_id\nF,,Z\n"}, []),
        ({"fare_attributes_txt": FARE, "fare_rules_txt": "fare_id,route_id\nF,L2\n"}, ["L1", "L3"]),
        ({"fare_attributes_txt": FARE, "fare_rules_txt": "fare_id,route_id\nG,L2\n"}, []),
        ({"fare_products_txt": PRODUCT}, LINES),
        ({"fare_products_txt": PRODUCT, "fare_leg_rules_txt": "fare_product_id\nvan\n"}, []),
        ({"fare_products_txt": PRODUCT, "fare_leg_rules_txt": "fare_product_id\noutra\n"}, LINES),
        (
            {
                "fare_products_txt": PRODUCT,
                "fare_leg_rules_txt": "network_id,fare_product_id\nvans,van\n",
                "networks_txt": "network_id\nvans\n",
                "route_networks_txt": "network_id,route_id\nvans,L1\n",
            },
            ["L2", "L3"],
        ),
        (
            {
                "fare_products_txt": PRODUCT,
                "fare_leg_rules_txt": "network_id,fare_product_id\nvans,outra\n,van\n",
                "networks_txt": "network_id\nvans\n",
                "route_networks_txt": "network_id,route_id\nvans,L1\n",
            },
            ["L1"],
        ),
        (
            {
                "fare_products_txt": PRODUCT,
                "fare_leg_rules_txt": "network_id,fare_product_id,rule_priority\nvans,outra,1\n,van,\n",
                "networks_txt": "network_id\nvans\n",
                "route_networks_txt": "network_id,route_id\nvans,L1\n",
            },
            [],
        ),
    ],
)
def test_lines_without_fare_by_either_version_of_fares(changes: dict[str, str], without: list[str]) -> None:
    assert [notice.value for notice in find("route_without_fare", today=TODAY, **changes)] == without
    assert not find("feed_without_fares", today=TODAY, **changes)


def test_unknown_rider_category_of_a_product_is_told() -> None:
    (notice,) = find(
        "unknown_reference",
        rider_categories_txt="rider_category_id,rider_category_name,is_default_fare_category\na,Inteira,\n",
        fare_products_txt="fare_product_id,rider_category_id,amount,currency\nvan,b,5.00,BRL\n",
    )
    assert (notice.file, notice.row, notice.field, notice.value) == (
        "fare_products.txt",
        2,
        "rider_category_id",
        "b",
    )
