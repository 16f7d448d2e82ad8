"""The words of every message: one source text per purpose, made into what each channel carries."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Formatter
from typing import Protocol

from complaints.messages.gsm7 import fit

SITE = "{site}"
"""Stands in stored texts for the public address, which only the sender knows."""

MAX_SEGMENTS = 2


class Speaker(Protocol):
    """In whose name a message goes out; an authority is one."""

    slug: str
    name: str
    short_name: str
    demo: bool


@dataclass(frozen=True)
class Wording:
    """The texts of one purpose. `cut`: its end may be lost in an SMS. Replies have no e-mail."""

    sms: str
    subject: str = ""
    email: str = ""
    cut: bool = False


@dataclass(frozen=True)
class Words:
    """The whole table."""

    start: dict[str, str]
    longest: dict[str, str]
    purposes: dict[str, Wording]


@dataclass(frozen=True)
class Written:
    """A message ready for the outbox: accents kept, `{site}` not filled in; only e-mail has a subject."""

    subject: str
    text: str


@cache
def get_words() -> Words:
    """The table of wording.toml."""
    data = tomllib.loads(resources.files(__package__).joinpath("wording.toml").read_text("utf-8"))
    purposes = {name: Wording(**row) for name, row in data["purpose"].items()}
    return Words(data["start"], data["longest"], purposes)


def write_message(purpose: str, channel: str, speaker: Speaker, values: Mapping[str, str]) -> Written:
    """The message of a purpose; `values` fills its placeholders, more than it has do no harm.

    Raises KeyError for an unknown purpose or a missing value.
    """
    words = get_words()
    wording = words.purposes[purpose]
    filling = {
        **values,
        "authority": speaker.short_name,
        "authority_name": speaker.name,
        "slug": speaker.slug,
        "site": SITE,
    }
    if channel != "email":
        start = (words.start["demo"] if speaker.demo else "") + words.start["sms"]
        return Written("", (start + wording.sms).format_map(filling))
    if not wording.email:
        raise KeyError(f"{purpose} has no e-mail")
    subject = (words.start["demo_subject"] if speaker.demo else "") + words.start["subject"] + wording.subject
    end = words.start["signature"] + (words.start["demo_signature"] if speaker.demo else "")
    return Written(subject.format_map(filling), (wording.email.strip() + "\n" + end).format_map(filling))


def finish_text(channel: str, text: str, public_url: str) -> str:
    """What goes out: the public address filled in; an SMS folded to GSM-7 and kept within two segments."""
    whole = text.replace(SITE, public_url)
    return fit(whole, MAX_SEGMENTS) if channel == "sms" else whole


def placeholders(text: str) -> set[str]:
    """The names a text wants filled in."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}
