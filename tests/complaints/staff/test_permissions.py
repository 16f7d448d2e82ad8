"""The whole table of roles and permissions."""

import pytest

from complaints.staff.permissions import (
    UnknownPermission,
    UnknownRole,
    get_role,
    may,
    permissions,
    permissions_of,
    roles,
)

CONTRACT_ROLES = [
    "attendant",
    "triager",
    "inspector",
    "transport_head",
    "president",
    "mayor",
    "board",
    "clerk",
    "registrar",
    "auditor",
    "administrator",
]

WHO_MAY = {
    "desk.enter": " ".join(CONTRACT_ROLES),
    "case.read": "attendant triager inspector transport_head president mayor board auditor",
    "case.read_confidential": "attendant triager transport_head president",
    "case.classify": "attendant triager transport_head",
    "case.answer": "triager transport_head president",
    "case.extend": "triager transport_head president",
    "case.archive": "triager transport_head president",
    "evidence.original": "triager transport_head president",
    "evidence.hide": "triager transport_head president",
    "case.file_for_other": "attendant triager",
    "identity.read": "attendant triager",
    "inspection.read": "attendant triager inspector transport_head president mayor board registrar auditor",
    "inspection.order": "triager transport_head president",
    "inspection.record": "inspector",
    "vehicle.read": "attendant triager inspector transport_head president mayor board clerk registrar auditor",
    "registry.seal": "transport_head registrar",
    "feed.publish": "transport_head clerk",
    "alert.publish": "transport_head clerk",
    "fare.record": "transport_head president mayor clerk administrator",
    "authority.choose": "president mayor administrator",
    "message.read": "attendant triager transport_head",
    "staff.manage": "administrator",
    "audit.read": "auditor",
}


def test_the_roles_are_those_of_the_contract_in_its_order() -> None:
    assert list(roles()) == CONTRACT_ROLES


def test_the_table_above_names_every_permission() -> None:
    assert set(WHO_MAY) == set(permissions())


@pytest.mark.parametrize("permission", WHO_MAY)
@pytest.mark.parametrize("role", CONTRACT_ROLES)
def test_each_role_has_exactly_its_permissions(role: str, permission: str) -> None:
    assert may([role], permission) == (role in WHO_MAY[permission].split())


def test_a_role_names_only_permissions_that_exist() -> None:
    for role in roles().values():
        assert role.permissions <= set(permissions()), role.name


def test_roles_and_permissions_have_words_for_people() -> None:
    labels = [role.label for role in roles().values()]
    assert all(labels)
    assert len(set(labels)) == len(labels)
    assert all(permissions().values())


@pytest.mark.parametrize("role", ["administrator", "auditor"])
def test_who_runs_or_audits_the_system_reads_no_identity_and_no_confidential_words(role: str) -> None:
    assert not may([role], "identity.read")
    assert not may([role], "case.read_confidential")
    assert not may([role], "message.read")


def test_only_those_who_may_read_confidential_cases_may_see_who_filed_them() -> None:
    for role in roles().values():
        if "identity.read" in role.permissions:
            assert "case.read_confidential" in role.permissions


def test_whoever_changes_a_case_may_read_it() -> None:
    for role in roles().values():
        if any(name.startswith("case.") for name in role.permissions):
            assert "case.read" in role.permissions


def test_two_roles_add_up() -> None:
    assert may(["clerk", "inspector"], "feed.publish")
    assert may(["clerk", "inspector"], "inspection.record")
    assert permissions_of(["clerk", "inspector"]) == permissions_of(["clerk"]) | permissions_of(["inspector"])


def test_no_role_and_a_role_that_is_gone_give_nothing() -> None:
    assert not may([], "case.read")
    assert not may(["janitor"], "case.read")


def test_asking_for_a_permission_that_does_not_exist_is_a_fault_of_the_program() -> None:
    with pytest.raises(UnknownPermission):
        may(["triager"], "case.raed")


def test_an_unknown_role_is_named_with_those_that_exist() -> None:
    assert get_role("mayor").label == "Prefeitura"
    with pytest.raises(UnknownRole, match=r"janitor.*attendant, triager"):
        get_role("janitor")
