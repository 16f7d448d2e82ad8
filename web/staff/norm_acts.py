"""What every act on the town's law needs: its instrument, its document, and the day it takes effect."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlmodel import Session, col, select

from complaints.authorities.choices import add_choice
from complaints.authorities.tables import AuthorityChoice
from complaints.staff.accounts import list_names
from web.forms import Form, FormErrors
from web.staff.routing import Desk

MAX_INSTRUMENT = 300


@dataclass(frozen=True)
class ActFields:
    """The instrument that decides (decree, order), where it can be read, and from which day it holds."""

    instrument: str
    document: str | None
    effective_from: date


@dataclass(frozen=True)
class PastAct:
    """An act as the history shows it."""

    key: str
    value: str
    instrument: str
    document: str | None
    effective_from: date
    who: str
    row: AuthorityChoice


def read_act(form: Form, today: date, errors: FormErrors) -> ActFields | None:
    """Read the three fields; None when one of them cannot be used, as `errors` then says."""
    instrument, document = form.text("instrumento", MAX_INSTRUMENT + 1), form.text("documento", MAX_INSTRUMENT + 1)
    if not instrument:
        errors.add("instrumento", "Diga que ato decide isto, por exemplo: Portaria EPT 12/2026")
    for name, text in (("instrumento", instrument), ("documento", document)):
        if len(text) > MAX_INSTRUMENT:
            errors.add(name, f"Use até {MAX_INSTRUMENT} letras")
    day = read_day(form.text("vigencia", 10))
    if day is None:
        errors.add("vigencia", "Escreva a data em que passa a valer")
    elif day < today:
        errors.add("vigencia", "Um ato não vale para trás: escolha hoje ou um dia depois")
    if errors or day is None:
        return None
    return ActFields(instrument, document or None, day)


def read_day(text: str) -> date | None:
    """Read a date as forms send it (YYYY-MM-DD); None for anything else."""
    try:
        return date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None


def store_act(session: Session, desk: Desk, kind: str, key: str, value: Any, fields: ActFields) -> None:
    """Add a dated act of this person."""
    add_choice(
        session,
        desk.authority_id,
        kind,
        key,
        value,
        instrument=fields.instrument,
        document=fields.document,
        effective_from=fields.effective_from,
        today=desk.today,
        now=desk.now,
        chosen_by=desk.member.id,
    )


def list_acts(session: Session, desk: Desk, kind: str, key: str | None = None) -> list[PastAct]:
    """List the acts of a kind, the latest made first; of one key when it is given."""
    wanted = select(AuthorityChoice).where(
        AuthorityChoice.authority_id == desk.authority_id, AuthorityChoice.kind == kind
    )
    if key is not None:
        wanted = wanted.where(AuthorityChoice.key == key)
    rows = session.exec(wanted.order_by(col(AuthorityChoice.chosen_at).desc(), col(AuthorityChoice.id))).all()
    names = list_names(session, desk.authority_id)
    return [
        PastAct(
            row.key,
            row.value,
            row.instrument,
            row.document,
            row.effective_from,
            names.get(row.chosen_by, "") if row.chosen_by else "cadastro inicial",
            row,
        )
        for row in rows
    ]
