"""The reporter's identity, apart from the case: sealed, found by keyed hash, each look logged with a reason."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

import phonenumbers
from sqlmodel import Session, select

from complaints.cases.tables import CaseFile, IdentityAccess, Reporter
from complaints.ids import new_id
from complaints.sealing import Keyring


@dataclass(frozen=True)
class Identity:
    """What a reporter told of themselves; `address` is the gateway's raw sender, kept for replies."""

    name: str = ""
    phone: str = ""
    email: str = ""
    address: str = ""

    def is_empty(self) -> bool:
        """Whether nothing at all is known."""
        return not any(asdict(self).values())


def normal_phone(typed: str, region: str = "BR") -> str:
    """A phone in E.164 when it can be one (the ninth digit of mobiles added); otherwise as typed, trimmed."""
    typed = typed.strip()
    for candidate in (typed, _with_ninth_digit(typed)):
        try:
            number = phonenumbers.parse(candidate, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number):
            return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return typed


def phone_lookup(keyring: Keyring, phone: str) -> bytes:
    """The keyed hash under which a phone (any spelling) is found again."""
    return keyring.lookup(normal_phone(phone), "phone")


def email_lookup(keyring: Keyring, email: str) -> bytes:
    """The keyed hash under which an e-mail address is found again."""
    return keyring.lookup(email.strip().lower(), "email")


def store_identity(session: Session, keyring: Keyring, case: CaseFile, identity: Identity, now: datetime) -> None:
    """Seal what the reporter told; stores nothing when there is nothing."""
    if identity.is_empty():
        return
    row_id = new_id()
    plain = json.dumps(asdict(identity), ensure_ascii=False).encode()
    session.add(
        Reporter(
            authority_id=case.authority_id,
            id=row_id,
            case_id=case.id,
            sealed=keyring.seal(plain, _context(row_id)),
            phone_lookup=phone_lookup(keyring, identity.phone) if identity.phone else None,
            email_lookup=email_lookup(keyring, identity.email) if identity.email else None,
            created_at=now,
        )
    )


def replace_identity(session: Session, keyring: Keyring, case: CaseFile, identity: Identity) -> None:
    """Put another identity in the place of the one that is kept."""
    reporter = _find(session, case)
    if reporter is not None:
        plain = json.dumps(asdict(identity), ensure_ascii=False).encode()
        reporter.sealed = keyring.seal(plain, _context(reporter.id))
        reporter.phone_lookup = phone_lookup(keyring, identity.phone) if identity.phone else None
        reporter.email_lookup = email_lookup(keyring, identity.email) if identity.email else None


def erase_identity(session: Session, case: CaseFile) -> None:
    """Delete who filed a case."""
    reporter = _find(session, case)
    if reporter is not None:
        session.delete(reporter)
        session.flush()


def _find(session: Session, case: CaseFile) -> Reporter | None:
    return session.exec(
        select(Reporter).where(Reporter.authority_id == case.authority_id, Reporter.case_id == case.id)
    ).first()


def contact_of(session: Session, keyring: Keyring, case: CaseFile) -> Identity:
    """The identity for the system's own notices: never shown, not logged. Empty when there is none."""
    reporter = _find(session, case)
    if reporter is None:
        return Identity()
    return Identity(**json.loads(keyring.open(reporter.sealed, _context(reporter.id))))


def read_identity(
    session: Session, keyring: Keyring, case: CaseFile, staff_id: UUID, reason: str, now: datetime
) -> Identity:
    """The identity for a member of staff with a reason; the look is logged in the same transaction."""
    log_look(session, case, staff_id, reason, now)
    return contact_of(session, keyring, case)


def log_look(session: Session, case: CaseFile, staff_id: UUID, reason: str, now: datetime) -> None:
    """Keep that somebody looked at what may tell who filed the case. ValueError without a reason."""
    if not reason.strip():
        raise ValueError("a look at an identity needs a reason")
    session.add(
        IdentityAccess(
            authority_id=case.authority_id, case_id=case.id, staff_id=staff_id, reason=reason.strip()[:300], at=now
        )
    )


def is_reporter_phone(session: Session, keyring: Keyring, case: CaseFile, phone: str) -> bool:
    """Whether the case was filed from this phone."""
    row = session.exec(
        select(Reporter.id).where(
            Reporter.authority_id == case.authority_id,
            Reporter.case_id == case.id,
            Reporter.phone_lookup == phone_lookup(keyring, phone),
        )
    ).first()
    return row is not None


def _context(row_id: UUID) -> str:
    return f"reporter:{row_id.hex}"


def _with_ninth_digit(typed: str) -> str:
    digits = "".join(ch for ch in typed if ch.isdigit())
    national = digits[2:] if digits.startswith("55") and len(digits) == 12 else digits
    if len(national) == 10 and national[2] in "6789":
        return f"+55{national[:2]}9{national[2:]}"
    return typed
