"""Following a case: the key that goes with a protocol, derived and never stored."""

import hashlib
import hmac

from sqlmodel import Session, select

from complaints.cases.tables import CaseFile
from complaints.ids import ALPHABET
from complaints.sealing import Keyring

KEY_LENGTH = 8


class UnknownCase(Exception):
    """No case of this authority has this protocol."""


class WrongKey(Exception):
    """The key does not go with the protocol (or the protocol is not there: riders are not told which)."""


def case_key(keyring: Keyring, case: CaseFile) -> str:
    """The 8 characters that open a case: HMAC-SHA-256 over its random id and its key generation."""
    message = case.id.bytes + case.key_generation.to_bytes(4, "big")
    number = int.from_bytes(hmac.new(keyring.derive("case key"), message, hashlib.sha256).digest(), "big")
    letters = []
    for _ in range(KEY_LENGTH):
        number, index = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[index])
    return "".join(letters)


def find_case(session: Session, authority_id: int, protocol: str) -> CaseFile | None:
    """The case with this protocol (12 digits), if this authority has it."""
    return session.exec(
        select(CaseFile).where(CaseFile.protocol == protocol, CaseFile.authority_id == authority_id)
    ).first()


def get_case(session: Session, authority_id: int, protocol: str) -> CaseFile:
    """As find_case; raises UnknownCase."""
    case = find_case(session, authority_id, protocol)
    if case is None:
        raise UnknownCase(protocol)
    return case


def open_case(session: Session, keyring: Keyring, authority_id: int, protocol: str, key: str) -> CaseFile:
    """The case that protocol and key open; the key in any letter case, with blanks or dashes. Raises WrongKey."""
    case = find_case(session, authority_id, protocol)
    typed = "".join(key.split()).replace("-", "").upper()
    expected = case_key(keyring, case) if case else "-" * KEY_LENGTH
    if not hmac.compare_digest(typed.encode(), expected.encode()) or case is None:
        raise WrongKey
    return case
