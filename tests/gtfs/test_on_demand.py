"""Service on demand read from GTFS-Flex: areas, hours, services and how to book."""

import json

import pytest

from gtfs.compiled import unpack_line
from gtfs.compiled_feed import CompiledFeed
from gtfs.importing import prepare_feed
from gtfs.line_details import unpack_details
from gtfs.on_demand import Booking, OnDemand, on_demand_from_json, read_area_names
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import TODAY

TIMES = """trip_id,stop_sequence,location_id,location_group_id,stop_id,start_pickup_drop_off_window,\
end_pickup_drop_off_window,pickup_booking_rule_id,pickup_type
livre,1,zona,,,08:00:00,17:00:00,liga,2
livre,2,zona,,,08:00:00,17:00:00,liga,1
"""
RULES = """booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_last_day,prior_notice_last_time,\
message,phone_number,info_url,booking_url
liga,1,90,,,Diga quantas pessoas vão.,(21) 3731-0000,https://vila.example/pedir,
"""
AREA = {
    "type": "FeatureCollection",
    "features": [
        {
            "id": "zona",
            "type": "Feature",
            "properties": {"stop_name": "Zona rural de Espraiado"},
            "geometry": {"type": "Polygon", "coordinates": []},
        }
    ],
}
TRIPS = "route_id,service_id,trip_id\nL3,U,livre\n"


def flex(**changes: str | None) -> dict[str, str | bytes]:
    """A feed with nothing but service on demand; other files by their names."""
    files = {
        "stops_txt": None,
        "trips_txt": TRIPS,
        "stop_times_txt": TIMES,
        "frequencies_txt": None,
        "shapes_txt": None,
        **changes,
    }
    made = small.changed_files(**{key: value for key, value in files.items() if key != "areas"})
    made["booking_rules.txt"] = RULES
    made["locations.geojson"] = changes.get("areas") or json.dumps(AREA)
    return made


def compile_flex(files: dict[str, str | bytes]) -> CompiledFeed:
    prepared = prepare_feed(small.zip_files(files), "flex.zip", TODAY)
    assert prepared.compiled is not None, prepared.report
    return prepared.compiled


def offers(compiled: CompiledFeed, line: int = 2) -> list[OnDemand]:
    return [on_demand_from_json(row) for row in unpack_details(compiled.lines[line].details).get("on_demand", ())]


def test_feed_with_nothing_but_service_on_demand_has_its_line() -> None:
    compiled = compile_flex(flex())
    booking = Booking(
        "1", 90, None, None, "(21) 3731-0000", "https://vila.example/pedir", "Diga quantas pessoas vão."
    )
    assert offers(compiled) == [
        OnDemand(("Zona rural de Espraiado",), frozenset((0,)), 8 * 3600, 17 * 3600, booking)
    ]
    assert compiled.lines[2].has_times
    assert unpack_line(compiled.lines[2].content) == ()
    assert compiled.stops == ()


def test_group_of_stops_is_named_and_its_stops_are_no_timetable() -> None:
    times = small.STOP_TIMES.splitlines()
    header = f"{times[0]},location_group_id,start_pickup_drop_off_window,end_pickup_drop_off_window"
    rows = [f"{row},,," for row in times[1:]]
    group = ["livre,1,,,,G,06:00:00,10:00:00", "livre,2,C,,,,06:00:00,10:00:00", "livre,3,P,,,,06:00:00,10:00:00"]
    files = small.changed_files(
        stop_times_txt="\n".join([header, *rows, *group]), trips_txt=f"{small.TRIPS}L3,U,livre,,0,\n"
    )
    files["location_groups.txt"] = "location_group_id,location_group_name\nG,Escolas\n"
    compiled = compile_flex(files)
    assert [offer.areas for offer in offers(compiled)] == [("Escolas", "Rodoviária Centro", "Praia")]
    assert unpack_line(compiled.lines[2].content) == ()
    assert unpack_line(compiled.lines[0].content)


def test_feed_without_flex_offers_nothing() -> None:
    assert offers(compile_flex(small.changed_files())) == []


def test_rule_that_is_missing_and_address_that_is_no_web_page_are_left_out() -> None:
    files = flex()
    files["booking_rules.txt"] = RULES.replace("https://vila.example/pedir", "javascript:alert(1)")
    (offer,) = offers(compile_flex(files))
    assert offer.booking is not None
    assert offer.booking.address == ""
    del files["booking_rules.txt"]
    (offer,) = offers(compile_flex(files))
    assert offer.booking is None


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"features": 3}', '{"features": [3]}', "[" * 100_000])
def test_broken_areas_are_a_notice_and_the_service_stays(content: str) -> None:
    files = flex(areas=content)
    prepared = prepare_feed(small.zip_files(files), "flex.zip", TODAY)
    assert "malformed_json" in [group.code for group in prepared.report.groups]
    assert prepared.compiled is not None
    assert [offer.areas for offer in offers(prepared.compiled)] == [()]


def test_areas_without_a_name_or_an_id_are_read() -> None:
    features = [
        {"id": 1, "properties": None},
        {"properties": {"stop_name": "x"}},
        {"id": "b", "properties": {"name": " B "}},
    ]
    assert read_area_names(json.dumps({"features": features}).encode()) == {"1": "", "b": "B"}
