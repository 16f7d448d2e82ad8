"""Accounts of the people who work for an authority: adding, finding, changing the password, deactivating."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, delete, select

from complaints.staff import permissions
from complaints.staff.tables import Staff, StaffRole, StaffSession

_EMAIL = re.compile(r"[^@\s,;<>\"]{1,64}@[^@\s,;<>\".]+(\.[^@\s,;<>\".]+)+\Z")


class BadAccount(Exception):
    """An account that cannot be made as asked; the message says why."""


class EmailTaken(BadAccount):
    """Somebody in this deployment already has the e-mail."""


class UnknownStaff(Exception):
    """No account of this authority has the e-mail."""


@dataclass(frozen=True)
class StaffMember:
    """A person of the staff as the rest of the program sees one."""

    authority_id: int
    id: UUID
    email: str
    name: str
    roles: tuple[str, ...]
    active: bool
    created_at: datetime

    def may(self, permission: str) -> bool:
        """Whether this person may do it; an inactive person may nothing. Raises UnknownPermission."""
        return permissions.may(self.roles, permission) and self.active


def fold_email(text: str) -> str:
    """The stored spelling of an e-mail: no outer blanks, lower case."""
    return text.strip().lower()


def add_staff(
    session: Session,
    authority_id: int,
    email: str,
    name: str,
    roles: Sequence[str],
    password_hash: str,
    now: datetime,
) -> StaffMember:
    """Add a person with at least one role; `password_hash` comes from passwords.hash_password.

    An empty name becomes the part before the @. Raises BadAccount, EmailTaken and UnknownRole.
    """
    email = check_email(email)
    if not roles:
        raise BadAccount("a person needs at least one role")
    for role in roles:
        permissions.get_role(role)
    if find_account(session, email) is not None:
        raise EmailTaken(f"{email} already has an account")
    staff = Staff(
        authority_id=authority_id,
        email=email,
        name=(name.strip() or email.partition("@")[0])[:120],
        password_hash=password_hash,
        created_at=now,
    )
    session.add(staff)
    session.flush()
    for role in sorted(set(roles)):
        session.add(StaffRole(authority_id=authority_id, staff_id=staff.id, role=role))
    session.flush()
    return member_of(session, staff)


def check_email(text: str) -> str:
    """The folded e-mail; raises BadAccount when it cannot be one."""
    email = fold_email(text)
    if len(email) > 200 or not _EMAIL.match(email):
        raise BadAccount(f"{text.strip()!r} is not an e-mail address")
    return email


def find_account(session: Session, email: str) -> Staff | None:
    """The account with this e-mail in any authority, inactive ones too."""
    return session.exec(select(Staff).where(Staff.email == fold_email(email))).one_or_none()


def get_account(session: Session, authority_id: int, email: str) -> Staff:
    """The account with this e-mail in this authority; raises UnknownStaff."""
    staff = find_account(session, email)
    if staff is None or staff.authority_id != authority_id:
        raise UnknownStaff(fold_email(email))
    return staff


def get_member(session: Session, authority_id: int, staff_id: UUID) -> StaffMember:
    """One person by id; raises UnknownStaff."""
    staff = session.get(Staff, (authority_id, staff_id))
    if staff is None:
        raise UnknownStaff(str(staff_id))
    return member_of(session, staff)


def member_of(session: Session, staff: Staff) -> StaffMember:
    """The person of an account, with roles in alphabetical order."""
    roles = session.exec(
        select(StaffRole.role).where(StaffRole.authority_id == staff.authority_id, StaffRole.staff_id == staff.id)
    ).all()
    return _member(staff, roles)


def list_staff(session: Session, authority_id: int) -> tuple[StaffMember, ...]:
    """Everybody of one authority, by e-mail."""
    accounts = session.exec(
        select(Staff).where(Staff.authority_id == authority_id).order_by(col(Staff.email))
    ).all()
    held: dict[UUID, list[str]] = {staff.id: [] for staff in accounts}
    for row in session.exec(select(StaffRole).where(StaffRole.authority_id == authority_id)).all():
        held[row.staff_id].append(row.role)
    return tuple(_member(staff, held[staff.id]) for staff in accounts)


def list_names(session: Session, authority_id: int) -> dict[UUID, str]:
    """The name of each person of one authority, inactive ones too, for histories."""
    rows = session.exec(select(Staff.id, Staff.name).where(Staff.authority_id == authority_id)).all()
    return dict(rows)


def set_password(session: Session, staff: Staff, password_hash: str) -> None:
    """Store another password and end every session of this person."""
    staff.password_hash = password_hash
    session.add(staff)
    end_sessions(session, staff)


def deactivate(session: Session, staff: Staff) -> None:
    """Close the account and end its sessions. The row stays: histories name it."""
    staff.active = False
    session.add(staff)
    end_sessions(session, staff)


def end_sessions(session: Session, staff: Staff) -> None:
    """End every session of this person."""
    session.exec(
        delete(StaffSession).where(
            col(StaffSession.authority_id) == staff.authority_id, col(StaffSession.staff_id) == staff.id
        )
    )


def _member(staff: Staff, roles: Sequence[str]) -> StaffMember:
    return StaffMember(
        staff.authority_id, staff.id, staff.email, staff.name, tuple(sorted(roles)), staff.active, staff.created_at
    )
