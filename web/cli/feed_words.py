"""What the commands of `selo feed` share: the authority, its day, who gives the command, and how answers look."""

import getpass
import json
from datetime import date
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from web.cli import BadInput

if TYPE_CHECKING:
    from complaints.authorities.tables import Authority
    from web.services import Services

as_json_option = click.option("--json", "as_json", is_flag=True, help="Report as JSON.")


def get_town(services: "Services", slug: str) -> "Authority":
    """The authority of a slug; BadInput names the known ones."""
    from web.cli.authority import get_authority

    with services.database.read() as session:
        return get_authority(session, slug)


def authority_id(town: "Authority") -> int:
    """The number of an authority that is in the database."""
    if town.id is None:
        raise ValueError("an authority that is not in the database has no feed")
    return town.id


def local_today(services: "Services", town: "Authority") -> date:
    """The day it is there."""
    return services.clock().astimezone(ZoneInfo(town.time_zone)).date()


def who() -> str:
    """The account of the machine that gives the command."""
    try:
        return f"selo feed ({getpass.getuser()})"[:120]
    except (OSError, KeyError):
        return "selo feed"


def unknown_version(authority: str, number: int) -> BadInput:
    """What to say when there is no version of a number."""
    return BadInput(f"{authority} has no version {number}; see `selo feed list {authority}`")


def say(report: Any, as_json: bool) -> None:
    """Print words, or values as JSON."""
    click.echo(json.dumps(report, ensure_ascii=False, indent=2) if as_json else report)
