"""`selo case`: list, show and verify the cases of an authority."""

import json
from typing import Any

import click

from web.cli import BadInput, opened_services
from web.cli.authority import get_authority


@click.group()
def case() -> None:
    """List, show and verify cases."""


@case.command("list")
@click.argument("authority")
@click.option("--closed", is_flag=True, help="Closed cases, the newest first, instead of the open ones.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def list_(authority: str, closed: bool, limit: int, as_json: bool) -> None:
    """List the cases of AUTHORITY as the desk sees them: urgent first, then by term."""
    from complaints.cases.protocol import format_protocol
    from complaints.cases.reading import QueueFilter, list_queue

    with opened_services() as services, services.database.read() as session:
        owner = get_authority(session, authority)
        rows = list_queue(session, owner.id, QueueFilter(closed=closed), limit)
    report = [
        {
            "protocol": row.protocol,
            "status": row.status,
            "kind": row.kind,
            "channel": row.channel,
            "urgent": row.urgent,
            "filed_at": row.filed_at.isoformat(),
            "due": row.due_on.isoformat() if row.due_on else None,
            "subjects": list(row.subjects),
        }
        for row in rows
    ]
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False, indent=2))
    for row in () if as_json else rows:
        urgent = "URGENT  " if row.urgent else ""
        click.echo(
            f"{format_protocol(row.protocol)}  {row.status}  due {row.due_on}  {urgent}{'; '.join(row.subjects)}"
        )


@case.command()
@click.argument("authority")
@click.argument("protocol")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def show(authority: str, protocol: str, as_json: bool) -> None:
    """Show one case of AUTHORITY: status, term and history, without the reporter's identity or words."""
    from complaints.cases.follow import UnknownCase, get_case
    from complaints.cases.history import list_events
    from complaints.cases.protocol import BadProtocol, check_protocol

    with opened_services() as services, services.database.read() as session:
        owner = get_authority(session, authority)
        try:
            found = get_case(session, owner.id, check_protocol(protocol))
        except BadProtocol as problem:
            raise BadInput(f"{protocol!r} is not a protocol ({problem.reason}): 12 digits are expected") from None
        except UnknownCase:
            raise BadInput(f"{owner.slug} has no case {protocol}") from None
        events = list_events(session, found.authority_id, found.id)
    report: dict[str, Any] = {
        "protocol": found.protocol,
        "status": found.status,
        "kind": found.kind,
        "channel": found.channel,
        "urgent": found.urgent,
        "filed_at": found.filed_at.isoformat(),
        "due": found.due_on.isoformat() if found.due_on else None,
        "clock_law": found.clock_law_id,
        "head": found.head.hex(),
        "events": [{"seq": e.seq, "kind": e.kind, "at": e.at.isoformat(), "head": e.head.hex()} for e in events],
    }
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False, indent=2))
        return
    for name, value in report.items():
        if name != "events":
            click.echo(f"{name}: {value}")
    for event in events:
        click.echo(f"  {event.seq}. {event.at:%Y-%m-%d %H:%M} {event.kind}")


@case.command()
@click.argument("authority")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def verify(authority: str, as_json: bool) -> None:
    """Check every event, head and checkpoint of AUTHORITY; exit 1 when something was changed."""
    from complaints.cases.verification import verify_authority

    with opened_services() as services, services.database.read() as session:
        owner = get_authority(session, authority)
        found = verify_authority(session, owner.id)
    if as_json:
        faults = [{"case": f.protocol, "event": f.event, "fault": f.what} for f in found.faults]
        report = {"ok": not faults, "cases": found.cases, "events": found.events}
        click.echo(json.dumps({**report, "checkpoints": found.checkpoints, "faults": faults}, indent=2))
    else:
        for fault in found.faults:
            where = f", event {fault.event}" if fault.event else ""
            click.echo(f"FAULT in {fault.protocol}{where}: {fault.what}")
        click.echo(
            f"{found.cases} cases, {found.events} events, {found.checkpoints} checkpoints: "
            + ("all intact." if not found.faults else f"{len(found.faults)} faults.")
        )
    if found.faults:
        raise SystemExit(1)
