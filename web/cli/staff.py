"""`selo staff`: give people access to the desk, list them, change a password, take access away."""

import json
import sys
from typing import TYPE_CHECKING

import click

from web.cli import BadInput, opened_services
from web.cli.authority import get_authority

if TYPE_CHECKING:
    from complaints.staff.accounts import StaffMember

WEAK = {
    "short": "the password needs at least 12 characters",
    "long": "the password may have 200 characters at most",
    "email": "the password may not be the e-mail address",
    "repeated": "the password repeats too few characters",
}

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
PASSWORD_STDIN = click.option(
    "--password-stdin", is_flag=True, required=True, help="Read the password from standard input."
)


@click.group()
def staff() -> None:
    """Give people access to the desk."""


@staff.command()
@click.argument("authority")
@click.argument("email", metavar="E-MAIL")
@click.option("--role", "roles", multiple=True, required=True, help="What the person may do; may be repeated.")
@click.option("--name", default="", help="How histories call the person; default: the part before the @.")
@PASSWORD_STDIN
@AS_JSON
def add(
    authority: str, email: str, roles: tuple[str, ...], name: str, password_stdin: bool, as_json: bool
) -> None:
    """Add a person of AUTHORITY, who logs in with E-MAIL at /equipe/entrar."""
    from complaints.staff.accounts import BadAccount, add_staff, check_email
    from complaints.staff.permissions import UnknownRole, get_role

    try:
        for role in roles:
            get_role(role)
        password_hash = _read_password(check_email(email))
        with opened_services() as services, services.database.write() as session:
            owner = get_authority(session, authority)
            member = add_staff(session, owner.id, email, name, roles, password_hash, services.clock())
    except (BadAccount, UnknownRole) as problem:
        raise BadInput(str(problem)) from None
    _report(member, as_json, f"{member.email} may now log in ({', '.join(member.roles)}).")


@staff.command("list")
@click.argument("authority")
@AS_JSON
def list_(authority: str, as_json: bool) -> None:
    """List the people of AUTHORITY with their roles."""
    from complaints.staff.accounts import list_staff

    with opened_services() as services, services.database.read() as session:
        members = list_staff(session, get_authority(session, authority).id)
    if as_json:
        click.echo(json.dumps([_row(member) for member in members], ensure_ascii=False, indent=2))
        return
    for member in members:
        click.echo(f"{member.email}  {', '.join(member.roles)}{'' if member.active else '  (inactive)'}")


@staff.command()
@click.argument("authority")
@click.argument("email", metavar="E-MAIL")
@AS_JSON
def deactivate(authority: str, email: str, as_json: bool) -> None:
    """Take access away from E-MAIL at once; histories keep the name."""
    from complaints.staff.accounts import UnknownStaff, get_account, member_of
    from complaints.staff.accounts import deactivate as close_account

    with opened_services() as services, services.database.write() as session:
        owner = get_authority(session, authority)
        try:
            account = get_account(session, owner.id, email)
        except UnknownStaff:
            raise BadInput(f"{owner.slug} has nobody with the e-mail {email}") from None
        close_account(session, account)
        member = member_of(session, account)
    _report(member, as_json, f"{member.email} may no longer log in.")


@staff.command()
@click.argument("authority")
@click.argument("email", metavar="E-MAIL")
@PASSWORD_STDIN
@AS_JSON
def password(authority: str, email: str, password_stdin: bool, as_json: bool) -> None:
    """Give E-MAIL another password and end all their sessions."""
    from complaints.staff.accounts import (
        BadAccount,
        UnknownStaff,
        check_email,
        get_account,
        member_of,
        set_password,
    )

    try:
        password_hash = _read_password(check_email(email))
    except BadAccount as problem:
        raise BadInput(str(problem)) from None
    with opened_services() as services, services.database.write() as session:
        owner = get_authority(session, authority)
        try:
            account = get_account(session, owner.id, email)
        except UnknownStaff:
            raise BadInput(f"{owner.slug} has nobody with the e-mail {email}") from None
        set_password(session, account, password_hash)
        member = member_of(session, account)
    _report(member, as_json, f"The password of {member.email} was changed.")


def _read_password(email: str) -> str:
    """The hash of the password on standard input, made before any transaction begins."""
    from complaints.staff.passwords import WeakPassword, hash_password

    try:
        typed = sys.stdin.readline().strip()
        typed.encode()
        return hash_password(typed, email)
    except UnicodeError:
        raise BadInput("the password on standard input is not UTF-8 text") from None
    except WeakPassword as weak:
        raise BadInput(WEAK[weak.reason]) from None


def _report(member: "StaffMember", as_json: bool, words: str) -> None:
    click.echo(json.dumps(_row(member), ensure_ascii=False, indent=2) if as_json else words)


def _row(member: "StaffMember") -> dict[str, object]:
    return {
        "email": member.email,
        "name": member.name,
        "roles": list(member.roles),
        "active": member.active,
        "created_at": member.created_at.isoformat(),
    }
