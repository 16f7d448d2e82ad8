"""What riders may do about their personal data: see, correct, erase (Lei 13.709/2018, art. 18, II, III, VI)."""

from datetime import datetime

from sqlmodel import Session

from complaints.cases.history import append_event
from complaints.cases.identity import Identity, contact_of, erase_identity, normal_phone, replace_identity
from complaints.cases.tables import CaseFile
from complaints.messages.forgetting import forget_messages
from complaints.sealing import Keyring


class NothingKept(Exception):
    """The case has no identity: it was filed without one, or it was erased."""


def correct_data(
    session: Session, keyring: Keyring, case: CaseFile, *, name: str, phone: str, email: str, now: datetime
) -> bool:
    """Replace name, phone and e-mail of a case loaded for change; whether anything differed. Raises NothingKept.

    A text address is kept only while the phone stays the same. Clearing all three is erasing: see erase_data.
    """
    known = contact_of(session, keyring, case)
    if known.is_empty():
        raise NothingKept(case.protocol)
    phone = normal_phone(phone)
    wanted = Identity(name.strip(), phone, email.strip(), known.address if phone == known.phone else "")
    if wanted == known:
        return False
    replace_identity(session, keyring, case, wanted)
    append_event(session, case, "identity_corrected", "rider", {}, now)
    return True


def erase_data(session: Session, keyring: Keyring, case: CaseFile, now: datetime) -> None:
    """Erase who filed, and the copies in messages; the case goes on without a name. Raises NothingKept."""
    if case.confidentiality == "anonymous":
        raise NothingKept(case.protocol)
    erase_identity(session, case)
    forget_messages(session, keyring, case)
    case.confidentiality = "anonymous"
    append_event(session, case, "identity_erased", "rider", {}, now)
