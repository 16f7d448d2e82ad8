"""Addresses of text messages: one person behind several spellings, and the raw address that a reply needs."""

import re
from dataclasses import dataclass

from complaints.cases.identity import normal_phone
from complaints.sealing import Keyring

_WHATSAPP = "whatsapp:"
_LONGEST_SHORT_CODE = 6
_DIALLED = re.compile(r"\+?[0-9 ().-]+")


@dataclass(frozen=True)
class TextAddress:
    """Who sent a text. `raw` is what a reply goes to; `person` is the same for each spelling of one sender.

    `phone` is E.164, or empty: a WhatsApp user may have no number that we are told, and companies write from
    short codes and names.
    """

    channel: str
    raw: str
    person: str
    phone: str

    @property
    def may_be_answered(self) -> bool:
        """False for short codes and named senders: machines, which would answer the answer."""
        return self.channel == "whatsapp" or bool(self.phone)


def read_address(sender: str, external_user_id: str = "") -> TextAddress:
    """Read `From` as the gateway gives it: `+55…`, `whatsapp:+55…`, `whatsapp:BR.1502…`, a short code, a name.

    `external_user_id`: the gateway's id of a WhatsApp user, used when there is no number.
    """
    sender = sender.strip()
    if not sender.lower().startswith(_WHATSAPP):
        phone = _phone_of(sender)
        return TextAddress("sms", sender, phone or sender, phone)
    phone = _phone_of(sender[len(_WHATSAPP) :])
    person = phone or external_user_id.strip() or sender[len(_WHATSAPP) :]
    return TextAddress("whatsapp", sender, person, phone)


def channel_of(address: str) -> str:
    """`whatsapp` or `sms`, from the address alone."""
    return "whatsapp" if address.lower().startswith(_WHATSAPP) else "sms"


def lookup_of(keyring: Keyring, channel: str, address: str) -> bytes:
    """The keyed hash under which messages to and from one person on one channel are found.

    `address`: a phone in any spelling, with or without `whatsapp:`, an e-mail address, or `TextAddress.person`.
    """
    plain = address.strip().removeprefix(_WHATSAPP)
    person = plain.lower() if channel == "email" else _phone_of(plain) or plain
    return keyring.lookup(f"{channel}:{person}", "correspondent")


def _phone_of(typed: str) -> str:
    """E.164, also of a number that no plan knows as long as it is written as one; empty for anything else."""
    digits = sum(character.isdigit() for character in typed)
    if digits <= _LONGEST_SHORT_CODE or not _DIALLED.fullmatch(typed):
        return ""
    phone = normal_phone(typed)
    return phone if phone.startswith("+") and phone[1:].isdigit() else ""
