"""The proof of a case's history: commitments that can outlive an erased text, and heads that cover the past."""

import hashlib
import hmac
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

GENESIS = bytes(32)
"""What stands before the first event of a case and before the first checkpoint of an authority."""


@dataclass(frozen=True)
class Link:
    """What the chain covers of one event. None of it is about the rider; the words are only committed to."""

    authority_id: int
    case_id: UUID
    seq: int
    kind: str
    at: datetime
    actor: str
    commitment: bytes
    previous: bytes


def new_salt() -> bytes:
    """16 random bytes: with them gone, a commitment says nothing about the words it covered."""
    return os.urandom(16)


def canonical(content: Mapping[str, object]) -> str:
    """The one spelling of a content as JSON: sorted keys, no spaces, text unescaped."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def commitment(salt: bytes, text: str) -> bytes:
    """HMAC-SHA-256 of the canonical content under its salt: 32 bytes."""
    return hmac.new(salt, text.encode(), hashlib.sha256).digest()


def head(link: Link) -> bytes:
    """SHA-256 over the event and, through `previous`, every event before it: 32 bytes."""
    return _digest(
        b"selo event 1",
        str(link.authority_id).encode(),
        link.case_id.bytes,
        str(link.seq).encode(),
        link.kind.encode(),
        instant(link.at).encode(),
        link.actor.encode(),
        link.commitment,
        link.previous,
    )


def checkpoint_head(
    authority_id: int, number: int, at: datetime, previous: bytes, heads: Iterable[bytes]
) -> bytes:
    """SHA-256 over the checkpoint before and the heads of the cases that changed, in byte order: 32 bytes."""
    parts = (str(authority_id).encode(), str(number).encode(), instant(at).encode(), previous)
    return _digest(b"selo checkpoint 1", *parts, *sorted(heads))


def instant(at: datetime) -> str:
    """An aware instant as UTC text with microseconds, the same on every database."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _digest(*parts: bytes) -> bytes:
    hasher = hashlib.sha256()
    for part in parts:
        hasher.update(len(part).to_bytes(4, "big"))
        hasher.update(part)
    return hasher.digest()
