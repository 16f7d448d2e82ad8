"""Our report beside that of gtfs-validator, a copy of the canonical one: the same faults but for known ones."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from gtfs_validator import cli

from gtfs.checking import check_feed
from gtfs.checks.catalogue import load_rules
from gtfs.checks.notices import Report
from tests.gtfs import small_feed as small
from tests.gtfs.real_feeds import demand_feed
from tests.gtfs.small_feed import zip_files

TODAY = date(2026, 11, 30)

CATEGORIES = "rider_category_id,rider_category_name,is_default_fare_category\ninteira,Inteira,1\nidoso,Idoso,0\n"
PRODUCTS = (
    "fare_product_id,fare_product_name,rider_category_id,amount,currency\n"
    "van,Passagem,inteira,5.00,BRL\nvan,Passagem,idoso,0.00,BRL\n"
)
LEGS = "leg_group_id,network_id,fare_product_id\nvans,vans,van\n"

CLEAN: Mapping[str, str] = {
    **small.FILES,
    "agency.txt": small.AGENCY.replace("vila.example", "vila.rj.gov.br"),
    "routes.txt": small.ROUTES.replace("L3,VILA,3,Itaipuaçu,3,,\n", ""),
    "stops.txt": small.STOPS,
    "trips.txt": small.TRIPS.replace("circular,,0", "circular,Bairro Novo,0"),
    "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
    "S1,-22.9200,-42.8200,1,0\nS1,-22.9400,-42.8200,2,2.2\n",
    "feed_info.txt": "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,"
    "feed_version,feed_contact_email\nVila,https://vila.rj.gov.br/t,pt-BR,20260101,20271231,1,t@vila.rj.gov.br\n",
    "networks.txt": "network_id,network_name\nvans,Vans\n",
    "route_networks.txt": "network_id,route_id\nvans,L1\nvans,L2\n",
    "rider_categories.txt": CATEGORIES,
    "fare_products.txt": PRODUCTS,
    "fare_leg_rules.txt": LEGS,
}

Change = tuple[str, str, str]
"""File, text in it (blank: at its end) and what is put there instead."""

FAULTS: Mapping[str, Change] = {
    "agency without a name": ("agency.txt", "Transportes de Vila", ""),
    "agency in no time zone": ("agency.txt", "America/Sao_Paulo", "America/Marica"),
    "address that is none": ("agency.txt", "https://vila", "vila"),
    "stop without a name": ("stops.txt", "Mercado", ""),
    "stop without a place": ("stops.txt", "-22.9250", ""),
    "latitude beyond the pole": ("stops.txt", "-22.9250", "-92.9250"),
    "latitude with a comma": ("stops.txt", "-22.9250", '"-22,9250"'),
    "stop at zero": ("stops.txt", "-22.9350,-42.8200", "0.0,0.0"),
    "stop twice": ("stops.txt", "", "C,101,Rodoviária Centro,-22.9200,-42.8200,0,\n"),
    "stop nobody serves": ("stops.txt", "", "Z,109,Sem uso,-22.9210,-42.8210,0,\n"),
    "unknown kind of stop": ("stops.txt", "-42.8200,0,\nE", "-42.8200,9,\nE"),
    "platform in no station": ("stops.txt", "-42.8200,0,\nE", "-42.8200,4,\nE"),
    "line without number and name": ("routes.txt", "2,Circular Bairro Novo", ","),
    "line without trips": ("routes.txt", "", "L9,VILA,9,Ponta Negra,3,,\n"),
    "line of no agency": ("routes.txt", "L1,VILA", "L1,OUTRA"),
    "colour by name": ("routes.txt", "1351B4", "azul"),
    "colours that cannot be read": ("routes.txt", "1351B4,FFFFFF", "FFFFFF,FFFFFE"),
    "two lines of one name": ("routes.txt", "2,Circular Bairro Novo", "1,Centro x Praia"),
    "kind of line in words": ("routes.txt", "Centro x Praia,3", "Centro x Praia,van"),
    "trip of no line": ("trips.txt", "L1,U,ida-0700", "L7,U,ida-0700"),
    "trip on no service": ("trips.txt", "L1,U,ida-0700", "L1,X,ida-0700"),
    "trip along no path": ("trips.txt", "ida-0700,Praia,0,S1", "ida-0700,Praia,0,S9"),
    "trip without stops": ("trips.txt", "", "L1,U,vazia,Praia,0,\n"),
    "call at no stop": ("stop_times.txt", "ida-0600,2,M", "ida-0600,2,X"),
    "time in words": ("stop_times.txt", "ida-0600,1,C,06:00:00", "ida-0600,1,C,6h"),
    "time that goes back": ("stop_times.txt", "4,C,06:50:00,06:50:00", "4,C,06:40:00,06:50:00"),
    "last stop without a time": ("stop_times.txt", "ida-0600,4,P,06:20:00,06:20:00", "ida-0600,4,P,,"),
    "only an arrival": ("stop_times.txt", "noite,2,M,25:15:00,25:15:00", "noite,2,M,25:15:00,"),
    "same place in a trip twice": ("stop_times.txt", "ida-0600,2,M", "ida-0600,1,M"),
    "speed of an aeroplane": ("stop_times.txt", "noite,3,E,25:25:00,25:25:00", "noite,3,E,25:15:05,25:15:05"),
    "trip with one stop": ("stop_times.txt", "domingo,2,M,08:05:00,08:05:00\ndomingo,3,E,08:15:00,08:15:00\n"
                           "domingo,4,P,08:20:00,08:20:00\n", ""),
    "day that is none": ("calendar.txt", "20271231", "20270231"),
    "calendar that ends before it begins": ("calendar.txt", "20260101,20271231", "20271231,20260101"),
    "calendar on no day": ("calendar.txt", "U,1,1,1,1,1,0,0", "U,0,0,0,0,0,0,0"),
    "exception of no kind": ("calendar_dates.txt", "20261225,2", "20261225,3"),
    "interval of nothing": ("frequencies.txt", "1200", "0"),
    "intervals that overlap": ("frequencies.txt", "", "circular,08:00:00,10:00:00,600,0\n"),
    "path of one point": ("shapes.txt", "", "S2,-22.9,-42.8,1,0\n"),
    "path that goes back": ("shapes.txt", "2,2.2", "2,-1"),
    "two default categories": ("rider_categories.txt", "Idoso,0", "Idoso,1"),
    "category without a mark": ("rider_categories.txt", "Idoso,0", "Idoso,"),
    "product for no category": ("fare_products.txt", "van,Passagem,idoso", "van,Passagem,ninguem"),
    "price with a comma": ("fare_products.txt", "5.00", '"5,00"'),
    "price without cents": ("fare_products.txt", "5.00", "5"),
    "currency that is none": ("fare_products.txt", "5.00,BRL", "5.00,REAL"),
    "leg of no product": ("fare_leg_rules.txt", "vans,vans,van", "vans,vans,onibus"),
    "row too short": ("routes.txt", "L2,VILA,2,Circular Bairro Novo,3,,", "L2,VILA,2,Circular Bairro Novo,3"),
    "column twice": ("trips.txt", "trip_headsign,direction_id", "direction_id,direction_id"),
    "unknown column": ("agency.txt", "agency_id,agency_name", "agency_id,cor,agency_name"),
}  # fmt: skip

KNOWN: Mapping[str, tuple[set[str], str]] = {
    "stop without a place": ({"stop_too_far_from_shape"}, "it takes a blank latitude for zero"),
    "call at no stop": ({"stop_too_far_from_shape"}, "it takes the unknown stop for one at zero"),
}
"""Codes that only gtfs-validator gives for a fault, and why."""

SILENT = {"line without trips", "category without a mark"}
"""Faults it says nothing of: the first is ours alone, the second is no fault (GTFS: 0 or empty)."""


def ask_validator(raw: bytes, folder: Path) -> set[str]:
    """The codes in its report; a zip it cannot open has an empty report, and only the exit code tells."""
    (folder / "feed.zip").write_bytes(raw)
    code = cli.main(
        [
            "-i",
            str(folder / "feed.zip"),
            "-o",
            str(folder),
            "-d",
            TODAY.isoformat(),
            "-c",
            "BR",
            "-v",
            "report.json",
        ]
    )
    assert code == 0, (folder / "system_errors.json").read_text()
    return {notice["code"] for notice in json.loads((folder / "report.json").read_text())["notices"]}


def plant(change: Change) -> bytes:
    file, old, new = change
    text = CLEAN[file]
    assert old in text
    return zip_files({**CLEAN, file: text.replace(old, new, 1) if old else text + new})


def told(report: Report) -> set[str]:
    """The codes of a report, with the canonical ones that ours stand for."""
    rules = load_rules()
    codes = {group.code for group in report.groups}
    return codes | {same for code in codes if code in rules for same in rules[code].same_as}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where gtfs-validator writes."""
    return tmp_path_factory.mktemp("validator")


def test_clean_feed_is_clean_to_all_three(folder: Path) -> None:
    raw = zip_files(CLEAN)
    assert ask_validator(raw, folder) == set()
    assert check_feed(raw, "limpo.zip", TODAY, second_opinion=True).groups == ()


@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_validator_tells_of_a_fault_our_report_tells_too(fault: str, folder: Path) -> None:
    raw = plant(FAULTS[fault])
    theirs, report = ask_validator(raw, folder), check_feed(raw, "falha.zip", TODAY, second_opinion=True)
    assert theirs - told(report) == KNOWN.get(fault, (set(), ""))[0]
    assert bool(theirs) == (fault not in SILENT)
    assert bool(report.groups) == (fault != "category without a mark")


def test_known_differences_are_about_planted_faults() -> None:
    assert {*KNOWN, *SILENT} <= set(FAULTS)
    assert len(FAULTS) >= 25


REAL: Mapping[str, tuple[set[str], str]] = {
    "google-sample-feed-1": (set(), ""),
    "pimampiro-coop": (set(), ""),
}
"""Codes that only gtfs-validator gives for a real feed, and why."""


@pytest.mark.parametrize("name", REAL)
def test_real_feed_has_the_codes_of_the_validator(name: str, folder: Path) -> None:
    raw = demand_feed(name)
    report = check_feed(raw, f"{name}.zip", TODAY, second_opinion=True)
    assert ask_validator(raw, folder) - told(report) == REAL[name][0]


def test_empty_report_on_a_broken_zip_is_no_success(folder: Path) -> None:
    (folder / "feed.zip").write_bytes(zip_files(CLEAN)[:-60])
    assert cli.main(["-i", str(folder / "feed.zip"), "-o", str(folder), "-v", "broken.json"]) != 0
    assert not check_feed(zip_files(CLEAN)[:-60], "quebrado.zip", TODAY, second_opinion=True).accepted
