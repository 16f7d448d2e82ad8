"""The authority's choices: dated acts that are only ever added, read as they stood on a day."""

import json
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlmodel import Session, col, select

from complaints.authorities.tables import AuthorityChoice


class BackdatedChoice(Exception):
    """A choice cannot take effect before the day it is made: acts already done keep the reading they used."""

    def __init__(self, key: str, effective_from: date, today: date) -> None:
        super().__init__(f"{key}: {effective_from} is before {today}")
        self.key = key
        self.effective_from = effective_from
        self.today = today


@dataclass(frozen=True)
class Choice:
    """A choice in force: its value (JSON) and the act behind it."""

    value: Any
    instrument: str
    document: str | None
    effective_from: date


def add_choice(
    session: Session,
    authority_id: int,
    kind: str,
    key: str,
    value: Any,
    *,
    instrument: str,
    effective_from: date,
    today: date,
    now: datetime,
    document: str | None = None,
    chosen_by: UUID | None = None,
) -> None:
    """Record a choice; raises BackdatedChoice. `today` is the authority's date."""
    if effective_from < today:
        raise BackdatedChoice(key, effective_from, today)
    session.add(
        AuthorityChoice(
            authority_id=authority_id,
            kind=kind,
            key=key,
            value=json.dumps(value, sort_keys=True, ensure_ascii=False),
            instrument=instrument,
            document=document,
            effective_from=effective_from,
            chosen_by=chosen_by,
            chosen_at=now,
        )
    )


def find_choice(session: Session, authority_id: int, kind: str, key: str, day: date) -> Choice | None:
    """The choice in force on `day`: the latest to take effect, and of those the latest made."""
    row = session.exec(
        select(AuthorityChoice)
        .where(
            AuthorityChoice.authority_id == authority_id,
            AuthorityChoice.kind == kind,
            AuthorityChoice.key == key,
            AuthorityChoice.effective_from <= day,
        )
        .order_by(col(AuthorityChoice.effective_from).desc(), col(AuthorityChoice.chosen_at).desc())
        .limit(1)
    ).first()
    return _choice(row) if row else None


def list_choices(session: Session, authority_id: int, kind: str, day: date) -> dict[str, Choice]:
    """The choices of one kind in force on `day`, by key, as find_choice finds each."""
    rows = session.exec(
        select(AuthorityChoice)
        .where(
            AuthorityChoice.authority_id == authority_id,
            AuthorityChoice.kind == kind,
            AuthorityChoice.effective_from <= day,
        )
        .order_by(col(AuthorityChoice.effective_from), col(AuthorityChoice.chosen_at))
    ).all()
    return {row.key: _choice(row) for row in rows}


def list_last_made(session: Session, authority_id: int, kind: str) -> dict[str, Any]:
    """The values of one kind by key, of each the act made last, from whatever day it takes effect."""
    rows = session.exec(
        select(AuthorityChoice)
        .where(AuthorityChoice.authority_id == authority_id, AuthorityChoice.kind == kind)
        .order_by(col(AuthorityChoice.chosen_at), col(AuthorityChoice.effective_from))
    ).all()
    return {row.key: json.loads(row.value) for row in rows}


def choice_on(session: Session, authority_id: int, kind: str, key: str, day: date) -> Any | None:
    """Only the value of find_choice."""
    choice = find_choice(session, authority_id, kind, key, day)
    return choice.value if choice else None


def _choice(row: AuthorityChoice) -> Choice:
    return Choice(json.loads(row.value), row.instrument, row.document, row.effective_from)
