"""`selo demo`: five towns to try everything with."""

import json
import os
from ipaddress import ip_address
from typing import TYPE_CHECKING

import click

from web.cli import BadInput, current_settings

if TYPE_CHECKING:
    from web.demo.seeding import Demonstration


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def demo(as_json: bool) -> None:
    """Fill the database with the demonstration; harmless when repeated. Prints addresses and log-ins."""
    _allow_demonstration()
    from web.cli import opened_services
    from web.demo.seeding import seed_demo
    from web.migrations import migrate
    from web.services import open_services
    from web.settings import read_settings

    settings = read_settings(os.environ)
    services = open_services(settings)
    try:
        migrate(services.database)
    finally:
        services.close()
    with opened_services() as opened:
        seeded = seed_demo(opened, lambda words: click.echo(words, err=True))
    click.echo(json.dumps(seeded.as_json(), ensure_ascii=False, indent=2) if as_json else _in_words(seeded))


def _allow_demonstration() -> None:
    """A demonstration only where nobody else can reach it, unless SELO_DEMO=1 says that it is meant."""
    if os.environ.get("SELO_DEMO", "").strip():
        _refuse_unless_meant()
        return
    if os.environ.get("SELO_SECRET_KEY") or os.environ.get("SELO_DATA_KEYS"):
        raise BadInput("these are the settings of a real server; set SELO_DEMO=1 if a demonstration is meant")
    host = os.environ.get("HOST", "127.0.0.1").strip() or "127.0.0.1"
    if not _is_loopback(host):
        raise BadInput(f"HOST={host} can be reached from outside; set SELO_DEMO=1 if that is meant")
    os.environ["SELO_DEMO"] = "1"


def _refuse_unless_meant() -> None:
    """SELO_DEMO=0 says that this is a real server: people who do not exist must never get in there."""
    if not current_settings().demo:
        raise BadInput("SELO_DEMO says that this is no demonstration; set SELO_DEMO=1 if one is meant")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _in_words(seeded: "Demonstration") -> str:
    lines = [f"Selo: demonstration at {seeded.address}/", ""]
    for town in seeded.towns:
        seals = "  ".join(f"{state} {code}" for state, code in town.seals.items())
        lines.append(f"{town.name}: {town.address}")
        lines.append(f"    seals: {seals}   plate: {town.plates[0]}")
    lines += ["", f"Staff sign in at {seeded.address}/equipe/entrar:"]
    lines += [f"    {item.email:<52} {item.password or '(password set by hand)'}" for item in seeded.log_ins]
    return "\n".join(lines)
