"""Notices gathered into a report."""

import json

import pytest

from gtfs.checks.notices import SHOWN, Finding, Notices, report_from_json


def test_notices_of_one_code_are_capped_and_counted() -> None:
    notices = Notices()
    for row in range(2, 1002):
        notices.add("invalid_date", Finding("calendar.txt", row, "end_date", "x"))
    (group,) = notices.report("a.zip").groups
    assert (group.total, len(group.notices)) == (1000, SHOWN)
    assert group.notices[0].row == 2


def test_errors_come_first_and_decide() -> None:
    notices = Notices()
    notices.add("unknown_file", Finding("x.txt"))
    assert not notices.refused
    assert notices.report("a.zip").accepted
    notices.add("missing_required_file", Finding("stops.txt"))
    report = notices.report("a.zip")
    assert notices.refused
    assert [group.severity for group in report.groups] == ["error", "warning"]
    assert (report.accepted, report.errors, report.warnings) == (False, 1, 1)


def test_report_survives_json() -> None:
    notices = Notices()
    notices.add("invalid_time", Finding("stop_times.txt", 7, "arrival_time", "6h"))
    notices.add("unknown_file", Finding("x.txt"))
    report = notices.report("a.zip")
    assert report_from_json(json.loads(json.dumps(report.to_json()))) == report


def test_hostile_texts_become_one_short_printable_line() -> None:
    notices = Notices()
    notices.add("unknown_column", Finding("a.txt", 1, "x\ny\x1b[31m{file}" + "z" * 500))
    (notice,) = notices.report("a.zip").groups[0].notices
    assert notice.field.startswith("x y?[31m{file}zzz")
    assert len(notice.field) == 80
    assert notice.field in notice.message_pt


def test_place_names_file_and_row() -> None:
    notices = Notices()
    notices.add("invalid_date", Finding("calendar.txt", 4, "end_date", "x"))
    notices.add("missing_required_file", Finding("stops.txt"))
    places = {notice.place for group in notices.report("a").groups for notice in group.notices}
    assert places == {"calendar.txt, linha 4", "stops.txt"}


def test_code_outside_the_table_is_our_mistake() -> None:
    with pytest.raises(KeyError):
        Notices().add("no_such_code", Finding("a.txt"))
