"""Spellings of one sender."""

import pytest

from complaints.messages.addresses import channel_of, lookup_of, read_address
from complaints.sealing import Keyring

MOBILE = "+5521999998888"


@pytest.mark.parametrize(
    ("sender", "external", "channel", "person", "phone", "answered"),
    [
        (MOBILE, "", "sms", MOBILE, MOBILE, True),
        ("+552199998888", "", "sms", MOBILE, MOBILE, True),
        ("5521999998888", "", "sms", MOBILE, MOBILE, True),
        ("whatsapp:+5521999998888", "BR.77", "whatsapp", MOBILE, MOBILE, True),
        ("whatsapp:+552199998888", "", "whatsapp", MOBILE, MOBILE, True),
        ("whatsapp:BR.15021234567", "BR.15021234567", "whatsapp", "BR.15021234567", "", True),
        ("whatsapp:BR.15021234567", "", "whatsapp", "BR.15021234567", "", True),
        ("+5521000000001", "", "sms", "+5521000000001", "+5521000000001", True),
        ("27182", "", "sms", "27182", "", False),
        ("271828", "", "sms", "271828", "", False),
        ("CLARO", "", "sms", "CLARO", "", False),
        ("", "", "sms", "", "", False),
    ],
)
def test_each_way_a_gateway_names_a_sender_is_understood(
    sender: str, external: str, channel: str, person: str, phone: str, answered: bool
) -> None:
    address = read_address(sender, external)
    assert (address.channel, address.person, address.phone) == (channel, person, phone)
    assert address.raw == sender
    assert address.may_be_answered is answered
    assert channel_of(sender) == channel


def test_all_spellings_of_one_person_are_found_together_but_channels_stay_apart() -> None:
    keyring = Keyring((bytes(32),), b"secret")
    spellings = ("+5521999998888", "+552199998888", "(21) 99999-8888", "whatsapp:+5521999998888")
    assert len({lookup_of(keyring, "sms", spelling) for spelling in spellings}) == 1
    assert lookup_of(keyring, "sms", MOBILE) != lookup_of(keyring, "whatsapp", MOBILE)
    assert lookup_of(keyring, "email", "Ana@Example.org ") == lookup_of(keyring, "email", "ana@example.org")
    assert lookup_of(keyring, "whatsapp", "BR.15021234567") == lookup_of(
        keyring, "whatsapp", "whatsapp:BR.15021234567"
    )
