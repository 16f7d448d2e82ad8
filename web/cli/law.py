"""`selo law`: list and show the rulebooks, and check a rulebook file. Needs no settings, database or network."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli import BadInput

if TYPE_CHECKING:
    from complaints.law.schema import Rulebook

as_json_option = click.option("--json", "as_json", is_flag=True, help="Report as JSON.")


@click.group()
def law() -> None:
    """Look up laws, rights, offences and deadlines."""


@law.command("list")
@as_json_option
def list_(as_json: bool) -> None:
    """List the laws that Selo knows."""
    from complaints.law.rulebook import get_rulebook, list_rulebooks

    rows = [_summary(get_rulebook(law_id)) for law_id in list_rulebooks()]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    width = max(len(row["id"]) for row in rows)
    for row in rows:
        click.echo(f"{row['id']:{width}}  {row['name']}, {row['place']}")


@law.command()
@click.argument("rulebook")
@as_json_option
def show(rulebook: str, as_json: bool) -> None:
    """Show one law: services, fares, inspection and complaint subjects. RULEBOOK is an id of `selo law list`."""
    from complaints.law.rulebook import UnknownRulebook, get_rulebook

    try:
        found = get_rulebook(rulebook)
    except UnknownRulebook as error:
        raise BadInput(f"there is no rulebook {error.law_id!r}; `selo law list` shows those that exist") from None
    if as_json:
        click.echo(found.model_dump_json(by_alias=True, exclude_none=True, indent=2))
        return
    for line in _describe(found):
        click.echo(line)


@law.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@as_json_option
def check(file: Path, as_json: bool) -> None:
    """Check the rulebook FILE (TOML) and tell every fault with its place; exit 2 when there is one."""
    from complaints.law.rulebook import BadRulebook, read_rulebook

    try:
        found = read_rulebook(file)
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from None
    except BadRulebook as error:
        _tell_faults(file, [(fault.place, fault.message) for fault in error.faults], as_json)
        count = len(error.faults)
        raise BadInput(f"{file}: {count} {'fault' if count == 1 else 'faults'}") from None
    if as_json:
        click.echo(json.dumps({"file": str(file), **_summary(found), "faults": []}, ensure_ascii=False, indent=2))
        return
    click.echo(f"{file}: {found.law.name} is whole, with {len(found.subjects)} complaint subjects.")


def _tell_faults(file: Path, faults: list[tuple[str, str]], as_json: bool) -> None:
    if as_json:
        rows = [{"place": place, "message": message} for place, message in faults]
        click.echo(json.dumps({"file": str(file), "faults": rows}, ensure_ascii=False, indent=2))
        return
    for place, message in faults:
        click.echo(f"{place}: {message}")


def _summary(rulebook: "Rulebook") -> dict[str, Any]:
    law = rulebook.law
    return {
        "id": law.id,
        "name": law.name,
        "place": f"{law.municipality} ({law.uf})" if law.municipality else "Brasil",
        "signed_on": law.signed_on.isoformat(),
        "services": [service.id for service in rulebook.services],
        "subjects": len(rulebook.subjects),
        "infractions": len(rulebook.infractions),
        "duties": len(rulebook.duties),
        "fare_rules": len(rulebook.fare_rules),
    }


def _describe(rulebook: "Rulebook") -> list[str]:
    sections = (
        ("Serviços", [service.label for service in rulebook.services]),
        (
            "Quem viaja de graça ou paga metade",
            [f"{rule.label}: {rule.percent_off}% ({'; '.join(rule.citations)})" for rule in rulebook.fare_rules],
        ),
        ("Vistoria", [rulebook.inspection.text] if rulebook.inspection else []),
        ("Prazos", [f"{step.text} {step.days} dias ({step.citations[0]})" for step in rulebook.steps]),
        (
            "Assuntos de reclamação",
            [
                f"{subject.key}: {subject.label}{' [urgente]' if subject.urgent else ''}"
                for subject in rulebook.subjects
            ],
        ),
        ("O que a lei não diz", list(rulebook.silences)),
    )
    lines = [rulebook.law.name, rulebook.law.summary]
    for title, entries in sections:
        if entries:
            lines += ["", title, *(f"  {entry}" for entry in entries)]
    return lines
