"""`selo seal`: issue, check, revoke and list seals, and print their labels."""

import json
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli import BadInput, opened_services

if TYPE_CHECKING:
    from sqlmodel import Session

    from complaints.authorities.tables import Authority
    from complaints.registry.seal_code import BadSealCode
    from complaints.registry.tables import Seal, Vehicle

as_json_option = click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
label_path = click.Path(dir_okay=False, writable=True, path_type=Path)


@click.group()
def seal() -> None:
    """Issue, check and revoke seals."""


@seal.command()
@click.argument("authority")
@click.option("--vehicle", "plate", required=True, help="Plate of a registered vehicle, in either form.")
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), help="Last day; default: the interval of the law.")
@click.option("--own-number", help="The authority's own number, printed on its paper.")
@click.option("--label", "label_file", type=label_path, help="Write the printable label (SVG) to this file.")
@as_json_option
def issue(
    authority: str,
    plate: str,
    until: datetime | None,
    own_number: str | None,
    label_file: Path | None,
    as_json: bool,
) -> None:
    """Issue a seal for a vehicle of AUTHORITY."""
    from complaints.registry.seals import CannotIssueSeal, issue_seal
    from complaints.registry.vehicles import find_by_plate
    from web.cli.authority import get_authority
    from web.seal_labels import seal_label

    with opened_services() as services:
        now = services.clock()
        with services.database.write() as session:
            town = get_authority(session, authority)
            vehicle = find_by_plate(session, town.id, plate)
            if vehicle is None:
                raise BadInput(f"no vehicle with the plate {plate!r} is registered in {authority}")
            try:
                issued = issue_seal(session, vehicle, until.date() if until else None, None, now, own_number)
            except CannotIssueSeal as problem:
                raise BadInput(str(problem)) from None
        report = _report(issued, vehicle, _today(town, now))
        drawing = seal_label(services.settings.public_url, town, vehicle, issued) if label_file else ""
    if label_file:
        _write_label(label_file, drawing, issued.code)
    _say(report, f"Issued {issued.code} for {vehicle.plate}, valid until {issued.valid_until}.", as_json)


@seal.command()
@click.argument("code", nargs=-1, required=True)
@as_json_option
def check(code: tuple[str, ...], as_json: bool) -> None:
    """Tell whether CODE has the form of a seal code. Needs no settings, database or network."""
    from complaints.registry.seal_code import BadSealCode, check_code, format_code

    typed = " ".join(code)
    try:
        right = check_code(typed)
    except BadSealCode as problem:
        if as_json:
            _say(_describe_problem(problem), "", as_json)
        meant = f" Você quis dizer {format_code(problem.suggestion)}?" if problem.suggestion else ""
        raise BadInput(f"{typed}: {problem}{meant}") from None
    _say({"valid": True, "code": right}, f"{format_code(right)} is well formed.", as_json)


@seal.command()
@click.argument("code")
@click.option("--reason", required=True, help="Why; kept for staff, never public.")
@as_json_option
def revoke(code: str, reason: str, as_json: bool) -> None:
    """Revoke the seal CODE for ever."""
    from complaints.registry.seals import CannotRevokeSeal, revoke_seal

    with opened_services() as services:
        now = services.clock()
        with services.database.write() as session:
            town, vehicle, found = _get_seal(session, code)
            try:
                revoke_seal(session, found, reason, now)
            except CannotRevokeSeal as problem:
                raise BadInput(f"{code}: {problem}") from None
        report = _report(found, vehicle, _today(town, now))
    _say(report, f"Revoked {found.code} of {vehicle.plate}.", as_json)


@seal.command()
@click.argument("code")
@click.option("--out", type=label_path, required=True, help="SVG file to write.")
def label(code: str, out: Path) -> None:
    """Write the printable label of the seal CODE."""
    from web.seal_labels import seal_label

    with opened_services() as services, services.database.read() as session:
        town, vehicle, found = _get_seal(session, code)
        drawing = seal_label(services.settings.public_url, town, vehicle, found)
    _write_label(out, drawing, found.code)
    click.echo(f"Wrote {out}.")


@seal.command("list")
@click.argument("authority")
@as_json_option
def list_(authority: str, as_json: bool) -> None:
    """List the seals of AUTHORITY, the newest first."""
    from complaints.registry.seals import list_seals
    from web.cli.authority import get_authority

    with opened_services() as services, services.database.read() as session:
        town = get_authority(session, authority)
        today = _today(town, services.clock())
        rows = [_report(found, vehicle, today) for found, vehicle in list_seals(session, town.id)]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        click.echo(f"{row['code']}  {row['plate']}  {row['state']}  until {row['valid_until']}")


def _get_seal(session: "Session", typed: str) -> "tuple[Authority, Vehicle, Seal]":
    from complaints.authorities.tables import Authority
    from complaints.registry.seal_code import BadSealCode, check_code
    from complaints.registry.seals import find_seal
    from complaints.registry.tables import Vehicle

    try:
        found = find_seal(session, check_code(typed))
    except BadSealCode as problem:
        raise BadInput(f"{typed}: {problem}") from None
    if found is None:
        raise BadInput(f"no seal has the code {typed}")
    town = session.get_one(Authority, found.authority_id)
    return town, session.get_one(Vehicle, (found.authority_id, found.vehicle_id)), found


def _today(town: "Authority", now: datetime) -> date:
    from complaints.authorities.calendar import local_date

    return local_date(town, now)


def _report(found: "Seal", vehicle: "Vehicle", today: date) -> dict[str, Any]:
    from complaints.registry.seals import seal_state

    return {
        "code": found.code,
        "own_number": found.own_number,
        "plate": vehicle.plate,
        "fleet_number": vehicle.fleet_number,
        "state": seal_state(found, today),
        "valid_until": found.valid_until.isoformat(),
        "issued_at": found.issued_at.isoformat(),
        "revoked_at": found.revoked_at.isoformat() if found.revoked_at else None,
        "revoked_reason": found.revoked_reason,
    }


def _describe_problem(problem: "BadSealCode") -> dict[str, Any]:
    return {
        "valid": False,
        "problem": problem.word,
        "read": problem.read,
        "message": str(problem),
        "suggestion": problem.suggestion,
    }


def _write_label(path: Path, drawing: str, code: str) -> None:
    try:
        path.write_text(drawing, encoding="utf-8")
    except OSError as problem:
        raise BadInput(
            f"{path}: {problem.strerror}; the seal {code} stands, print its label with `selo seal label {code}`"
        ) from None


def _say(report: dict[str, Any], line: str, as_json: bool) -> None:
    click.echo(json.dumps(report, ensure_ascii=False, indent=2) if as_json else line)
