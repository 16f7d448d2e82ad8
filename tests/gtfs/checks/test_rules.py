"""Every fault of the table of rules, planted one at a time in a clean feed."""

import ast
import inspect
from collections.abc import Callable, Mapping
from datetime import date

import pytest

from gtfs import archive, table_reading
from gtfs.checking import check_feed
from gtfs.checks.all_rules import RULES, RULES_ON_DAY
from gtfs.checks.catalogue import load_rules
from gtfs.checks.notices import Notice, Report
from tests.gtfs import small_feed as small
from tests.gtfs.small_feed import small_feed

TODAY = date(2026, 11, 30)

Place = tuple[str, int | None, str]
"""File, row and field that the notice names."""


def swap(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def fares(price: str) -> str:
    return f"fare_id,price,currency_type,payment_method,transfers\nF,{price},BRL,0,0\n"


ENDED_CALENDAR = small.CALENDAR.replace("2027", "2026").replace("1231", "0601")

FREQUENCIES_HEADER = small.FREQUENCIES.splitlines()[0] + "\n"

REFUSED: Mapping[str, tuple[dict[str, str | bytes | None], Place]] = {
    "missing_required_file": ({"stops_txt": None}, ("stops.txt", None, "")),
    "missing_calendar_and_calendar_date_files": (
        {"calendar_txt": None, "calendar_dates_txt": None},
        ("calendar.txt", None, ""),
    ),
    "missing_required_column": (
        {"routes_txt": swap(small.ROUTES, "route_type", "type")},
        ("routes.txt", 1, "route_type"),
    ),
    "duplicate_key": ({"stops_txt": f"{small.STOPS}C,9,Outra,-22.9,-42.8,0,\n"}, ("stops.txt", 8, "stop_id")),
    "foreign_key_violation": (
        {"stop_times_txt": swap(small.STOP_TIMES, "ida-0600,2,M", "ida-0600,2,X9")},
        ("stop_times.txt", 3, "stop_id"),
    ),
    "number_out_of_range": (
        {"stops_txt": swap(small.STOPS, "-22.9250", "-92.9250")},
        ("stops.txt", 3, "stop_lat"),
    ),
    "invalid_coordinate": ({"stops_txt": swap(small.STOPS, "-22.9250", "sul")}, ("stops.txt", 3, "stop_lat")),
    "invalid_date": (
        {"calendar_txt": swap(small.CALENDAR, "20271231", "20270231")},
        ("calendar.txt", 2, "end_date"),
    ),
    "invalid_time": (
        {"stop_times_txt": swap(small.STOP_TIMES, "06:00:00,06:00:00", "6h,06:00:00")},
        ("stop_times.txt", 2, "arrival_time"),
    ),
    "too_many_departures": (
        {
            "frequencies_txt": FREQUENCIES_HEADER
            + "".join(f"circular,{row // 60:02}:{row % 60:02}:00,400:00:00,1000,1\n" for row in range(900))
        },
        ("frequencies.txt", 706, "headway_secs"),
    ),
    "invalid_timezone": (
        {"agency_txt": swap(small.AGENCY, "America/Sao_Paulo", "America/Marica")},
        ("agency.txt", 2, "agency_timezone"),
    ),
}

WARNED: Mapping[str, tuple[dict[str, str | bytes | None], Place]] = {
    "missing_column_in_unused_file": (
        {"feed_info_txt": "feed_publisher_name,feed_lang\nEPT,pt\n"},
        ("feed_info.txt", 1, "feed_publisher_url"),
    ),
    "unknown_column": (
        {"agency_txt": swap(small.AGENCY, "agency_name", "agency_name,cor").replace("Vila,h", "Vila,,h")},
        ("agency.txt", 1, "cor"),
    ),
    "no_rows": (
        {"shapes_txt": small.SHAPES.splitlines()[0], "trips_txt": small.TRIPS.replace("S1", "")},
        ("shapes.txt", None, ""),
    ),
    "missing_required_field": ({"trips_txt": f"{small.TRIPS},U,solta,,0,\n"}, ("trips.txt", 8, "route_id")),
    "unknown_reference": ({"stop_areas_txt": "area_id,stop_id\nZ,C\n"}, ("stop_areas.txt", 2, "area_id")),
    "invalid_integer": (
        {"routes_txt": swap(small.ROUTES, "Praia,3", "Praia,van")},
        ("routes.txt", 2, "route_type"),
    ),
    "invalid_float": ({"fare_attributes_txt": fares("cinco")}, ("fare_attributes.txt", 2, "price")),
    "unexpected_enum_value": (
        {"stops_txt": swap(small.STOPS, "-42.8200,0", "-42.8200,9")},
        ("stops.txt", 2, "location_type"),
    ),
    "invalid_color": ({"routes_txt": swap(small.ROUTES, "1351B4", "azul")}, ("routes.txt", 2, "route_color")),
    "invalid_url": ({"agency_txt": swap(small.AGENCY, "https://vila", "vila")}, ("agency.txt", 2, "agency_url")),
    "inconsistent_agency_timezone": (
        {"agency_txt": f"{small.AGENCY}B,Outra,https://b.example,America/Manaus\n"},
        ("agency.txt", 3, "agency_timezone"),
    ),
    "route_without_name": (
        {"routes_txt": swap(small.ROUTES, "3,Itaipuaçu", ",")},
        ("routes.txt", 4, "route_short_name"),
    ),
    "route_without_trips": ({}, ("routes.txt", 4, "route_id")),
    "stop_without_name": ({"stops_txt": swap(small.STOPS, "Mercado", "")}, ("stops.txt", 3, "stop_name")),
    "stop_without_location": ({"stops_txt": swap(small.STOPS, "-22.9250", "")}, ("stops.txt", 3, "stop_lat")),
    "missing_stop_reference": (
        {"stop_times_txt": swap(small.STOP_TIMES, "ida-0600,2,M", "ida-0600,2,")},
        ("stop_times.txt", 3, "stop_id"),
    ),
    "trip_without_stop_times": ({"trips_txt": f"{small.TRIPS}L1,U,vazia,Praia,0,\n"}, ("trips.txt", 8, "trip_id")),
    "unusable_trip": (
        {
            "trips_txt": f"{small.TRIPS}L1,U,curta,Praia,0,\n",
            "stop_times_txt": f"{small.STOP_TIMES}curta,1,C,09:00:00,09:00:00\n",
        },
        ("trips.txt", 8, "trip_id"),
    ),
    "missing_trip_headsign": ({}, ("trips.txt", 7, "trip_headsign")),
    "missing_direction": (
        {"trips_txt": swap(small.TRIPS, "circular,,0", "circular,,")},
        ("trips.txt", 7, "direction_id"),
    ),
    "trip_without_times": (
        {
            "trips_txt": f"{small.TRIPS}L3,U,futura,Praia,0,\n",
            "stop_times_txt": f"{small.STOP_TIMES}futura,1,C,,\nfutura,2,P,,\n",
        },
        ("trips.txt", 8, "trip_id"),
    ),
    "missing_trip_edge": (
        {"stop_times_txt": swap(small.STOP_TIMES, "4,P,06:20:00,06:20:00", "4,P,,")},
        ("stop_times.txt", 5, "arrival_time"),
    ),
    "stop_time_with_arrival_before_previous_departure_time": (
        {"stop_times_txt": swap(small.STOP_TIMES, "4,C,06:50:00,06:50:00", "4,C,06:40:00,06:50:00")},
        ("stop_times.txt", 13, "arrival_time"),
    ),
    "decreasing_stop_time_distance": (
        {
            "stop_times_txt": "trip_id,stop_sequence,stop_id,arrival_time,departure_time,shape_dist_traveled\n"
            "noite,1,C,06:00:00,06:00:00,4\nnoite,2,M,06:10:00,06:10:00,3\n"
        },
        ("stop_times.txt", 3, "shape_dist_traveled"),
    ),
    "invalid_headway": (
        {"frequencies_txt": swap(small.FREQUENCIES, "1200", "0")},
        ("frequencies.txt", 2, "headway_secs"),
    ),
    "suspicious_headway": (
        {"frequencies_txt": swap(small.FREQUENCIES, "1200", "20")},
        ("frequencies.txt", 2, "headway_secs"),
    ),
    "start_and_end_range_out_of_order": (
        {"calendar_txt": swap(small.CALENDAR, "20271231", "20250101")},
        ("calendar.txt", 2, "end_date"),
    ),
    "overlapping_frequency": (
        {"frequencies_txt": f"{small.FREQUENCIES}circular,08:00:00,10:00:00,600,0\n"},
        ("frequencies.txt", 3, "start_time"),
    ),
    "service_without_days": (
        {"calendar_txt": f"{small.CALENDAR}N,0,0,0,0,0,0,0,20260101,20271231\n"},
        ("calendar.txt", 4, "service_id"),
    ),
    "expired_calendar": (
        {
            "calendar_txt": ENDED_CALENDAR,
            "calendar_dates_txt": None,
        },
        ("calendar.txt", None, "end_date"),
    ),
    "no_future_service": (
        {"calendar_txt": f"{ENDED_CALENDAR}N,1,1,1,1,1,1,1,20260101,20271231\n", "calendar_dates_txt": None},
        ("trips.txt", None, "service_id"),
    ),
    "line_that_ended": (
        {
            "calendar_txt": f"{small.CALENDAR}V,1,1,1,1,1,1,1,20260101,20260601\n",
            "trips_txt": swap(small.TRIPS, "L2,U,", "L2,V,"),
        },
        ("routes.txt", 3, "route_id"),
    ),
    "mojibake": ({"stops_txt": swap(small.STOPS, "Praça", "PraÃ§a")}, ("stops.txt", 6, "stop_name")),
    "duplicate_line_number": (
        {"routes_txt": swap(small.ROUTES, "VILA,3,", "VILA,1,")},
        ("routes.txt", 4, "route_short_name"),
    ),
    "stop_far_from_town": (
        {"stops_txt": swap(small.STOPS, "-22.9000,-42.8300", "-22.9000,42.8300")},
        ("stops.txt", 7, "stop_lat"),
    ),
    "impossible_speed": (
        {"stop_times_txt": swap(small.STOP_TIMES, "3,E,25:25:00,25:25:00", "3,E,25:15:20,25:15:20")},
        ("stop_times.txt", 16, "arrival_time"),
    ),
    "feed_without_fares": ({}, ("fare_products.txt", None, "")),
    "route_without_fare": (
        {"fare_attributes_txt": fares("5.00"), "fare_rules_txt": "fare_id,route_id\nF,L1\nF,L3\n"},
        ("routes.txt", 3, "route_id"),
    ),
    "invalid_currency_amount": ({"fare_attributes_txt": fares('"5,00"')}, ("fare_attributes.txt", 2, "price")),
    "fare_product_with_multiple_default_rider_categories": (
        {
            "rider_categories_txt": "rider_category_id,rider_category_name,is_default_fare_category\n"
            "a,Inteira,1\nb,Meia,1\n",
            "fare_products_txt": "fare_product_id,rider_category_id,amount,currency\n"
            "van,a,5.00,BRL\nvan,b,2.50,BRL\n",
        },
        ("fare_products.txt", 3, "rider_category_id"),
    ),
}


def judge(**changes: str | bytes | None) -> Report:
    return check_feed(small_feed(**changes), "vila.zip", TODAY)


def find_notice(report: Report, code: str) -> Notice:
    (group,) = (group for group in report.groups if group.code == code)
    return group.notices[0]


@pytest.mark.parametrize("code", REFUSED)
def test_fault_refuses_the_feed_and_is_named_with_file_row_and_field(code: str) -> None:
    changes, place = REFUSED[code]
    report = judge(**changes)
    notice = find_notice(report, code)
    assert not report.accepted
    assert notice.severity == "error"
    assert (notice.file, notice.row, notice.field) == place


@pytest.mark.parametrize("code", WARNED)
def test_oddity_is_named_with_file_row_and_field_and_publishes(code: str) -> None:
    changes, place = WARNED[code]
    report = judge(**changes)
    notice = find_notice(report, code)
    assert report.accepted, report.groups
    assert notice.severity == "warning"
    assert (notice.file, notice.row, notice.field) == place


def test_clean_feed_has_only_the_warnings_it_was_made_with() -> None:
    assert {group.code for group in judge().groups} == {
        "route_without_trips", "missing_trip_headsign", "feed_without_fares",
    }  # fmt: skip


def test_every_rule_about_tables_has_an_entry_a_function_and_a_planted_fault() -> None:
    written = {code for code, rule in load_rules().items() if rule.where == "table"}
    functions: list[Callable[..., object]] = [*RULES, *RULES_ON_DAY]
    assert written == {rule.__name__ for rule in functions} == {*REFUSED, *WARNED}


def test_every_other_entry_is_noted_by_the_module_of_its_step() -> None:
    for module, step in ((archive, "zip"), (table_reading, "file")):
        texts = {
            node.value for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Constant)
        }
        assert {code for code, rule in load_rules().items() if rule.where == step} <= texts


@pytest.mark.parametrize("code", load_rules())
def test_words_of_a_rule_can_be_filled_in_and_end_like_a_sentence(code: str) -> None:
    rule = load_rules()[code]
    for text in (rule.text, rule.second or rule.text):
        filled = text.format(
            file="stops.txt", row=3, place="stops.txt, linha 3", field="stop_id", value="X", other="Y"
        )
        assert filled[0].isupper() or filled.startswith(("stop_id", "headway_secs"))
        assert filled.endswith((".", ")."))
        assert "{" not in filled
    assert load_rules()[code].severity in ("error", "warning")


def test_faults_that_refuse_are_those_of_the_contract() -> None:
    errors = {code for code, rule in load_rules().items() if rule.severity == "error" and rule.where == "table"}
    assert errors == set(REFUSED)


def test_zones_on_demand_stand_in_for_stops() -> None:
    files = small.changed_files(stops_txt=None, stop_times_txt=None)
    times = "trip_id,stop_sequence,location_id\nida-0600,1,Z\n"
    flex = {**files, "locations.geojson": "{}", "stop_times.txt": times}
    assert check_feed(small.zip_files(flex), "flex.zip", TODAY).accepted


def test_unreadable_file_does_not_repeat_itself_in_every_reference_to_it() -> None:
    report = judge(stops_txt=small.STOPS.encode("latin-1"))
    assert [group.code for group in report.groups if group.severity == "error"] == ["not_utf8"]


def test_missing_shapes_refuse_a_trip_that_names_one() -> None:
    notice = find_notice(judge(shapes_txt=None), "foreign_key_violation")
    assert (notice.file, notice.field, notice.value) == ("trips.txt", "shape_id", "S1")


@pytest.mark.parametrize(
    ("emptied", "place"),
    [
        ("stops_txt", ("stop_times.txt", "stop_id", "C")),
        ("routes_txt", ("trips.txt", "route_id", "L1")),
        ("trips_txt", ("stop_times.txt", "trip_id", "ida-0600")),
        ("shapes_txt", ("trips.txt", "shape_id", "S1")),
    ],
)
def test_file_that_lost_all_its_rows_refuses_what_refers_to_them(
    emptied: str, place: tuple[str, str, str]
) -> None:
    header = small.FILES[emptied.replace("_txt", ".txt")].splitlines()[0]
    (group,) = (one for one in judge(**{emptied: header}).groups if one.code == "foreign_key_violation")
    assert place in {(notice.file, notice.field, notice.value) for notice in group.notices}


def test_calendars_that_lost_all_their_rows_refuse_every_trip() -> None:
    calendar, dates = (small.FILES[name].splitlines()[0] for name in ("calendar.txt", "calendar_dates.txt"))
    notice = find_notice(judge(calendar_txt=calendar, calendar_dates_txt=dates), "foreign_key_violation")
    assert (notice.file, notice.field, notice.value) == ("trips.txt", "service_id", "U")


def test_agency_without_rows_has_no_time_zone() -> None:
    report = judge(agency_txt=small.AGENCY.splitlines()[0])
    assert find_notice(report, "invalid_timezone").file == "agency.txt"


def test_blank_date_of_a_calendar_cannot_be_read() -> None:
    report = judge(calendar_txt=swap(small.CALENDAR, "20271231", ""))
    assert find_notice(report, "invalid_date").value == ""


def test_blank_single_key_is_no_duplicate() -> None:
    blank = ",Outra,https://b.example,America/Sao_Paulo\n"
    report = judge(agency_txt=small.AGENCY + blank + blank)
    assert report.accepted


def test_same_stop_sequence_twice_in_a_trip_is_refused() -> None:
    report = judge(stop_times_txt=swap(small.STOP_TIMES, "ida-0600,2,M", "ida-0600,1,M"))
    notice = find_notice(report, "duplicate_key")
    assert (notice.row, notice.field, notice.value) == (3, "trip_id, stop_sequence", "ida-0600, 1")
    assert "linha 2" in notice.message_pt
