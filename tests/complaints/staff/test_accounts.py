"""Accounts of staff on both databases."""

from collections.abc import Callable
from datetime import datetime

import pytest

from complaints.staff.accounts import (
    BadAccount,
    EmailTaken,
    StaffMember,
    UnknownStaff,
    add_staff,
    deactivate,
    find_account,
    get_account,
    get_member,
    list_names,
    list_staff,
    set_password,
)
from complaints.staff.permissions import UnknownRole
from complaints.staff.sessions import find_session, open_session
from web.db import Database

Add = Callable[..., StaffMember]


def test_a_person_is_added_with_roles_and_found_by_email_in_any_case(database: Database, add: Add) -> None:
    member = add(" Ana@Marica.Example ", "triager", "attendant", "triager")
    assert member.email == "ana@marica.example"
    assert member.name == "ana"
    assert member.roles == ("attendant", "triager")
    assert member.may("case.answer")
    assert not member.may("staff.manage")
    with database.read() as session:
        staff = find_account(session, "ANA@marica.example")
        assert staff is not None
        assert get_member(session, 1, staff.id) == member


@pytest.mark.parametrize(
    "email", ["", "ana", "ana@", "@marica.example", "ana@marica", "ana souza@marica.example", "a@b..c", "x" * 250]
)
def test_what_is_no_email_is_refused(email: str, add: Add) -> None:
    with pytest.raises(BadAccount):
        add(email)


def test_an_email_is_taken_in_the_whole_deployment(database: Database, add: Add) -> None:
    add("ana@marica.example")
    with pytest.raises(EmailTaken):
        add("ANA@marica.example", authority_id=2)
    with database.read() as session:
        assert list_staff(session, 2) == ()


def test_a_person_needs_a_role_that_exists(database: Database, two_towns: tuple[int, int], now: datetime) -> None:
    with pytest.raises(BadAccount), database.write() as session:
        add_staff(session, 1, "ana@marica.example", "Ana", (), "none", now)
    with pytest.raises(UnknownRole), database.write() as session:
        add_staff(session, 1, "ana@marica.example", "Ana", ("triager", "janitor"), "none", now)
    with database.read() as session:
        assert find_account(session, "ana@marica.example") is None


def test_people_of_one_authority_are_listed_alone(database: Database, add: Add) -> None:
    rui = add("rui@marica.example", "clerk")
    ana = add("ana@marica.example", "mayor")
    add("eva@canaa.example", "triager", authority_id=2)
    with database.read() as session:
        assert list_staff(session, 1) == (ana, rui)
        assert list_names(session, 1) == {ana.id: "ana", rui.id: "rui"}


def test_an_account_of_another_authority_is_unknown_here(database: Database, add: Add) -> None:
    eva = add("eva@canaa.example", authority_id=2)
    with database.read() as session:
        with pytest.raises(UnknownStaff):
            get_account(session, 1, "eva@canaa.example")
        with pytest.raises(UnknownStaff):
            get_member(session, 1, eva.id)
        assert get_account(session, 2, "eva@canaa.example").id == eva.id


def test_changing_the_password_ends_the_sessions_of_this_person_only(
    database: Database, add: Add, now: datetime
) -> None:
    add("ana@marica.example")
    add("rui@marica.example")
    with database.write() as session:
        ana = get_account(session, 1, "ana@marica.example")
        tokens = [open_session(session, ana, now), open_session(session, ana, now)]
        other = open_session(session, get_account(session, 1, "rui@marica.example"), now)
    with database.write() as session:
        set_password(session, get_account(session, 1, "ana@marica.example"), "another hash")
    with database.read() as session:
        assert get_account(session, 1, "ana@marica.example").password_hash == "another hash"
        assert [find_session(session, token, now) for token in tokens] == [None, None]
        assert find_session(session, other, now) is not None


def test_a_closed_account_ends_its_sessions_may_nothing_and_keeps_its_name(
    database: Database, add: Add, now: datetime
) -> None:
    ana = add("ana@marica.example")
    with database.write() as session:
        token = open_session(session, get_account(session, 1, "ana@marica.example"), now)
    with database.write() as session:
        deactivate(session, get_account(session, 1, "ana@marica.example"))
    with database.read() as session:
        assert find_session(session, token, now) is None
        member = get_member(session, 1, ana.id)
        assert not member.active
        assert not member.may("case.read")
        assert list_names(session, 1) == {ana.id: "ana"}
