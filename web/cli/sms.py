"""`selo sms`: talk to an authority as a phone would, and decide about messages whose fate is unknown."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

import click

from web.cli import BadInput, opened_services
from web.cli.authority import get_authority

if TYPE_CHECKING:
    from web.services import Services

STATES = ("pending", "sending", "sent", "delivered", "unknown", "failed", "parked")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Report as JSON.")


@click.group()
def sms() -> None:
    """Talk to an authority as a phone would; look after its messages."""


@sms.command()
@click.argument("authority")
@click.option("--from", "phone", required=True, metavar="PHONE", help="The number to text from.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each text.")
def chat(authority: str, phone: str, as_json: bool) -> None:
    """Text AUTHORITY from PHONE, one text a line, and print what it answers.

    Texts take the same way as those of the message service; the answers are printed here and sent to nobody.
    Cases are real ones of this database.
    """
    if sum(character.isdigit() for character in phone) < 7:
        raise BadInput(f"{phone!r} is not a telephone number")
    with opened_services() as services:
        with services.database.read() as session:
            number = get_authority(session, authority).sms_number
        if number is None:
            raise BadInput(f"{authority} has no number that takes texts")
        for line in _lines(number):
            _show(_say(services, phone, number, line), as_json)


@dataclass(frozen=True)
class _Exchange:
    """One text and what came of it."""

    text: str
    understood_as: str
    protocol: str | None
    replies: tuple[str, ...]


def _lines(number: str) -> Iterator[str]:
    """What is typed or piped, line by line, to the end."""
    if not sys.stdin.isatty():
        yield from (line.rstrip("\r\n") for line in sys.stdin)
        return
    click.echo(f"Texting {number}; Ctrl-D ends.", err=True)
    while True:
        try:
            yield input("> ")
        except (EOFError, KeyboardInterrupt):
            click.echo()
            return


def _say(services: "Services", phone: str, number: str, text: str) -> _Exchange:
    """Store and answer a text, and take the answers before any worker does, in one transaction."""
    from complaints.cases.tables import CaseFile
    from complaints.messages.inbound import answer_inbound
    from complaints.messages.inbox import store_pairs
    from complaints.messages.outbox import take_for_reading
    from complaints.messages.tables import InboundMessage
    from complaints.messages.wording import finish_text
    from web.messaging import written_text

    now = services.clock()
    with services.database.write() as session:
        row_id = store_pairs(session, services.keyring, written_text(phone, number, text), now)
        answer_inbound(session, services.keyring, row_id, now)
        row = session.get_one(InboundMessage, row_id)
        case = session.get_one(CaseFile, (row.authority_id, row.case_id)) if row.case_id else None
        taken = take_for_reading(session, services.keyring, row.sender_lookup, now)
        return _Exchange(
            text,
            row.understood_as,
            case.protocol if case else None,
            tuple(finish_text(item.channel, item.text, services.settings.public_url) for item in taken),
        )


def _show(exchange: _Exchange, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(vars(exchange), ensure_ascii=False))
    else:
        for reply in exchange.replies or ("(no answer)",):
            click.echo(reply)
    sys.stdout.flush()


@sms.command("list")
@click.argument("authority")
@click.option("--state", type=click.Choice(STATES), help="Only messages in this state.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 10_000))
@AS_JSON
def list_(authority: str, state: str | None, limit: int, as_json: bool) -> None:
    """List the newest messages of AUTHORITY: never their texts or to whom they go."""
    from sqlmodel import col, select

    from complaints.messages.tables import Outbox

    with opened_services() as services, services.database.read() as session:
        owner = get_authority(session, authority)
        query = select(Outbox).where(Outbox.authority_id == owner.id)
        query = query.where(Outbox.state == state) if state else query
        rows = session.exec(
            query.order_by(col(Outbox.created_at).desc(), col(Outbox.id).desc()).limit(limit)
        ).all()
    report: list[dict[str, Any]] = [
        {
            "id": row.id.hex,
            "state": row.state,
            "channel": row.channel,
            "purpose": row.purpose,
            "attempts": row.attempts,
            "created_at": row.created_at.isoformat(timespec="seconds"),
            "error": row.error,
        }
        for row in rows
    ]
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False, indent=2))
    for item in [] if as_json else report:
        click.echo("  ".join(str(value) for value in item.values() if value is not None))


@sms.command()
@click.argument("authority")
@click.argument("message")
@click.argument("decision", type=click.Choice(["resend", "sent", "drop"]))
def decide(authority: str, message: str, decision: str) -> None:
    """Decide about a MESSAGE of AUTHORITY that is unknown, parked or failed.

    resend: send it (again); sent: it did reach the gateway; drop: never send it.
    """
    from complaints.messages.claims import decide as decide_message
    from complaints.messages.tables import Outbox

    try:
        row_id = UUID(hex=message)
    except ValueError:
        raise BadInput(f"{message!r} is not the id of a message (see `selo sms list`)") from None
    with opened_services() as services, services.database.write() as session:
        owner = get_authority(session, authority)
        row = session.get(Outbox, (owner.id, row_id))
        if row is None:
            raise BadInput(f"{owner.slug} has no message {message}")
        if not decide_message(session, (owner.id, row_id), decision, services.clock()):
            raise BadInput(f"the message is {row.state}; only unknown, parked and failed ones wait for a decision")
    click.echo(f"Done: {decision}.")
