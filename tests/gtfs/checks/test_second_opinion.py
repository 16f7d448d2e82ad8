"""gtfs-guru's notices in our words, corrected, and its deaths."""

import json
import sys
from datetime import date
from pathlib import Path

import gtfs_guru
import pytest

from gtfs.archive import Limits
from gtfs.checking import check_feed
from gtfs.checks.catalogue import load_rules
from gtfs.checks.notices import SHOWN, NoticeGroup, Notices, Report
from gtfs.checks.second_opinion import add_second_opinion
from gtfs.guru import Guru, asking_guru
from tests.gtfs import small_feed as small
from tests.gtfs.real_feeds import demand_feed
from tests.gtfs.small_feed import small_feed, zip_files

TODAY = date(2026, 11, 30)
CATEGORIES = "rider_category_id,rider_category_name,is_default_fare_category\n"


def judge(**changes: str | None) -> Report:
    return check_feed(small_feed(**changes), "vila.zip", TODAY, second_opinion=True)


def find_group(report: Report, code: str) -> NoticeGroup | None:
    return next((group for group in report.groups if group.code == code), None)


def ask(command: tuple[str, ...], raw: bytes = b"", wall_seconds: float = 20) -> Report:
    """The report when the child is another program."""
    notices = Notices()
    guru = Guru(raw, TODAY, SHOWN, command, wall_seconds)
    guru.begin()
    try:
        add_second_opinion(guru, "vila.zip", notices)
    finally:
        guru.close()
    return notices.report("vila.zip")


def answer(*groups: dict[str, object]) -> tuple[str, ...]:
    """A program that answers as the child does."""
    return (sys.executable, "-c", f"print({json.dumps(json.dumps(groups))})")


def test_fault_only_guru_knows_is_told_with_file_row_value_and_what_to_do() -> None:
    group = find_group(judge(stops_txt=f"{small.STOPS}X,,Sem uso,-22.91,-42.82,0,\n"), "stop_without_stop_time")
    assert group is not None
    (notice,) = group.notices
    assert (notice.severity, notice.file, notice.row, notice.value) == ("warning", "stops.txt", 8, "X")
    assert notice.message_pt == ("Nenhuma viagem passa pela parada «X». Apague-a ou acrescente-a às viagens.")


def test_our_own_notice_wins_where_both_have_the_code() -> None:
    changes = {"routes_txt": small.ROUTES.replace("1351B4", "azul")}
    ours = find_group(check_feed(small_feed(**changes), "vila.zip", TODAY), "invalid_color")
    assert ours is not None
    assert find_group(judge(**changes), "invalid_color") == ours


@pytest.mark.parametrize(
    ("ours", "theirs", "changes"),
    [
        ("route_without_trips", "unused_route", {}),
        ("stop_without_name", "missing_stop_name", {"stops_txt": small.STOPS.replace("Mercado", "")}),
        (
            "duplicate_line_number",
            "duplicate_route_name",
            {"routes_txt": small.ROUTES.replace("VILA,3,Itaipuaçu", "VILA,1,Centro x Praia")},
        ),
    ],
)
def test_same_fault_under_two_names_is_told_once(ours: str, theirs: str, changes: dict[str, str]) -> None:
    report = judge(**changes)
    assert find_group(report, ours)
    assert not find_group(report, theirs)


def test_error_of_guru_that_the_contract_does_not_list_is_a_warning() -> None:
    report = judge(
        agency_txt=small.AGENCY.replace("agency_timezone", "agency_timezone,agency_email").replace(
            "America/Sao_Paulo", "America/Sao_Paulo,nada"
        )
    )
    group = find_group(report, "invalid_email")
    assert group is not None
    assert (group.severity, report.accepted) == ("warning", True)
    assert "«nada», que não é um e-mail" in group.notices[0].message_pt


def test_error_code_of_ours_that_only_guru_finds_does_not_refuse() -> None:
    """A negative place in a path is out of range for guru; ours refuses only coordinates for it."""
    report = judge(shapes_txt=small.SHAPES.replace("2\n", "-2\n"))
    group = find_group(report, "number_out_of_range")
    assert report.accepted
    assert group is not None
    assert group.severity == "warning"
    assert "fora do que o padrão aceita" in group.notices[0].message_pt


def test_empty_default_mark_of_a_rider_category_is_no_fault() -> None:
    changes = {
        "rider_categories_txt": f"{CATEGORIES}a,Inteira,1\nb,Meia,\n",
        "fare_products_txt": "fare_product_id,rider_category_id,amount,currency\nvan,a,5.00,BRL\nvan,c,2.50,BRL\n",
    }
    report = judge(**changes)
    assert find_group(report, "missing_required_field") is None
    unknown = find_group(report, "unknown_reference")
    assert unknown is not None
    assert [notice.value for notice in unknown.notices] == ["c"]


def test_two_default_categories_of_a_product_are_told_though_guru_misses_them() -> None:
    report = judge(
        rider_categories_txt=f"{CATEGORIES}a,Inteira,1\nb,Meia,1\n",
        fare_products_txt="fare_product_id,rider_category_id,amount,currency\nvan,a,5.00,BRL\nvan,b,2.50,BRL\n",
    )
    assert find_group(report, "fare_product_with_multiple_default_rider_categories")


def test_every_code_guru_can_give_has_words() -> None:
    assert set(gtfs_guru.notice_codes()) <= set(load_rules())


def test_only_codes_of_guru_and_of_its_process_are_kept_for_it() -> None:
    own = {"second_opinion_too_big", "second_opinion_failed", "unknown_fault"}
    kept = {code for code, rule in load_rules().items() if rule.where == "second"}
    assert kept - own <= set(gtfs_guru.notice_codes())
    assert own <= kept


def test_other_names_of_our_rules_are_codes_of_guru() -> None:
    named = {code for rule in load_rules().values() for code in rule.same_as}
    assert named <= set(gtfs_guru.notice_codes())


@pytest.mark.parametrize("code", [code for code, rule in load_rules().items() if rule.value_key or rule.other_key])
def test_parts_of_the_context_are_those_guru_gives(code: str) -> None:
    known = gtfs_guru.notice_schema()[code]["properties"]
    rule = load_rules()[code]
    assert not known or {rule.value_key, rule.other_key} - {""} <= set(known)


def test_unknown_code_is_told_with_file_and_row() -> None:
    sample = {"row": 7, "context": {"fieldValue": "x"}}
    report = ask(
        answer({"code": "brand_new", "file": "stops.txt", "field": "stop_id", "total": 3, "samples": [sample]})
    )
    (group,) = report.groups
    assert (group.code, group.severity, group.total) == ("brand_new", "warning", 3)
    assert "«brand_new» em stops.txt, linha 7" in group.notices[0].message_pt


def test_notice_without_any_place_names_the_zip() -> None:
    report = ask(
        answer(
            {"code": "brand_new", "file": "", "field": "", "total": 1, "samples": [{"row": None, "context": {}}]}
        )
    )
    assert report.groups[0].notices[0].place == "vila.zip"


def test_groups_about_several_fields_are_counted_together_and_cut() -> None:
    samples = [{"row": row, "context": {}} for row in range(2, 22)]
    groups: list[dict[str, object]] = [
        {
            "code": "missing_recommended_field",
            "file": "routes.txt",
            "field": field,
            "total": 50,
            "samples": samples,
        }
        for field in ("a", "b")
    ]
    (group,) = ask(answer(*groups)).groups
    assert (group.total, len(group.notices)) == (100, SHOWN)


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGABRT)", "second_opinion_too_big"),
        ("import sys; sys.exit(3)", "second_opinion_too_big"),
        ("import sys; sys.exit(1)", "second_opinion_failed"),
        ("print('[{')", "second_opinion_failed"),
    ],
)
def test_death_of_the_process_is_a_notice(program: str, code: str) -> None:
    report = ask((sys.executable, "-c", program))
    assert [group.code for group in report.groups] == [code]
    assert report.accepted


def test_process_that_takes_too_long_is_given_up() -> None:
    report = ask((sys.executable, "-c", "while True: pass"), wall_seconds=0.3)
    assert [group.code for group in report.groups] == ["second_opinion_too_big"]


def test_feed_that_needs_too_much_memory_ends_guru_and_not_us() -> None:
    files = {**small.FILES, "translations.txt": "table_name\n" + "x" * 250_000_000}
    report = check_feed(zip_files(files), "bomba.zip", TODAY, Limits(ratio=10**6), second_opinion=True)
    assert find_group(report, "second_opinion_too_big")


@pytest.mark.parametrize("raw", [b"", b"nada", b"PK\x03\x04"])
def test_guru_is_not_asked_about_a_zip_that_breaks_our_limits(raw: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Guru, "begin", lambda guru: pytest.fail("begun"))
    assert not check_feed(raw, "x.zip", TODAY, second_opinion=True).accepted


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with asking_guru(small_feed(), TODAY, SHOWN) as guru:
        assert guru is not None
        guru.begin()
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())


def test_process_that_cannot_be_started_is_a_notice() -> None:
    assert [group.code for group in ask(("/nowhere/python",)).groups] == ["second_opinion_failed"]


@pytest.mark.parametrize(
    "name", ["google-sample-feed-1", "kart-loops-bom", "pimampiro-coop", "rio-grande-ar", "zakroczym-fares-v2"]
)
def test_second_opinion_changes_nothing_of_our_own_report(name: str) -> None:
    raw = demand_feed(name)
    alone = check_feed(raw, f"{name}.zip", TODAY)
    both = check_feed(raw, f"{name}.zip", TODAY, second_opinion=True)
    assert both.accepted == alone.accepted
    assert set(alone.groups) <= set(both.groups)
    assert len({group.code for group in both.groups}) == len(both.groups)
    for group in both.groups:
        assert all(notice.message_pt.endswith(".") and notice.file for notice in group.notices)
