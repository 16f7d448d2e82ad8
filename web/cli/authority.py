"""`selo authority`: add, show and list the authorities of this deployment."""

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli import BadInput, opened_services

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlmodel import Session

    from complaints.authorities.tables import Authority
    from web.services import Services


@click.group()
def authority() -> None:
    """Add, show and list authorities."""


@authority.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--rulebook",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The town's law as TOML; it is checked and kept in the data folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def add(file: Path, rulebook: Path | None, as_json: bool) -> None:
    """Add the authority described by a TOML FILE (see docs/operations.md)."""
    from complaints.authorities.adding import AuthorityExists, add_authority
    from complaints.authorities.town_file import BadTownFile, parse_town

    with opened_services() as services, _kept_rulebook(services, rulebook) as keep:
        try:
            town = parse_town(file.read_bytes())
        except BadTownFile as problem:
            raise BadInput(f"{file}: {problem}") from None
        try:
            with services.database.write() as session:
                added = add_authority(session, town, services.clock(), demo=services.settings.demo)
                report = _report(added)
        except AuthorityExists as problem:
            raise BadInput(f"{file}: {problem.field} {problem.value} belongs to another authority") from None
        keep()
    click.echo(json.dumps(report, ensure_ascii=False, indent=2) if as_json else f"Added {report['slug']}.")


@contextmanager
def _kept_rulebook(services: "Services", file: Path | None) -> "Iterator[Callable[[], None]]":
    """Put a checked rulebook into the data folder; it goes again unless it is told to be kept."""
    from complaints.law.rulebook import BadRulebook, forget_rulebooks, list_rulebooks, parse_rulebook
    from web.services import RULEBOOKS

    if file is None:
        yield lambda: None
        return
    content = file.read_bytes()
    try:
        found = parse_rulebook(content)
    except BadRulebook as problem:
        raise BadInput(f"{file}: {problem}") from None
    if found.law.id in list_rulebooks():
        raise BadInput(f"{file}: there is a rulebook {found.law.id} already")
    target = services.settings.data_dir / RULEBOOKS / f"{found.law.id}.toml"
    target.parent.mkdir(mode=0o700, exist_ok=True)
    part = target.with_suffix(".part")
    part.write_bytes(content)
    part.replace(target)
    forget_rulebooks()
    kept: list[bool] = []
    try:
        yield lambda: kept.append(True)
    finally:
        if not kept:
            target.unlink(missing_ok=True)
            forget_rulebooks()


@authority.command("list")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def list_(as_json: bool) -> None:
    """List the authorities."""
    from sqlmodel import col, select

    from complaints.authorities.tables import Authority

    with opened_services() as services, services.database.read() as session:
        rows = [_report(row) for row in session.exec(select(Authority).order_by(col(Authority.slug))).all()]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        for row in rows:
            click.echo(f"{row['slug']}  {row['town']}/{row['uf']}  {row['law']}")


@authority.command()
@click.argument("slug")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def show(slug: str, as_json: bool) -> None:
    """Show one authority."""
    with opened_services() as services, services.database.read() as session:
        report = _report(get_authority(session, slug))
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        for name, value in report.items():
            click.echo(f"{name}: {value}")


def get_authority(session: "Session", slug: str) -> "Authority":
    """The authority of a slug; BadInput names the known ones."""
    from sqlmodel import col, select

    from complaints.authorities.tables import Authority

    found = session.exec(select(Authority).where(Authority.slug == slug)).first()
    if found is None:
        known = session.exec(select(Authority.slug).order_by(col(Authority.slug))).all()
        raise BadInput(f"no authority {slug!r}; known: {', '.join(known) or 'none yet'}")
    return found


def _report(row: "Authority") -> dict[str, Any]:
    return {
        "slug": row.slug,
        "town": row.town,
        "uf": row.uf,
        "name": row.name,
        "short_name": row.short_name,
        "law": row.law_id,
        "clock_law": row.clock_law_id,
        "time_zone": row.time_zone,
        "phone": row.phone,
        "sms_number": row.sms_number,
        "email": row.email,
        "has_lines": row.has_lines,
        "demo": row.demo,
    }
